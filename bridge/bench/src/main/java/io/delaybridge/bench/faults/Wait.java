package io.delaybridge.bench.faults;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Polling for servers and bridges, which send no notification. */
final class Wait {

  private static final long PAUSE_MS = 20;

  private Wait() {}

  /**
   * Polls until the answer is true.
   *
   * @throws FaultsException if that takes longer than the limit
   */
  static void until(String what, Duration limit, BooleanSupplier answer) {
    if (!upTo(limit, answer)) {
      throw new FaultsException("waited %d s in vain for %s".formatted(limit.toSeconds(), what));
    }
  }

  /** Polls until the answer is true; returns whether that happened within the limit. */
  static boolean upTo(Duration limit, BooleanSupplier answer) {
    long start = System.nanoTime();
    while (!answer.getAsBoolean()) {
      if (System.nanoTime() - start > limit.toNanos()) {
        return false;
      }
      millis(PAUSE_MS);
    }
    return true;
  }

  /** Sleeps for this long. */
  static void millis(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      throw FaultsException.interrupted("the time to pass", e);
    }
  }
}
