package io.delaybridge.deadletter.letters;

import io.delaybridge.message.Source;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/** Reads the content of dead letters, by their positions. For one thread. */
public final class LetterReader implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration LIMIT = Duration.ofSeconds(15);
  // Reading over a gap is cheaper than a seek as long as the gap is small.
  private static final long GAP = 200;

  private final Consumer<byte[], byte[]> consumer;
  private final LongSupplier nanos;

  /** Takes a consumer, which it closes, and the monotonic clock. */
  public LetterReader(Consumer<byte[], byte[]> consumer, LongSupplier nanos) {
    this.consumer = consumer;
    this.nanos = nanos;
  }

  /** Where the content of a letter is. */
  public static Source contentOf(DeadLetter letter) {
    return letter.content() == null ? letter.position() : letter.content();
  }

  /**
   * The records at these positions, without those that are not there any more.
   *
   * @throws IndexUnavailableException if Kafka does not answer in time
   */
  public Map<Source, ConsumerRecord<byte[], byte[]>> read(Collection<Source> positions) {
    Map<TopicPartition, SortedSet<Long>> wanted = new HashMap<>();
    for (Source position : positions) {
      wanted
          .computeIfAbsent(
              new TopicPartition(position.topic(), position.partition()), key -> new TreeSet<>())
          .add(position.offset());
    }
    Map<Source, ConsumerRecord<byte[], byte[]>> found = new HashMap<>();
    try {
      wanted.forEach((partition, offsets) -> read(partition, offsets, found));
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      throw new IndexUnavailableException("the content could not be read: " + e.getMessage(), e);
    }
    return found;
  }

  private void read(
      TopicPartition partition,
      SortedSet<Long> offsets,
      Map<Source, ConsumerRecord<byte[], byte[]>> found) {
    consumer.assign(List.of(partition));
    int partitions = consumer.partitionsFor(partition.topic()).size();
    if (partitions > 0 && partition.partition() >= partitions) {
      // The topic was created anew with fewer partitions: waiting for Kafka would be in vain.
      return;
    }
    long begin = begin(partition);
    long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
    TreeSet<Long> left = new TreeSet<>(offsets.headSet(end));
    left.headSet(begin).clear();
    long deadline = nanos.getAsLong() + LIMIT.toNanos();
    long position = -1;
    while (!left.isEmpty()) {
      if (left.first() - position > GAP || position < 0) {
        consumer.seek(partition, left.first());
      }
      try {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          if (left.contains(record.offset())) {
            found.put(
                new Source(partition.topic(), partition.partition(), record.offset()), record);
          }
        }
        position = consumer.position(partition);
      } catch (OffsetOutOfRangeException e) {
        // Deleted since we asked where the topic begins.
        long later = begin(partition);
        if (later <= left.first()) {
          return;
        }
        left.headSet(later).clear();
        position = -1;
      }
      left.headSet(position).clear();
      if (nanos.getAsLong() - deadline > 0 && !left.isEmpty()) {
        throw new IndexUnavailableException(partition + " could not be read in time");
      }
    }
  }

  private long begin(TopicPartition partition) {
    return consumer.beginningOffsets(List.of(partition)).getOrDefault(partition, 0L);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
