package io.delaybridge.shard;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether a shard works, and if not, why, and when to try again.
 *
 * <pre>
 *   CLOSED --acquire--> OPEN &lt;--memory, checkpoint size--> PAUSED
 *     ^                   |
 *     +--- store fails, falls silent, outcome unknown
 *   any --damage that only an operator can judge--> STOPPED --later--> CLOSED
 * </pre>
 *
 * <p>An open shard may be <em>held</em>: it is read, but nothing is taken from it for a while.
 */
final class Phase {

  private static final Duration FIRST_BACKOFF = Duration.ofMillis(50);
  private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(2);
  private static final Duration FIRST_HOLD = Duration.ofSeconds(1);
  private static final Duration LONGEST_HOLD = Duration.ofSeconds(30);
  private static final Duration STOPPED_BACKOFF = Duration.ofSeconds(10);

  private ShardStatus.State state = ShardStatus.State.CLOSED;
  private @Nullable String problem = "not read yet";
  private @Nullable String full;
  private long backoff;
  private long retryAt;
  private long holdBackoff;
  private long heldUntil;
  private boolean damaged;
  private @Nullable String truncated;

  ShardStatus.State state() {
    return state;
  }

  boolean isOpen() {
    return state.isOpen();
  }

  /** Whether it is open and its intake is read. */
  boolean isRead() {
    return state == ShardStatus.State.OPEN;
  }

  /** Why it does not work, or why its intake should pause; null if all is well. */
  @Nullable String problem() {
    return problem == null ? full : problem;
  }

  /** Why its intake should pause, although it may not be able to; null if it should not. */
  @Nullable String full() {
    return full;
  }

  void open() {
    state = ShardStatus.State.OPEN;
    problem = null;
    full = null;
    holdBackoff = 0;
  }

  /**
   * It is opened again soon, later each time.
   *
   * @return whether nobody knew yet
   */
  boolean close(String why, long nanoTime) {
    boolean isNew = state != ShardStatus.State.CLOSED || !why.equals(problem);
    state = ShardStatus.State.CLOSED;
    problem = why;
    backoff = longer(backoff, FIRST_BACKOFF, LONGEST_BACKOFF);
    retryAt = nanoTime + backoff;
    return isNew;
  }

  /**
   * Only an operator can judge it. It is tried again from time to time, in case it was mended.
   *
   * @return whether nobody knew yet
   */
  boolean stop(String why, long nanoTime) {
    boolean isNew = !why.equals(problem);
    state = ShardStatus.State.STOPPED;
    problem = why;
    retryAt = nanoTime + STOPPED_BACKOFF.toNanos();
    return isNew;
  }

  /** Notes that the store and Kafka work for this shard. */
  void worked() {
    backoff = 0;
  }

  boolean isDueForAcquire(long nanoTime) {
    return !isOpen() && overdueForAcquire(nanoTime) >= 0;
  }

  /** Nanoseconds since it may be acquired again; negative if it may not yet. */
  long overdueForAcquire(long nanoTime) {
    return nanoTime - retryAt;
  }

  /** Nanoseconds until it may be acquired again. */
  long untilAcquire(long nanoTime) {
    return Math.max(0, -overdueForAcquire(nanoTime));
  }

  /**
   * The intake of an open shard should pause, or should not.
   *
   * @param why null if it should not
   * @param can whether it may pause, if it should
   */
  void intake(@Nullable String why, boolean can) {
    assert isOpen() : "only an open shard reads its intake";
    full = why;
    state = why != null && can ? ShardStatus.State.PAUSED : ShardStatus.State.OPEN;
  }

  /** Nothing is taken for a while, longer each time. */
  void hold(String why, long nanoTime) {
    problem = why;
    holdBackoff = longer(holdBackoff, FIRST_HOLD, LONGEST_HOLD);
    heldUntil = nanoTime + holdBackoff;
  }

  void released() {
    if (holdBackoff > 0) {
      holdBackoff = 0;
      problem = null;
    }
  }

  boolean isHeld(long nanoTime) {
    return holdBackoff > 0 && nanoTime - heldUntil < 0;
  }

  /** Nanoseconds until it is no longer held. */
  long untilReleased(long nanoTime) {
    return heldUntil - nanoTime;
  }

  /** Its keys contradict each other: they must be dropped before it is opened again. */
  void damaged() {
    damaged = true;
  }

  /** Its keys are dropped. */
  void dropped() {
    damaged = false;
  }

  boolean isDamaged() {
    return damaged;
  }

  /** The intake differs from what was read of it. Only a restart makes that undone. */
  void truncated(String how) {
    truncated = how;
  }

  /** How the intake differs from what was read of it, or null. */
  @Nullable String truncated() {
    return truncated;
  }

  private static long longer(long last, Duration first, Duration longest) {
    return Math.min(Math.max(2 * last, first.toNanos()), longest.toNanos());
  }
}
