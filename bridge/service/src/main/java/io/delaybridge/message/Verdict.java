package io.delaybridge.message;

/** The answer to an {@link Ask}. */
public enum Verdict {
  /** The message is not pending any more and will not be delivered. */
  CANCELLED,
  /** The message has the new due time. */
  MOVED,
  /**
   * The message was not pending any more: delivered, on its way to another attempt, cancelled or
   * replaced.
   */
  TOO_LATE,
  /** The message is a dead letter. */
  REJECTED,
  /** The shard delivers nothing from now on. */
  PAUSED,
  /** The shard delivers. */
  RESUMED
}
