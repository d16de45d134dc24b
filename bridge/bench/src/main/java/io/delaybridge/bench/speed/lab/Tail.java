package io.delaybridge.bench.speed.lab;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The end of a target topic, read as committed. During the measurement of a rate it only queries
 * end offsets, a few dozen times a second, which costs almost nothing. It reads the records when
 * nearly all of them have arrived. The times are the append times of the broker.
 */
public final class Tail implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(100);
  private static final long ASK_EVERY_MS = 20;

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<TopicPartition> partitions;

  /** Starts at the current end of the topic. */
  public Tail(String bootstrapServers, String topic, int partitionCount) {
    consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed",
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false",
                ConsumerConfig.CHECK_CRCS_CONFIG, "false",
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "50000",
                ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, "8388608",
                ConsumerConfig.RECEIVE_BUFFER_CONFIG, "-1"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    partitions =
        IntStream.range(0, partitionCount).mapToObj(p -> new TopicPartition(topic, p)).toList();
    consumer.assign(partitions);
    toEnd();
  }

  /** Skips the existing records. */
  public void toEnd() {
    consumer.seekToEnd(partitions);
    partitions.forEach(consumer::position);
  }

  /** Goes back to the beginning. */
  public void toBeginning() {
    consumer.seekToBeginning(partitions);
    partitions.forEach(consumer::position);
  }

  /** Returns the number of offsets to read from here: records and transaction markers. */
  public long ahead() {
    return consumer.endOffsets(partitions).entrySet().stream()
        .mapToLong(end -> end.getValue() - consumer.position(end.getKey()))
        .sum();
  }

  /** Returns the records since the last read; waits a moment if there are none. */
  public Iterable<ConsumerRecord<byte[], byte[]>> read() {
    return consumer.poll(POLL);
  }

  /**
   * Waits for exactly these records.
   *
   * @throws IllegalStateException if they are not there in time, if there are others, or if one
   *     came twice or before it was due
   */
  public Span await(Checklist checklist, Duration limit) {
    return await(checklist, limit, record -> {});
  }

  /** Does the same, and passes every record to the onlooker. */
  public Span await(
      Checklist checklist, Duration limit, Consumer<ConsumerRecord<byte[], byte[]>> onlooker) {
    Span span = collect(checklist, limit, onlooker);
    end(checklist);
    return span;
  }

  /** Does the same without {@link #end}, for callers that measure the time. */
  public Span collect(
      Checklist checklist, Duration limit, Consumer<ConsumerRecord<byte[], byte[]>> onlooker) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (ahead() < checklist.count()) {
      check(deadline, () -> "only %d of %d came".formatted(ahead(), checklist.count()));
      Lab.pause(ASK_EVERY_MS);
    }
    Span span = Span.NONE;
    while (!checklist.isComplete()) {
      check(deadline, checklist::missing);
      for (ConsumerRecord<byte[], byte[]> record : read()) {
        checklist.tick(record);
        span = span.with((double) record.timestamp());
        onlooker.accept(record);
      }
    }
    return span;
  }

  /**
   * Does one more short read after the last record, which must return nothing.
   *
   * @throws IllegalStateException if it returns a record, or if one came before it was due
   */
  public void end(Checklist checklist) {
    read().forEach(checklist::tick);
    checklist.requireNoneEarly();
  }

  private void check(long deadline, Supplier<String> seen) {
    if (System.nanoTime() - deadline > 0) {
      throw new IllegalStateException(partitions.get(0).topic() + ": " + seen.get());
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
