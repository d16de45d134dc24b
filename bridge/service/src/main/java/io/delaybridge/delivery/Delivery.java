package io.delaybridge.delivery;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Publishes the records of a turn and its checkpoints. Belongs to one loop and is called by its
 * thread only. Failures are outcomes; only an interrupt is thrown.
 */
public interface Delivery extends AutoCloseable {

  /** True if checkpoints go out with the records, false if they are committed on their own. */
  boolean isTransactional();

  /**
   * Publishes the records; with a transaction, the checkpoints as well.
   *
   * @param group as it was before the records were taken from the store
   */
  Outcome deliver(
      List<ProducerRecord<byte[], byte[]>> records,
      Packing packing,
      Map<TopicPartition, OffsetAndMetadata> checkpoints,
      ConsumerGroupMetadata group);

  /** Commits checkpoints when nothing is to be published. */
  Outcome commit(Map<TopicPartition, OffsetAndMetadata> checkpoints, ConsumerGroupMetadata group);

  /**
   * Connects, and ends what a predecessor left open, so that the first call need not; that it could
   * not is told by that call.
   */
  void prepare();

  @Override
  void close();
}
