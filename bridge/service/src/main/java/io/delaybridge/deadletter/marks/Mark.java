package io.delaybridge.deadletter.marks;

import io.delaybridge.deadletter.letters.DeadLetter;
import io.delaybridge.message.Source;
import org.jspecify.annotations.Nullable;

/**
 * The mark of a dead letter that was replayed or handled.
 *
 * @param state what was done
 * @param at when, epoch milliseconds
 * @param by the name of who asked for it
 * @param operation the request or job that did it; distinguishes it from another that came first
 * @param position where on the dead-letter topic the letter is
 * @param replayedAs the intake record that a replay wrote, or null
 * @param replays how often it was replayed, this time included
 */
public record Mark(
    State state,
    long at,
    String by,
    String operation,
    Source position,
    @Nullable Source replayedAs,
    int replays) {

  /**
   * Whether it was made for this letter, or for a twin that was there then: without transactions, a
   * letter may be written twice. A later letter with the same source is of an intake that was
   * created anew, and nothing was done about it.
   */
  public boolean isOf(DeadLetter letter) {
    return position.equals(letter.position()) || at >= letter.at();
  }

  /** The same mark with names that are in memory once: a job writes the same few on every mark. */
  public Mark shared() {
    return new Mark(
        state,
        at,
        by.intern(),
        operation.intern(),
        position.shared(),
        replayedAs == null ? null : replayedAs.shared(),
        replays);
  }

  /** How a dead letter is seen from outside. */
  public enum State {
    /** Nothing was done about it. */
    NEW,
    /** It went back to the intake. */
    REPLAYED,
    /** Somebody has said that nothing needs to be done about it. */
    HANDLED
  }
}
