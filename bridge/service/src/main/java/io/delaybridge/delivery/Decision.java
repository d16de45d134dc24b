package io.delaybridge.delivery;

import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.Reason;

/** What becomes of a message that is due, or of the one in whose place there is an ask. */
public sealed interface Decision {

  /** Whether it is a copy that goes to the intake, and lives on there under the id that it has. */
  default boolean goesBack() {
    return this instanceof Retry || this instanceof Move || this instanceof Home;
  }

  /** It goes to its target. */
  record Deliver(String target) implements Decision {}

  /**
   * It goes to the dead-letter topic.
   *
   * @param detail one sentence for the operator
   * @param whole false if the dead-letter topic refused the record itself: then without key, value
   *     and foreign headers, the intake still has them
   */
  record Dead(Reason reason, String detail, boolean whole) implements Decision {}

  /**
   * It goes back to the intake for a later attempt.
   *
   * @param reason why this attempt failed
   * @param due epoch milliseconds of the next attempt
   */
  record Retry(Reason reason, String detail, long due) implements Decision {}

  /**
   * It goes back to the intake with another due time, as its ask wants it.
   *
   * @param due epoch milliseconds
   * @param isPause whether, of a message that repeats, this occurrence is left out then
   */
  record Move(long due, boolean isPause) implements Decision {}

  /**
   * It goes to the later topic, to be looked at again a lap later.
   *
   * @param due epoch milliseconds
   */
  record Later(long due) implements Decision {}

  /**
   * It goes to the intake, where it waits until it is due: it is, or has become, near.
   *
   * @param due epoch milliseconds
   */
  record Home(long due) implements Decision {}

  /**
   * An occurrence of a repeating message goes back to the intake as a message of its own, due as it
   * was, since it does not reach its target at once; and its successor with it. What becomes of it
   * is decided when it is read.
   */
  record Apart() implements Decision {}

  /** Of a repeating message, only the successor goes out. */
  record Pass() implements Decision {}

  /** Nothing goes out: the ask in its place is only answered. */
  record Answer(Verdict verdict) implements Decision {}

  /**
   * It cannot go anywhere for the time being: the topic that it must go to, the dead-letter topic
   * or the intake, takes nothing. It stays, and what is behind it in its shard waits with it.
   */
  record Hold(String why) implements Decision {}
}
