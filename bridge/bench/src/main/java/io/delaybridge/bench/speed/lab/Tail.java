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
 * The end of a target topic, read as committed. While a rate is being measured it only asks for end
 * offsets, a few dozen times a second, so that it costs next to nothing; the records are read when
 * nearly all are there, and the times are those at which the broker appended them.
 */
public final class Tail implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(100);
  private static final long ASK_EVERY_MS = 20;

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<TopicPartition> partitions;

  /** Begins at the end that the topic has now. */
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

  /** Skips what is there. */
  public void toEnd() {
    consumer.seekToEnd(partitions);
    partitions.forEach(consumer::position);
  }

  /** Begins anew. */
  public void toBeginning() {
    consumer.seekToBeginning(partitions);
    partitions.forEach(consumer::position);
  }

  /** Offsets that can be read now, from here: records, and the markers of transactions. */
  public long ahead() {
    return consumer.endOffsets(partitions).entrySet().stream()
        .mapToLong(end -> end.getValue() - consumer.position(end.getKey()))
        .sum();
  }

  /** The records that came since the last read; waits a moment if there are none. */
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

  /** The same, and shows every record to somebody. */
  public Span await(
      Checklist checklist, Duration limit, Consumer<ConsumerRecord<byte[], byte[]>> onlooker) {
    Span span = collect(checklist, limit, onlooker);
    end(checklist);
    return span;
  }

  /** The same without {@link #end}, for who takes the time. */
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
   * After the last record: one more short read, which must bring nothing.
   *
   * @throws IllegalStateException if it does, or if a record came before it was due
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
