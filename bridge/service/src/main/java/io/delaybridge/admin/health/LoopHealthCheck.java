package io.delaybridge.admin.health;

import com.codahale.metrics.health.HealthCheck;
import io.delaybridge.shard.LoopStatus;
import io.delaybridge.shard.ShardStatus;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Healthy if the loop turns, all its shards are open and nothing waits for long, except for what an
 * operator has paused.
 */
public final class LoopHealthCheck extends HealthCheck {

  private final Supplier<LoopStatus> loop;
  private final Duration overdueAlarm;
  private final InstantSource clock;

  /**
   * @param overdueAlarm how long a due message may wait
   */
  public LoopHealthCheck(Supplier<LoopStatus> loop, Duration overdueAlarm, InstantSource clock) {
    this.loop = loop;
    this.overdueAlarm = overdueAlarm;
    this.clock = clock;
  }

  @Override
  protected Result check() {
    LoopStatus status = loop.get();
    if (status.state() != LoopStatus.State.RUNNING) {
      return Result.unhealthy(
          "%s%s", status.state(), status.problem() == null ? "" : ": " + status.problem());
    }
    long pending = 0;
    Paused paused = Paused.NONE;
    for (ShardStatus shard : status.shards()) {
      if (shard.problem() != null || shard.state() == ShardStatus.State.CLOSED) {
        return Result.unhealthy(
            "shard %s is %s: %s", shard.shard(), shard.state(), shard.problem());
      }
      long late = clock.millis() - shard.nextDue();
      if (shard.paused()) {
        paused = paused.and(shard.overdue(), late);
      } else if (shard.pending() > 0 && late > overdueAlarm.toMillis()) {
        return Result.unhealthy(
            "shard %s: the oldest of %d overdue messages has waited %d s",
            shard.shard(), shard.overdue(), late / 1000);
      }
      pending += shard.pending() + shard.later().copies();
    }
    return Result.healthy("%d shards, %d pending%s", status.shards().size(), pending, paused);
  }

  /** Shards that an operator has paused; the check reports them, but stays healthy. */
  private record Paused(int shards, long overdue, long late) {

    static final Paused NONE = new Paused(0, 0, 0);

    Paused and(long more, long waits) {
      return new Paused(shards + 1, overdue + more, more == 0 ? late : Math.max(late, waits));
    }

    @Override
    public String toString() {
      if (shards == 0) {
        return "";
      }
      return "; delivery of %d shards is paused".formatted(shards)
          + (overdue == 0
              ? ""
              : ": %d overdue, the oldest for %d s".formatted(overdue, late / 1000));
    }
  }
}
