package io.delaybridge.shard;

import io.delaybridge.delivery.Delivery;
import io.delaybridge.store.MemoryShardStore;
import io.delaybridge.store.ShardStore;

/**
 * What a {@link SimBridge} has around the product's own code. This one keeps every promise of the
 * ports; subclasses break one each, to prove that a {@link Judge} notices.
 */
class SimWiring {

  /** What all bridges keep their messages in. */
  MemoryShardStore memory() {
    return new MemoryShardStore();
  }

  /** The store as one bridge sees it. */
  ShardStore store(ShardStore store, SimKafka kafka, SimClock clock) {
    return store;
  }

  /** A member of the group. */
  SimConsumer consumer(SimKafka kafka, String name) {
    return new SimConsumer(kafka, name);
  }

  /** What the retention of the intake is long enough for. */
  Ledger.Kept kept() {
    return new Ledger.Kept(true, true);
  }

  /** What a bridge publishes with. */
  Delivery delivery(Delivery delivery, SimKafka kafka, SimConsumer consumer) {
    return delivery;
  }
}
