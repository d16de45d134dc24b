package io.delaybridge.shard;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Time that only moves when it is told to: a wall clock and, apart from it, a monotonic one. */
final class SimClock implements InstantSource {

  private long wallMillis;
  private long nanos;

  SimClock(long wallMillis) {
    this.wallMillis = wallMillis;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(wallMillis);
  }

  /** For a bridge on this machine. */
  Clocks clocks() {
    return clocks(() -> {});
  }

  /** The same, of one that can be meddled with while it waits. */
  Clocks clocks(Runnable meanwhile) {
    return new Clocks(
        this,
        this::nanos,
        nanos -> {
          advance(Duration.ofNanos(nanos));
          meanwhile.run();
        });
  }

  long nanos() {
    return nanos;
  }

  /** Sets the wall clock, which may jump. */
  void set(long epochMillis) {
    wallMillis = epochMillis;
  }

  /** An interval passes, but the wall clock stands still: for back-offs. */
  void pass(Duration interval) {
    nanos += interval.toNanos();
  }

  /** Both clocks go on. */
  void advance(Duration interval) {
    wallMillis += interval.toMillis();
    pass(interval);
  }
}
