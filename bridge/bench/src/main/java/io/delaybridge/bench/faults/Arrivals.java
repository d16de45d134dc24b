package io.delaybridge.bench.faults;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * The reader of all records that are committed to the targets and to the dead letters. It reads
 * from the beginning, while the faults happen, on its own thread, and passes each record to the
 * judge.
 */
final class Arrivals implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration LAST = Duration.ofMinutes(1);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Judge judge;
  private final Thread thread;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean ending;

  Arrivals(String bootstrapServers, List<TopicPartition> partitions, Judge judge) {
    this.judge = judge;
    this.consumer = consumer(bootstrapServers, partitions);

    this.thread = new Thread(this::read, "arrivals");
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns a consumer without a group that reads committed records from the beginning. */
  static KafkaConsumer<byte[], byte[]> consumer(
      String bootstrapServers, List<TopicPartition> partitions) {
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed",
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "5000",
                ConsumerConfig.METADATA_MAX_AGE_CONFIG, "5000",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    return consumer;
  }

  /** Throws an exception if the reading thread has failed. */
  void check() {
    Throwable cause = failure.get();
    if (cause != null) {
      throw new FaultsException("the reader of arrivals failed: " + cause, cause);
    }
  }

  /** Reads up to the current end and ends the thread. */
  void finish() {
    ending = true;
    join(LAST.plusSeconds(5));
    check();
  }

  @Override
  public void close() {
    ending = true;
    consumer.wakeup();
    join(POLL.multipliedBy(10));
  }

  private void join(Duration limit) {
    try {
      thread.join(limit.toMillis());
    } catch (InterruptedException e) {
      throw FaultsException.interrupted("the reader of arrivals", e);
    }
  }

  private void read() {
    try (consumer) {
      while (!ending) {
        poll();
      }
      Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
      long start = System.nanoTime();
      while (!reached(consumer, ends)) {
        if (System.nanoTime() - start > LAST.toNanos()) {
          throw new FaultsException("the targets cannot be read to their ends " + ends);
        }
        poll();
      }
    } catch (WakeupException e) {
      // close() ends this thread this way.
      ending = true;
    } catch (RuntimeException | Error e) {
      failure.set(e);
    }
  }

  /** Returns whether everything before these offsets was read. */
  static boolean reached(KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  private void poll() {
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
      judge.arrived(record, System.currentTimeMillis());
    }
  }
}
