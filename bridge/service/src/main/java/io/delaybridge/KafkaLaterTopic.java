package io.delaybridge;

import io.delaybridge.message.ShardId;
import io.delaybridge.shard.LaterTopic;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads later topics with a consumer that is made when it is first needed. The consumer fetches
 * from the partition that is asked for, and from none while nobody asks. Reading never waits.
 */
final class KafkaLaterTopic implements LaterTopic {

  private static final long NOT_ASKED = -1;

  private final Supplier<Consumer<byte[], byte[]>> makes;
  private final Set<String> intakes;
  private final Map<TopicPartition, Long> positions = new HashMap<>();
  private @Nullable Consumer<byte[], byte[]> consumer;

  /**
   * Uses a consumer of this supplier.
   *
   * @param intakes the intakes that have a later topic
   */
  KafkaLaterTopic(Supplier<Consumer<byte[], byte[]>> consumer, Set<String> intakes) {
    this.makes = consumer;
    this.intakes = Set.copyOf(intakes);
  }

  @Override
  public boolean exists(String intake) {
    return intakes.contains(intake);
  }

  @Override
  public Read read(ShardId shard, long from, int most) {
    TopicPartition wanted = LaterTopic.partition(shard);
    Consumer<byte[], byte[]> reader = reader();
    if (!positions.containsKey(wanted)) {
      positions.put(wanted, NOT_ASKED);
      reader.assign(positions.keySet());
    }
    if (positions.get(wanted) != from) {
      reader.seek(wanted, from);
      positions.put(wanted, from);
    }
    reader.pause(positions.keySet());
    reader.resume(Set.of(wanted));
    ConsumerRecords<byte[], byte[]> polled = reader.poll(Duration.ZERO);
    // Not position() of the consumer: it waits for a partition that has no leader.
    OffsetAndMetadata next = polled.nextOffsets().get(wanted);
    if (next != null) {
      positions.put(wanted, next.offset());
    }
    List<ConsumerRecord<byte[], byte[]>> records = polled.records(wanted);
    return records.size() > most
        ? new Read(records.subList(0, most), records.get(most).offset())
        : new Read(records, positions.get(wanted));
  }

  @Override
  public long start(ShardId shard) {
    TopicPartition partition = LaterTopic.partition(shard);
    return reader().beginningOffsets(Set.of(partition)).getOrDefault(partition, 0L);
  }

  private Consumer<byte[], byte[]> reader() {
    Consumer<byte[], byte[]> reader = consumer;
    if (reader == null) {
      reader = makes.get();
      consumer = reader;
    }
    return reader;
  }

  @Override
  public void close() {
    if (consumer != null) {
      consumer.close();
    }
  }
}
