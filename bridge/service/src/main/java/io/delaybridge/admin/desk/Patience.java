package io.delaybridge.admin.desk;

import io.delaybridge.admin.Problem;
import io.delaybridge.shard.Clocks;
import jakarta.ws.rs.core.Response.Status;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How long a caller waits for an answer. */
final class Patience {

  private static final long LOOK_AGAIN_MILLIS = 5;
  private static final long LONGEST_PAUSE_MILLIS = 100;

  private final Clocks clocks;
  private final Duration longest;

  Patience(Clocks clocks, Duration longest) {
    this.clocks = clocks;
    this.longest = longest;
  }

  /** The deadline of a wait that begins now. */
  long deadline() {
    return nanoTime() + longest.toNanos();
  }

  /** Milliseconds. */
  long longest() {
    return longest.toMillis();
  }

  private long nanoTime() {
    return clocks.nanos().getAsLong();
  }

  /**
   * Waits a moment.
   *
   * @param what could not be told so far
   * @throws Problem 504 once the deadline is over
   */
  void await(long deadline, String what) {
    if (!await(deadline)) {
      throw Problem.of(
          Status.GATEWAY_TIMEOUT,
          "UNKNOWN",
          "%s within %d s; ask again".formatted(what, longest.toSeconds()));
    }
  }

  /** Waits a moment; returns false at once if the deadline is over. */
  boolean await(long deadline) {
    if (nanoTime() - deadline >= 0) {
      return false;
    }
    // Often at first, when an answer is likely; then less, for a shard that is stopped.
    long waited = longest.toMillis() - (deadline - nanoTime()) / 1_000_000;
    try {
      TimeUnit.MILLISECONDS.sleep(
          Math.min(LONGEST_PAUSE_MILLIS, Math.max(LOOK_AGAIN_MILLIS, waited / 4)));
    } catch (InterruptedException e) {
      throw Desk.interrupted();
    }
    return true;
  }
}
