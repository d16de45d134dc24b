package io.delaybridge.delivery;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Delivers with two transactional ids that take turns, so that a transaction never waits for the
 * last one.
 *
 * <p>Kafka acknowledges a commit when it is decided and writes the markers a little later. A broker
 * that sees the same transactional id before that makes it wait, by default for 20 ms ({@code
 * add.partitions.to.txn.retry.backoff.ms}). With another id there is nothing to wait for. The other
 * id follows only when a transaction is out; any other outcome is settled under its own id first.
 * So there is never more than one transaction whose end is unknown, except one whose id had to be
 * left. See ADR 19 and ADR 23.
 */
public final class AlternatingDelivery implements Delivery {

  private final TransactionalDelivery even;
  private final TransactionalDelivery odd;
  private TransactionalDelivery next;

  /** Takes two deliveries with ids of their own, and closes them. */
  public AlternatingDelivery(TransactionalDelivery even, TransactionalDelivery odd) {
    this.even = even;
    this.odd = odd;
    this.next = even;
  }

  @Override
  public boolean isTransactional() {
    return true;
  }

  @Override
  public Outcome deliver(
      List<ProducerRecord<byte[], byte[]>> records,
      Packing packing,
      Map<TopicPartition, OffsetAndMetadata> checkpoints,
      ConsumerGroupMetadata group) {
    return handedOver(next.deliver(records, packing, checkpoints, group));
  }

  private Outcome handedOver(Outcome outcome) {
    if (outcome instanceof Outcome.Done) {
      next = next == even ? odd : even;
      // Ends what a predecessor left open under that id, in case no other turn follows for long.
      next.prepare();
    }
    return outcome;
  }

  @Override
  public Outcome commit(
      Map<TopicPartition, OffsetAndMetadata> checkpoints, ConsumerGroupMetadata group) {
    return handedOver(next.commit(checkpoints, group));
  }

  @Override
  public void prepare() {
    if (even.prepared()) {
      odd.prepare();
    }
  }

  @Override
  public void close() {
    even.refuse();
    odd.refuse();
    try (odd) {
      even.close();
    }
  }
}
