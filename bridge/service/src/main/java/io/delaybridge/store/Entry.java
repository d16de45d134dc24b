package io.delaybridge.store;

import io.delaybridge.message.Ask;
import io.delaybridge.message.Cancellation;
import io.delaybridge.message.DelayedMessage;
import org.jspecify.annotations.Nullable;

/** What ingesting does with one record, in offset order. */
public sealed interface Entry {

  /**
   * Store the message; if it has an id, replace the pending message of that id. A retry copy with
   * an id acts only if the id still stands for its origin, else it is dropped: it was cancelled or
   * replaced since. The id of a far message stands for what will be in the later topic at once:
   * that the message itself is here for a moment is nobody's business.
   *
   * @param covered the frontier says that it is settled: it has its effect on the id, but is not
   *     stored
   * @param instead what it must replace to do anything, or null if it acts in any case
   */
  record Schedule(DelayedMessage message, boolean covered, @Nullable Instead instead)
      implements Entry {

    /** One that acts in any case. */
    public Schedule(DelayedMessage message, boolean covered) {
      this(message, covered, null);
    }
  }

  /**
   * What a message must replace: something far with its id.
   *
   * @param named intake offset at which that was said
   * @param isTold whether the log has all that could say otherwise: while absence proves nothing,
   *     what is not known was far then. If not, only what was recalled of the message itself counts
   */
  record Instead(long named, boolean isTold) {}

  /**
   * Put the ask in the place of the message that it names, if that is pending under exactly the key
   * that the ask has; else store the ask alone. Its id, if it stood for that message, stands for
   * the ask from then on.
   *
   * @param covered the frontier says that it is settled: the message that it names goes, but
   *     nothing is stored
   */
  record Asked(Ask ask, boolean covered) implements Entry {}

  /**
   * Remove the pending message of that id, if any.
   *
   * @param offset intake offset of the cancel
   */
  record Cancel(Cancellation cancellation, long offset) implements Entry {}
}
