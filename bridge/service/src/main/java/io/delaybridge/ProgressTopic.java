package io.delaybridge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.delaybridge.admin.Ticker;
import io.delaybridge.admin.desk.Watermarks;
import io.delaybridge.admin.desk.Watermarks.Watermark;
import io.delaybridge.message.ShardId;
import io.delaybridge.shard.LoopStatus;
import io.delaybridge.shard.ShardStatus;
import io.dropwizard.lifecycle.Managed;
import jakarta.ws.rs.WebApplicationException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the {@link Watermarks} of the shards of this process to a compacted topic, a second after
 * the previous ones. The content of a record stays true, so a process that has lost a shard a
 * moment ago may write one more for it: the highest counts.
 */
final class ProgressTopic implements Managed {

  private static final Logger LOG = LoggerFactory.getLogger(ProgressTopic.class);
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  /** Longer than the producer may take. */
  private static final long LONGEST_SECONDS = 60;

  private final String topic;
  private final Watermarks watermarks;
  private final Supplier<List<LoopStatus>> loops;
  private final Supplier<Producer<byte[], byte[]>> makes;
  private final ObjectMapper json;
  private final Ticker ticker = new Ticker("delay-progress", EVERY, this::tick);
  private @Nullable Producer<byte[], byte[]> producer;
  private boolean failing;

  /**
   * @param topic the topic to write to
   * @param loops the loops of this process
   * @param producers makes a producer that waits for all replicas
   */
  ProgressTopic(
      String topic,
      Watermarks watermarks,
      Supplier<List<LoopStatus>> loops,
      Supplier<Producer<byte[], byte[]>> producers,
      ObjectMapper json) {
    this.topic = topic;
    this.watermarks = watermarks;
    this.loops = loops;
    this.makes = producers;
    this.json = json;
  }

  @Override
  public void start() {
    ticker.start();
  }

  @Override
  public void stop() {
    ticker.stop();
    close(CLOSE_TIMEOUT);
  }

  private synchronized Producer<byte[], byte[]> producer() {
    if (producer == null) {
      producer = makes.get();
    }
    return producer;
  }

  private synchronized void close(Duration timeout) {
    if (producer != null) {
      producer.close(timeout);
      producer = null;
    }
  }

  /** Writes once. Logs the first failure, and the first success after a failure. */
  private void tick() {
    try {
      write();
      if (failing) {
        LOG.info("Watermarks are written to {} again", topic);
      }
      failing = false;
    } catch (InterruptedException | InterruptException e) {
      // stop() ends this thread in this way.
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException | KafkaException | WebApplicationException e) {
      if (!(e instanceof WebApplicationException)) {
        // If it could not authenticate at first, it would never write.
        close(Duration.ZERO);
      }
      if (!failing && !Thread.currentThread().isInterrupted()) {
        LOG.warn("Watermarks cannot be written to {}, this is tried again", topic, e);
        failing = true;
      }
    }
  }

  private void write() throws ExecutionException, InterruptedException, TimeoutException {
    Set<ShardId> own =
        LoopStatus.shards(loops.get()).stream()
            .filter(ShardStatus::isOpen)
            .map(ShardStatus::shard)
            .collect(Collectors.toSet());
    if (own.isEmpty()) {
      return;
    }
    List<Future<RecordMetadata>> written = new ArrayList<>();
    for (Watermark each : watermarks.of(own::contains)) {
      if (each.watermark() != null) {
        written.add(producer().send(record(each)));
      }
    }
    for (Future<RecordMetadata> each : written) {
      each.get(LONGEST_SECONDS, TimeUnit.SECONDS);
    }
  }

  private ProducerRecord<byte[], byte[]> record(Watermark watermark) {
    String key = "%s/%d".formatted(watermark.intake(), watermark.partition());
    try {
      return new ProducerRecord<>(
          topic, key.getBytes(StandardCharsets.UTF_8), json.writeValueAsBytes(watermark));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
