package io.delaybridge.shard;

import io.delaybridge.delivery.Delivery;
import io.delaybridge.store.MemoryShardStore;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.ShardStore.Taken;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * The parts of a {@link SimBridge} around the product's own code. This one keeps every promise of
 * the ports; subclasses break one each, to prove that a {@link Judge} notices.
 */
class SimWiring {

  /** Returns the store in which all bridges keep their messages. */
  MemoryShardStore memory() {
    return new MemoryShardStore();
  }

  /** Returns the store as one bridge sees it. */
  ShardStore store(ShardStore store, SimKafka kafka, SimClock clock) {
    return store;
  }

  /** Returns a new member of the group. */
  SimConsumer consumer(SimKafka kafka, String name) {
    return new SimConsumer(kafka, name);
  }

  /** Returns the purposes for which the retention of the intake is long enough. */
  Ledger.Kept kept() {
    return new Ledger.Kept(true, true);
  }

  /** Looks at the store for a watermark, and then asks for the end of the log. */
  void look(WatermarkQuestion question, Taken seen, LongSupplier logEnd) {
    question.look(seen, logEnd.getAsLong());
  }

  /** Returns the answer to a watermark question. */
  OptionalLong answer(WatermarkQuestion question, long committed) {
    return question.answer(committed);
  }

  /** Returns the time after which a watermark assumes everything in the later topic to be due. */
  long far(long far) {
    return far;
  }

  /** Returns the milliseconds that a loop lets what is due wait for others. */
  long tolerance(long tolerance) {
    return tolerance;
  }

  /** Returns the delivery that a bridge publishes with. */
  Delivery delivery(Delivery delivery, SimKafka kafka, SimConsumer consumer) {
    return delivery;
  }
}
