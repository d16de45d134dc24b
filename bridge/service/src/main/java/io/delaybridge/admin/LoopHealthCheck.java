package io.delaybridge.admin;

import com.codahale.metrics.health.HealthCheck;
import io.delaybridge.shard.LoopStatus;
import io.delaybridge.shard.ShardStatus;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Healthy if the loop turns, all its shards are open and nothing waits for long, but for what an
 * operator has paused.
 */
public final class LoopHealthCheck extends HealthCheck {

  /** No turn takes this long unless something hangs. */
  static final Duration LONGEST_TURN = Duration.ofSeconds(30);

  private final Supplier<LoopStatus> loop;
  private final Duration overdueAlarm;
  private final LongSupplier nanos;
  private final InstantSource clock;

  /**
   * @param overdueAlarm how long a due message may wait
   * @param nanos the monotonic clock that the loop goes by
   */
  public LoopHealthCheck(
      Supplier<LoopStatus> loop, Duration overdueAlarm, LongSupplier nanos, InstantSource clock) {
    this.loop = loop;
    this.overdueAlarm = overdueAlarm;
    this.nanos = nanos;
    this.clock = clock;
  }

  @Override
  protected Result check() {
    LoopStatus status = loop.get();
    if (status.state() != LoopStatus.State.RUNNING) {
      return Result.unhealthy(
          "%s%s", status.state(), status.problem() == null ? "" : ": " + status.problem());
    }
    Duration since = Duration.ofNanos(nanos.getAsLong() - status.lastTurn());
    if (since.compareTo(LONGEST_TURN) > 0) {
      return Result.unhealthy("the last turn ended %d s ago", since.toSeconds());
    }
    long pending = 0;
    long paused = 0;
    for (ShardStatus shard : status.shards()) {
      if (shard.problem() != null || shard.state() == ShardStatus.State.CLOSED) {
        return Result.unhealthy(
            "shard %s is %s: %s", shard.shard(), shard.state(), shard.problem());
      }
      long late = clock.millis() - shard.nextDue();
      if (shard.paused()) {
        paused++;
      } else if (shard.pending() > 0 && late > overdueAlarm.toMillis()) {
        return Result.unhealthy(
            "shard %s: the oldest of %d overdue messages waits for %d s",
            shard.shard(), shard.overdue(), late / 1000);
      }
      pending += shard.pending();
    }
    return Result.healthy(
        "%d shards, %d pending%s",
        status.shards().size(),
        pending,
        paused == 0 ? "" : "; delivery of " + paused + " is paused");
  }
}
