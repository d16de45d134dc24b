package io.delaybridge.shard;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Is told what a loop did, for metrics. Called on the loop's thread, after the fact was committed;
 * must not block. A listener hears only of events that it has a method for.
 */
public interface LoopListener {

  /**
   * The store told how full it is.
   *
   * @param share of its limit in use, from 0 to 1; 0 if it has no limit
   */
  default void memory(double share) {}

  /** Records of the intake were read and stored, or delivered without being stored. */
  default void ingested(ShardId shard, int records) {}

  /**
   * A message of an intake with limits was read that the log has not had before. It is neither read
   * again nor a copy that the bridge wrote, except the next occurrence of a repeating message. It
   * is about to be stored.
   *
   * @param timestamp of its record, epoch milliseconds
   * @return whether it is beyond a limit and becomes a dead letter when it would leave: it is far,
   *     or due at once
   */
  default boolean admitted(ShardId shard, DelayedMessage message, long timestamp) {
    return false;
  }

  /**
   * A message reached its target.
   *
   * @param lateness milliseconds from its due time to the end of its transaction
   */
  default void delivered(ShardId shard, String target, long lateness) {}

  /**
   * A message went to the dead-letter topic.
   *
   * @param target target of the message, null if it named none
   */
  default void deadLettered(ShardId shard, @Nullable String target, Reason reason) {}

  /** A message went back to the intake. */
  default void retried(ShardId shard, Reason reason) {}

  /**
   * Copies in the later topic were judged. Copies that could not be read are dead-lettered, and not
   * counted here.
   *
   * @param home copies that went to the intake, being near by now
   * @param again copies that take another lap
   * @param dropped copies that were cancelled or replaced
   */
  default void judged(ShardId shard, int home, int again, int dropped) {}

  /** An ask was answered. */
  default void answered(ShardId shard, Verdict verdict) {}

  /** The store returned messages that the frontier had already covered. */
  default void skipped(ShardId shard, int messages) {}

  /**
   * A turn ended.
   *
   * @param nanos without the time it waited for records
   */
  default void turned(String loop, long nanos) {}

  /** A loop failed or hung, and begins anew. */
  default void beganAnew(String loop) {}

  /** The shard is rebuilt from Kafka, because Redis had nothing of it. */
  default void refed(ShardId shard) {}
}
