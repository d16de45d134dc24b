package io.delaybridge.shard;

import io.delaybridge.message.ShardId;
import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.Reason;
import org.jspecify.annotations.Nullable;

/** Counts what it is told. */
final class SimListener implements LoopListener {

  int delivered;
  int deadLettered;
  int retried;
  int skipped;
  int refed;
  int answered;

  @Override
  public void delivered(ShardId shard, String target, long lateness) {
    delivered++;
  }

  @Override
  public void deadLettered(ShardId shard, @Nullable String target, Reason reason) {
    deadLettered++;
  }

  @Override
  public void retried(ShardId shard, Reason reason) {
    retried++;
  }

  @Override
  public void answered(ShardId shard, Verdict verdict) {
    answered++;
  }

  @Override
  public void skipped(ShardId shard, int messages) {
    skipped += messages;
  }

  @Override
  public void refed(ShardId shard) {
    refed++;
  }
}
