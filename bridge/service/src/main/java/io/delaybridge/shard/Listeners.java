package io.delaybridge.shard;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.Reason;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Passes each call on to several listeners. */
public final class Listeners implements LoopListener {

  private final List<LoopListener> all;

  /** In the order in which they are told. */
  public Listeners(LoopListener... all) {
    this.all = new CopyOnWriteArrayList<>(all);
  }

  /** Adds a listener, before the loops start. */
  public void add(LoopListener one) {
    all.add(one);
  }

  private void tell(Consumer<LoopListener> what) {
    all.forEach(what);
  }

  @Override
  public void memory(double share) {
    tell(each -> each.memory(share));
  }

  @Override
  public void ingested(ShardId shard, int records) {
    tell(each -> each.ingested(shard, records));
  }

  @Override
  public boolean admitted(ShardId shard, DelayedMessage message, long timestamp) {
    boolean refused = false;
    for (LoopListener each : all) {
      refused |= each.admitted(shard, message, timestamp);
    }
    return refused;
  }

  @Override
  public void delivered(ShardId shard, String target, long lateness) {
    tell(each -> each.delivered(shard, target, lateness));
  }

  @Override
  public void deadLettered(ShardId shard, @Nullable String target, Reason reason) {
    tell(each -> each.deadLettered(shard, target, reason));
  }

  @Override
  public void retried(ShardId shard, Reason reason) {
    tell(each -> each.retried(shard, reason));
  }

  @Override
  public void judged(ShardId shard, int home, int again, int dropped) {
    tell(each -> each.judged(shard, home, again, dropped));
  }

  @Override
  public void answered(ShardId shard, Verdict verdict) {
    tell(each -> each.answered(shard, verdict));
  }

  @Override
  public void skipped(ShardId shard, int messages) {
    tell(each -> each.skipped(shard, messages));
  }

  @Override
  public void turned(String loop, long nanos) {
    tell(each -> each.turned(loop, nanos));
  }

  @Override
  public void beganAnew(String loop) {
    tell(each -> each.beganAnew(loop));
  }

  @Override
  public void refed(ShardId shard) {
    tell(each -> each.refed(shard));
  }
}
