package io.delaybridge.connect.callback;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes follow-ups to Kafka, however long that takes. While Kafka is unavailable, they wait,
 * together with the records that caused them. Each topic has its own thread, because a producer
 * blocks while a topic is unknown to it. A missing topic therefore does not delay the others. Safe
 * for several threads.
 */
final class Outbox implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);
  private static final Duration CLOSE = Duration.ofSeconds(5);

  private final Producer<byte[], byte[]> producer;
  private final Consumer<Throwable> broken;
  private final Map<String, ExecutorService> threads;

  /**
   * @param topics all that will be written to
   * @param broken told once Kafka refuses a record for good, which then stays unfinished, and what
   *     else goes wrong where nobody would notice
   */
  Outbox(Producer<byte[], byte[]> producer, Set<String> topics, Consumer<Throwable> broken) {
    this.producer = producer;
    this.broken = broken;
    this.threads =
        topics.stream().collect(Collectors.toUnmodifiableMap(topic -> topic, Outbox::thread));
  }

  private static ExecutorService thread(String topic) {
    return Executors.newSingleThreadExecutor(
        task -> {
          Thread created = new Thread(task, "delay-callback-" + topic);
          created.setDaemon(true);
          return created;
        });
  }

  /**
   * Writes one record.
   *
   * @param sizes the record to write, followed by smaller ones to try if it is too large; not empty
   * @param written called when one of them is safely in Kafka
   */
  void send(List<ProducerRecord<byte[], byte[]>> sizes, Runnable written) {
    ExecutorService thread = Objects.requireNonNull(threads.get(sizes.get(0).topic()));
    try {
      thread.execute(() -> sendNow(sizes, written));
    } catch (RejectedExecutionException e) {
      // Closed: the record stays unfinished, and the next owner reads it again.
      LOG.debug("A follow-up for {} came after the end.", sizes.get(0).topic());
    }
  }

  private void sendNow(List<ProducerRecord<byte[], byte[]>> sizes, Runnable written) {
    try {
      var unused =
          producer.send(sizes.get(0), (done, failure) -> answered(sizes, written, failure));
    } catch (InterruptException e) {
      LOG.debug("A follow-up for {} was cut short by the end.", sizes.get(0).topic());
    } catch (RuntimeException e) {
      // For example, the thread of the producer has died, and an unsent record would wait forever.
      refused(sizes.get(0), e);
    } catch (Error e) {
      broken.accept(e);
    }
  }

  /** Throws nothing: the producer would only log it. */
  private void answered(
      List<ProducerRecord<byte[], byte[]>> sizes, Runnable written, @Nullable Exception failure) {
    try {
      sent(sizes, written, failure);
    } catch (RuntimeException | Error e) {
      broken.accept(e);
    }
  }

  private void sent(
      List<ProducerRecord<byte[], byte[]>> sizes, Runnable written, @Nullable Exception failure) {
    ProducerRecord<byte[], byte[]> record = sizes.get(0);
    if (failure == null) {
      written.run();
    } else if (failure instanceof RecordTooLargeException && sizes.size() > 1) {
      send(sizes.subList(1, sizes.size()), written);
    } else if (failure instanceof RetriableException) {
      LOG.warn(
          "Topic {} does not accept a record yet, it is sent again: {}",
          record.topic(),
          failure.toString());
      send(sizes, written);
    } else {
      refused(record, failure);
    }
  }

  private void refused(ProducerRecord<byte[], byte[]> record, Exception why) {
    broken.accept(
        new IllegalStateException(
            "topic %s refuses a record: %s".formatted(record.topic(), why), why));
  }

  /** Waits at most a few seconds for records that were sent. */
  @Override
  public void close() {
    threads.values().forEach(ExecutorService::shutdownNow);
    producer.close(CLOSE);
  }
}
