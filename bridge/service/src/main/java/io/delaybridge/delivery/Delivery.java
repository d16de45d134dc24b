package io.delaybridge.delivery;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Publishes the records of a turn and its checkpoints. Belongs to one loop and is called by its
 * thread only. Failures are returned as outcomes; only an interrupt is thrown.
 */
public interface Delivery extends AutoCloseable {

  /** True if checkpoints go out with the records, false if they are committed on their own. */
  boolean isTransactional();

  /**
   * Publishes the records and, with a transaction, the checkpoints as well.
   *
   * @param group metadata from before the records were taken from the store
   */
  Outcome deliver(
      List<ProducerRecord<byte[], byte[]>> records,
      Packing packing,
      Map<TopicPartition, OffsetAndMetadata> checkpoints,
      ConsumerGroupMetadata group);

  /** Commits checkpoints when nothing is to be published. */
  Outcome commit(Map<TopicPartition, OffsetAndMetadata> checkpoints, ConsumerGroupMetadata group);

  /**
   * Connects, and ends what a predecessor left open, so that the first call need not do so. If this
   * fails, the first call reports it.
   */
  void prepare();

  @Override
  void close();
}
