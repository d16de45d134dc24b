package io.delaybridge.shard;

import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayTopics;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the later topics for a loop: from any offset, with no group. One instance belongs to one
 * loop and is called by its thread only. Throws a KafkaException if Kafka does not answer.
 */
public interface LaterTopic extends AutoCloseable {

  /** Used where there is no later topic. */
  LaterTopic NONE =
      new LaterTopic() {
        @Override
        public boolean exists(String intake) {
          return false;
        }

        @Override
        public Read read(ShardId shard, long from, int most) {
          throw new IllegalStateException("there is no later topic");
        }

        @Override
        public long start(ShardId shard) {
          throw new IllegalStateException("there is no later topic");
        }

        @Override
        public void close() {}
      };

  /** The partition in which the far messages of a shard wait. */
  static TopicPartition partition(ShardId shard) {
    return new TopicPartition(DelayTopics.laterOf(shard.topic()), shard.partition());
  }

  /**
   * The result of a read.
   *
   * @param records in the order of their offsets
   * @param next offset to go on from
   */
  record Read(List<ConsumerRecord<byte[], byte[]>> records, long next) {}

  /** Whether the intake has a later topic; does not ask Kafka. */
  boolean exists(String intake);

  /**
   * Reads records from an offset on. Does not wait: it may return nothing although there is
   * something. Throws an OffsetOutOfRangeException if the records there were deleted.
   *
   * @param from offset in the partition
   * @param most records
   */
  Read read(ShardId shard, long from, int most);

  /** Offset of the first record that the partition still has, or of its end. Waits for Kafka. */
  long start(ShardId shard);

  @Override
  void close();
}
