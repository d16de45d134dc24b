package io.delaybridge.shard;

import io.delaybridge.delivery.Packing;
import io.delaybridge.delivery.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * Kafka has refused a lap: its copies go out one by one, until all of them are judged.
 *
 * @param until offset in the later topic up to which they do
 * @param packing how the first one goes out
 * @param refusal what Kafka said to the first one when it went out alone, or null
 */
record LapTrial(long until, Packing packing, @Nullable Refusal refusal) {

  LapTrial(long until) {
    this(until, Packing.PLAIN, null);
  }

  /** Nothing is known of the first one. */
  LapTrial anew() {
    return new LapTrial(until);
  }

  /** Whether that can be no matter of how it is packed. */
  boolean isSmall(Exception cause) {
    return packing == Packing.COMPRESSED || !Refusal.isTooLarge(cause);
  }

  /** The first one was refused when it went out alone. */
  LapTrial after(Exception cause, @Nullable Refusal evidence) {
    return isSmall(cause)
        ? new LapTrial(until, packing, evidence)
        : new LapTrial(until, Packing.COMPRESSED, refusal);
  }
}
