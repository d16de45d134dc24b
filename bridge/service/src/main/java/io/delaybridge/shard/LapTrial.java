package io.delaybridge.shard;

import io.delaybridge.delivery.Packing;
import io.delaybridge.delivery.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * Says how copies go out after Kafka has refused a lap: one by one, until all of them are judged.
 *
 * @param until offset in the later topic up to which they go out one by one
 * @param packing how the first one goes out
 * @param refusal what Kafka said to the first one when it went out alone, or null
 */
record LapTrial(long until, Packing packing, @Nullable Refusal refusal) {

  LapTrial(long until) {
    this(until, Packing.PLAIN, null);
  }

  /** The same trial, with nothing known of the first copy. */
  LapTrial anew() {
    return new LapTrial(until);
  }

  /** Whether the failure cannot come from how the copy is packed. */
  boolean isSmall(Exception cause) {
    return packing == Packing.COMPRESSED || !Refusal.isTooLarge(cause);
  }

  /** The trial after the first copy was refused when it went out alone. */
  LapTrial after(Exception cause, @Nullable Refusal evidence) {
    return isSmall(cause)
        ? new LapTrial(until, packing, evidence)
        : new LapTrial(until, Packing.COMPRESSED, refusal);
  }
}
