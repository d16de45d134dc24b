package io.delaybridge.delivery;

import io.delaybridge.schemas.Reason;

/** What becomes of a message that is due. */
public sealed interface Decision {

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
   * It can not go anywhere for the time being: the topic that it must go to, the dead-letter topic
   * or the intake, takes nothing. It stays, and what is behind it in its shard waits with it.
   */
  record Hold(String why) implements Decision {}
}
