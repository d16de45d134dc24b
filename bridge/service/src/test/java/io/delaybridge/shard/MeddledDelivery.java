package io.delaybridge.shard;

import io.delaybridge.delivery.Delivery;
import io.delaybridge.delivery.Outcome;
import io.delaybridge.delivery.Packing;
import io.delaybridge.shard.SimDelivery.Fault;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** A delivery with a {@link Meddler} before and after. */
record MeddledDelivery(Delivery inner, SimDelivery faulty, Meddler meddler) implements Delivery {

  @Override
  public boolean isTransactional() {
    return inner.isTransactional();
  }

  @Override
  public Outcome deliver(
      List<ProducerRecord<byte[], byte[]>> records,
      Packing packing,
      Map<TopicPartition, OffsetAndMetadata> checkpoints,
      ConsumerGroupMetadata group) {
    before();
    Outcome outcome = inner.deliver(records, packing, checkpoints, group);
    meddler.afterDelivery();
    return outcome;
  }

  @Override
  public Outcome commit(
      Map<TopicPartition, OffsetAndMetadata> checkpoints, ConsumerGroupMetadata group) {
    before();
    Outcome outcome = inner.commit(checkpoints, group);
    meddler.afterDelivery();
    return outcome;
  }

  private void before() {
    Fault fault = meddler.beforeDelivery();
    if (fault != null) {
      faulty.fault(fault);
    }
  }

  @Override
  public void prepare() {
    inner.prepare();
  }

  @Override
  public void close() {
    inner.close();
  }
}
