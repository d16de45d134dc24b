package io.delaybridge.stack;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Polling for conditions that send no notification, such as a server that has come up. */
final class Await {

  private static final long PAUSE_MS = 25;

  private Await() {}

  /**
   * Polls until the answer is true.
   *
   * @return whether it became true within the limit
   * @throws StackException if the thread is interrupted; the interrupt is kept
   */
  static boolean until(String what, Duration limit, BooleanSupplier answer) {
    long start = System.nanoTime();
    while (!answer.getAsBoolean()) {
      if (System.nanoTime() - start > limit.toNanos()) {
        return false;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      } catch (InterruptedException e) {
        throw StackException.interrupted(what, e);
      }
    }
    return true;
  }
}
