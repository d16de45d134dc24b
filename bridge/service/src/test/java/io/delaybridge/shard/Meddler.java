package io.delaybridge.shard;

import io.delaybridge.shard.SimDelivery.Fault;
import io.delaybridge.store.SimStore.Call;
import org.jspecify.annotations.Nullable;

/**
 * Comes between the steps of a turn: whatever else it makes happen there, other bridges' turns
 * included, the bridge in question goes on afterwards as if it had only been slow. It may throw a
 * {@link Crash}: then that bridge goes on no more.
 */
interface Meddler {

  /** What becomes of a call of the store. */
  enum Fate {
    TAKES_EFFECT,
    IS_LOST,
    REPLY_IS_LOST
  }

  /** The process of a bridge ends here. */
  final class Crash extends Error {
    private static final long serialVersionUID = 1;

    Crash() {
      super("simulated", null, false, false);
    }
  }

  /** Something is read, and it waits for more. */
  default void whileReading() {}

  /** Before a call of the store. */
  default Fate before(Call call) {
    return Fate.TAKES_EFFECT;
  }

  /** The call of the store has had its effect, if it was to have one. */
  default void after(Call call) {}

  /** Before something is published; what is to go wrong, or null. */
  default @Nullable Fault beforeDelivery() {
    return null;
  }

  /** Everything is sent, the offsets as well; the commit is next. */
  default void beforeCommit() {}

  /** The outcome is about to be told. */
  default void afterDelivery() {}
}
