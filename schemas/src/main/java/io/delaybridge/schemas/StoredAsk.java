package io.delaybridge.schemas;

import org.jspecify.annotations.Nullable;

/**
 * An ask: a record of the intake for one pending message, or for the shard as a whole, that gets an
 * answer. See ADR 12.
 *
 * @param verb the operation
 * @param offset intake offset of the pending message that it names, 0 if the verb needs none
 * @param due due time of that message in epoch milliseconds, which together with the offset is its
 *     key; 0 if the verb needs none
 * @param moveTo new due time in epoch milliseconds, only for {@link Verb#MOVE} and {@link
 *     Verb#SKIP}, otherwise 0
 * @param inVain there was no such message when the ask was read
 */
public record StoredAsk(Verb verb, long offset, long due, long moveTo, boolean inVain) {

  /** Creates an ask whose message may or may not exist. */
  public StoredAsk(Verb verb, long offset, long due, long moveTo) {
    this(verb, offset, due, moveTo, false);
  }

  /** Returns this ask for the case that there was no such message. */
  public StoredAsk foundNothing() {
    return new StoredAsk(verb, offset, due, moveTo, true);
  }

  /** The operations. The number of each is stored and never changes. */
  public enum Verb {
    /** Cancel the message. */
    CANCEL(1),
    /** Give it another due time. */
    MOVE(2),
    /** Give it another due time, and leave out its occurrences until then. */
    SKIP(6),
    /** Make it a dead letter: its intake is over a limit. */
    REJECT(5),
    /** Deliver nothing of this shard until further notice. */
    PAUSE(3),
    /** Deliver again. */
    RESUME(4);

    private final int number;

    Verb(int number) {
      this.number = number;
    }

    /** Returns its number in stored messages. */
    public int number() {
      return number;
    }

    /** Returns true if it is about one message rather than the shard. */
    public boolean namesMessage() {
      return this != PAUSE && this != RESUME;
    }

    static @Nullable Verb ofNumber(int number) {
      for (Verb verb : values()) {
        if (verb.number == number) {
          return verb;
        }
      }
      return null;
    }
  }

  /**
   * @throws IllegalArgumentException if a number is negative
   */
  public StoredAsk {
    if (offset < 0 || due < 0 || moveTo < 0) {
      throw new IllegalArgumentException(
          "an ask has no negative numbers: offset %d, due %d, moveTo %d"
              .formatted(offset, due, moveTo));
    }
  }
}
