package io.delaybridge.bench.speed.lab;

import io.delaybridge.schemas.DelayHeaders;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A cheap producer for intakes: large batches, no compression, and the same bytes as value and
 * headers of all records. Each key is a unique number of 8 bytes, counted from 0, by which {@link
 * Checklist} recognizes the record. Partitions take turns. Used by one thread at a time.
 */
public final class Loader implements AutoCloseable {

  private final KafkaProducer<byte[], byte[]> producer;
  private final int partitions;
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private long next;

  /**
   * Creates a loader with its own producer.
   *
   * @param lingerMs time that it waits for more records to send together
   */
  public Loader(String bootstrapServers, int partitions, int lingerMs) {
    this.partitions = partitions;
    this.producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ProducerConfig.BATCH_SIZE_CONFIG,
                256 << 10,
                ProducerConfig.LINGER_MS_CONFIG,
                lingerMs,
                ProducerConfig.BUFFER_MEMORY_CONFIG,
                64L << 20,
                ProducerConfig.SEND_BUFFER_CONFIG,
                -1),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /** Returns a random value of that many bytes, which compression cannot make smaller. */
  public static byte[] value(int size) {
    byte[] value = new byte[size];
    new Random(size).nextBytes(value);
    return value;
  }

  /** Returns the headers of a message that is due at this instant, in epoch milliseconds. */
  public static List<Header> dueAt(String target, long due) {
    return headers(target, DelayHeaders.DELIVER_AT, due);
  }

  /** Returns the headers of a message that is due this many milliseconds after its timestamp. */
  public static List<Header> delayed(String target, long millis) {
    return headers(target, DelayHeaders.DELAY_MS, millis);
  }

  private static List<Header> headers(String target, String when, long number) {
    return List.of(
        new RecordHeader(DelayHeaders.TARGET_TOPIC, target.getBytes(StandardCharsets.UTF_8)),
        new RecordHeader(when, Long.toString(number).getBytes(StandardCharsets.UTF_8)));
  }

  /** Sends this many records and returns when all of them are acknowledged. */
  public Sent fill(String topic, int count, byte[] value, List<Header> headers) {
    long first = next;
    for (int i = 0; i < count; i++) {
      send(topic, value, headers);
    }
    flush();
    return since(first);
  }

  /** Does the same, with a unique {@code delay-id} of 20 bytes for each record. */
  public Sent fillNamed(String topic, int count, byte[] value, List<Header> headers) {
    long first = next;
    for (int i = 0; i < count; i++) {
      List<Header> all = new ArrayList<>(headers);
      byte[] id = "%020d".formatted(next).getBytes(StandardCharsets.UTF_8);
      all.add(new RecordHeader(DelayHeaders.ID, id));
      send(topic, value, all);
    }
    flush();
    return since(first);
  }

  /** Returns the number of the next record. */
  public long next() {
    return next;
  }

  /** Returns all records that were sent from this number on. */
  public Sent since(long first) {
    return new Sent(first, next - first);
  }

  /** Sends a record with the time of the producer. */
  public void send(String topic, byte[] value, List<Header> headers) {
    send(topic, value, headers, null);
  }

  /**
   * Sends a record.
   *
   * @param timestamp in epoch milliseconds; null for that of the producer
   */
  void send(String topic, byte[] value, List<Header> headers, @Nullable Long timestamp) {
    long number = next++;
    byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    var unused =
        producer.send(
            new ProducerRecord<>(
                topic, (int) (number % partitions), timestamp, key, value, headers),
            (metadata, e) -> {
              if (e != null) {
                failure.compareAndSet(null, e);
              }
            });
  }

  /**
   * Waits for all acknowledgements.
   *
   * @throws IllegalStateException if a record could not be sent
   */
  public void flush() {
    producer.flush();
    Exception e = failure.get();
    if (e != null) {
      throw new IllegalStateException("the load could not be sent", e);
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
