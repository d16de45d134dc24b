package io.delaybridge.store;

import io.delaybridge.message.Ask;
import io.delaybridge.message.Cancellation;
import io.delaybridge.message.DelayedMessage;

/** What ingesting does with one record, in offset order. */
public sealed interface Entry {

  /**
   * Store the message; if it has an id, replace the pending message of that id. A retry copy with
   * an id acts only if the id still stands for its origin, else it is dropped: it was cancelled or
   * replaced since.
   *
   * @param covered the frontier says that it is settled: it has its effect on the id, but is not
   *     stored
   */
  record Schedule(DelayedMessage message, boolean covered) implements Entry {}

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
