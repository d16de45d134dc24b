package io.delaybridge.stack;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waiting for what gives no notice: a server that comes up. */
final class Await {

  private static final long PAUSE_MS = 25;

  private Await() {}

  /**
   * Asks again and again until the answer is yes.
   *
   * @return whether it became yes within the limit
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
