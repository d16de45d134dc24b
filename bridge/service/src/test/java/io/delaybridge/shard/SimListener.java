package io.delaybridge.shard;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Counts the notifications of a loop. */
final class SimListener implements LoopListener {

  final List<Long> lateness = new ArrayList<>();

  /** Which messages are beyond a limit of their intake, and become dead letters at once. */
  Predicate<DelayedMessage> beyond = message -> false;

  int delivered;
  int deadLettered;
  int retried;
  int skipped;
  int refed;
  int answered;
  int admitted;
  int home;
  int again;
  int dropped;

  @Override
  public void delivered(ShardId shard, String target, long lateness) {
    delivered++;
    this.lateness.add(lateness);
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
  public void judged(ShardId shard, int home, int again, int dropped) {
    this.home += home;
    this.again += again;
    this.dropped += dropped;
  }

  @Override
  public void answered(ShardId shard, Verdict verdict) {
    answered++;
  }

  @Override
  public boolean admitted(ShardId shard, DelayedMessage message, long timestamp) {
    admitted++;
    return beyond.test(message);
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
