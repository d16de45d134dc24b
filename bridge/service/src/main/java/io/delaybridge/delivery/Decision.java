package io.delaybridge.delivery;

import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.Reason;
import org.jspecify.annotations.Nullable;

/** The decision about a message that is due, or about one whose place an ask has taken. */
public sealed interface Decision {

  /** Whether a copy goes to the intake, and lives on there under the id of the message. */
  default boolean goesBack() {
    return this instanceof Retry || this instanceof Move || this instanceof Home;
  }

  /**
   * The message goes to its target.
   *
   * @param partition of the target, or null if it follows from the key
   */
  record Deliver(String target, @Nullable Integer partition) implements Decision {

    /** To the partition that follows from the key. */
    public Deliver(String target) {
      this(target, null);
    }
  }

  /**
   * The message goes to the dead-letter topic.
   *
   * @param detail one sentence for the operator
   * @param whole false if the dead-letter topic refused the record itself: the dead letter then has
   *     no key, no value and no foreign headers; the intake still has them
   */
  record Dead(Reason reason, String detail, boolean whole) implements Decision {}

  /**
   * The message goes back to the intake for a later attempt.
   *
   * @param reason why this attempt failed
   * @param due epoch milliseconds of the next attempt
   */
  record Retry(Reason reason, String detail, long due) implements Decision {}

  /**
   * The message goes back to the intake with another due time, as its ask demands.
   *
   * @param due epoch milliseconds
   * @param isPause for a message that repeats, whether this occurrence is then left out
   */
  record Move(long due, boolean isPause) implements Decision {}

  /**
   * The message goes to the later topic and is looked at again a lap later.
   *
   * @param due epoch milliseconds
   */
  record Later(long due) implements Decision {}

  /**
   * The message goes to the intake and waits there until it is due, because it is near or has
   * become near.
   *
   * @param due epoch milliseconds
   */
  record Home(long due) implements Decision {}

  /**
   * An occurrence of a repeating message goes back to the intake as a message of its own, with the
   * same due time, because it does not reach its target at once. Its successor goes with it. What
   * happens to the occurrence is decided when it is read.
   */
  record Apart() implements Decision {}

  /** Only the successor of a repeating message goes out. */
  record Pass() implements Decision {}

  /** Nothing goes out; the ask in the place of the message is only answered. */
  record Answer(Verdict verdict) implements Decision {}

  /**
   * The message cannot go anywhere for now, because the topic that it must go to, the dead-letter
   * topic, the intake or its later topic, accepts no records. The message stays, and those behind
   * it in its shard wait with it.
   */
  record Hold(String why) implements Decision {}
}
