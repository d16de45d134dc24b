package io.delaybridge.store;

import io.delaybridge.message.Ask;
import io.delaybridge.message.Cancellation;
import io.delaybridge.message.DelayedMessage;
import org.jspecify.annotations.Nullable;

/** The effect of one record on the store. Entries are applied in offset order. */
public sealed interface Entry {

  /**
   * Store the message. If it has an id, replace the pending message of that id. A retry copy with
   * an id acts only if the id still stands for its origin. Otherwise it was cancelled or replaced
   * since, and is dropped. The id of a far message stands at once for the copy that will be in the
   * later topic: that the message itself is in the store for a moment concerns nobody.
   *
   * @param covered whether the frontier says that the message is settled: it then has its effect on
   *     the id, but is not stored
   * @param instead what the message must replace to have any effect, or null if it acts in any case
   */
  record Schedule(DelayedMessage message, boolean covered, @Nullable Instead instead)
      implements Entry {

    /** A message that acts in any case. */
    public Schedule(DelayedMessage message, boolean covered) {
      this(message, covered, null);
    }
  }

  /**
   * The far message with the same id that a message must replace.
   *
   * @param named intake offset at which the far message was requested
   * @param isTold whether the log has every record that could say otherwise. While absence from the
   *     index proves nothing, a message that the index does not know then counts as far. If false,
   *     only what was recalled of the replacing message itself counts
   */
  record Instead(long named, boolean isTold) {}

  /**
   * Put the ask in the place of the message that it names, if that message is pending under exactly
   * the key that the ask has. Otherwise store the ask alone. If the id stood for that message, it
   * stands for the ask from then on.
   *
   * @param covered whether the frontier says that the ask is settled: the message that it names is
   *     then removed, but nothing is stored
   */
  record Asked(Ask ask, boolean covered) implements Entry {}

  /**
   * Remove the pending message of that id, if any.
   *
   * @param offset intake offset of the cancel
   */
  record Cancel(Cancellation cancellation, long offset) implements Entry {}
}
