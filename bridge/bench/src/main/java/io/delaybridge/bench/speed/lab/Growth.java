package io.delaybridge.bench.speed.lab;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The growth of a number, as observed by polling.
 *
 * @param begin the value at the first query
 * @param first the value when growth was first observed
 * @param last the final value
 * @param firstMs the time of {@code first}, in milliseconds of any clock; 0 if the number did not
 *     grow
 * @param lastMs the time of {@code last}
 */
record Growth(long begin, long first, long last, double firstMs, double lastMs) {

  /**
   * Waits until the number reaches a value.
   *
   * @param everyMs the pause between two queries
   * @param what the kind of number, as in "stored"
   * @throws IllegalStateException if the number does not reach the value within the limit
   */
  static Growth await(LongSupplier number, long until, long everyMs, Duration limit, String what) {
    long begin = number.getAsLong();
    long deadline = System.nanoTime() + limit.toNanos();
    double firstMs = 0;
    long first = begin;
    while (true) {
      long now = number.getAsLong();
      double ms = System.nanoTime() / 1e6;
      if (first == begin && now > begin) {
        first = now;
        firstMs = ms;
      }
      if (now >= until) {
        return new Growth(begin, first, now, firstMs, ms);
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("only %d of %d are %s".formatted(now, until, what));
      }
      Lab.pause(everyMs);
    }
  }
}
