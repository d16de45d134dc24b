package io.delaybridge.bench.faults;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waiting for servers and bridges, which give no notice. */
final class Wait {

  private static final long PAUSE_MS = 20;

  private Wait() {}

  /**
   * Asks until the answer is yes.
   *
   * @throws FaultsException if it is not within the limit
   */
  static void until(String what, Duration limit, BooleanSupplier answer) {
    if (!upTo(limit, answer)) {
      throw new FaultsException("waited %d s in vain for %s".formatted(limit.toSeconds(), what));
    }
  }

  /** Asks until the answer is yes; returns whether it was within the limit. */
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

  /** Lets time pass, where chance says how much. */
  static void millis(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      throw FaultsException.interrupted("the time to pass", e);
    }
  }
}
