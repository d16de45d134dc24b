package io.delaybridge.shard;

import io.delaybridge.shard.SimDelivery.Fault;
import io.delaybridge.store.SimStore.Call;
import org.jspecify.annotations.Nullable;

/**
 * Interferes between the steps of a turn. Whatever it makes happen there, including turns of other
 * bridges, the bridge in question continues as if it had only been slow. It may throw a {@link
 * Crash}, which ends that bridge.
 */
interface Meddler {

  /** The fate of a call of the store. */
  enum Fate {
    TAKES_EFFECT,
    IS_LOST,
    REPLY_IS_LOST
  }

  /** Ends the process of a bridge. */
  final class Crash extends Error {
    private static final long serialVersionUID = 1;

    Crash() {
      super("simulated", null, false, false);
    }
  }

  /** Runs when something is read and the bridge waits for more. */
  default void whileReading() {}

  /** Runs before a call of the store. */
  default Fate before(Call call) {
    return Fate.TAKES_EFFECT;
  }

  /** Runs after a call of the store has had its effect, if it was to have one. */
  default void after(Call call) {}

  /** Runs before something is published; returns the fault of the call, or null. */
  default @Nullable Fault beforeDelivery() {
    return null;
  }

  /** Runs when everything is sent, including the offsets, before the commit. */
  default void beforeCommit() {}

  /** Runs before the outcome is reported. */
  default void afterDelivery() {}
}
