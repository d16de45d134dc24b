package io.delaybridge.shard;

import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.Reason;

/**
 * Is told what a loop did, for metrics. Called on the loop's thread, after the fact was committed;
 * must not block.
 */
public interface LoopListener {

  /** Records of the intake were stored. */
  void ingested(ShardId shard, int records);

  /**
   * A message reached its target.
   *
   * @param lateness milliseconds from its due time to the end of its transaction
   */
  void delivered(ShardId shard, String target, long lateness);

  /** A message went to the dead-letter topic. */
  void deadLettered(ShardId shard, Reason reason);

  /** A message went back to the intake. */
  void retried(ShardId shard, Reason reason);

  /** The frontier had already covered what the store returned. */
  void skipped(ShardId shard, int messages);

  /**
   * A turn ended.
   *
   * @param nanos without the time it waited for records
   */
  void turned(String loop, long nanos);

  /** The shard is rebuilt from Kafka, because Redis had nothing of it. */
  void refed(ShardId shard);
}
