package io.delaybridge.shard;

import io.delaybridge.delivery.Delivery;
import io.delaybridge.store.MemoryShardStore;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.ShardStore.Taken;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

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

  /** Looks at the store for a watermark, and asks then where the log ends. */
  void look(WatermarkQuestion question, Taken seen, LongSupplier logEnd) {
    question.look(seen, logEnd.getAsLong());
  }

  /** What is told of a watermark. */
  OptionalLong answer(WatermarkQuestion question, long committed) {
    return question.answer(committed);
  }

  /** After when a watermark takes everything to be due that is in the later topic. */
  long far(long far) {
    return far;
  }

  /** What a bridge publishes with. */
  Delivery delivery(Delivery delivery, SimKafka kafka, SimConsumer consumer) {
    return delivery;
  }
}
