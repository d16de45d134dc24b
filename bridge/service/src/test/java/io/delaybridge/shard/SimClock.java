package io.delaybridge.shard;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Time that only moves on request: a wall clock and, separate from it, a monotonic one. */
final class SimClock implements InstantSource {

  private long wallMillis;
  private long nanos;

  /** Whether a bridge is told that this clock is ahead of all others. */
  boolean ahead;

  SimClock(long wallMillis) {
    this.wallMillis = wallMillis;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(wallMillis);
  }

  /** Returns the clocks for a bridge on this machine. */
  Clocks clocks() {
    return clocks(() -> {});
  }

  /** Returns the same clocks for a bridge that can be meddled with while it waits. */
  Clocks clocks(Runnable meanwhile) {
    return new Clocks(
        this,
        this::nanos,
        nanos -> {
          advance(Duration.ofNanos(nanos));
          meanwhile.run();
        },
        () -> ahead);
  }

  long nanos() {
    return nanos;
  }

  /** Sets the wall clock, which may jump. */
  void set(long epochMillis) {
    wallMillis = epochMillis;
  }

  /** Moves the monotonic clock only, for back-offs. */
  void pass(Duration interval) {
    nanos += interval.toNanos();
  }

  /** Moves both clocks. */
  void advance(Duration interval) {
    wallMillis += interval.toMillis();
    pass(interval);
  }
}
