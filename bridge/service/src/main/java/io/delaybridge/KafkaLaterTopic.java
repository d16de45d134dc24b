package io.delaybridge;

import io.delaybridge.message.ShardId;
import io.delaybridge.shard.LaterTopic;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads later topics with a consumer that is made when it is needed first. It fetches from the
 * partition that is asked for, and from none while nobody asks.
 */
final class KafkaLaterTopic implements LaterTopic {

  private final Supplier<Consumer<byte[], byte[]>> makes;
  private final Set<String> intakes;
  private final Set<TopicPartition> assigned = new HashSet<>();
  private @Nullable Consumer<byte[], byte[]> consumer;

  /**
   * Takes what reads.
   *
   * @param intakes those that have a later topic
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
    if (assigned.add(wanted)) {
      reader.assign(assigned);
      reader.seek(wanted, from);
    }
    reader.pause(assigned);
    reader.resume(Set.of(wanted));
    if (reader.position(wanted) != from) {
      reader.seek(wanted, from);
    }
    List<ConsumerRecord<byte[], byte[]>> records = reader.poll(Duration.ZERO).records(wanted);
    return records.size() > most
        ? new Read(records.subList(0, most), records.get(most).offset())
        : new Read(records, reader.position(wanted));
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
