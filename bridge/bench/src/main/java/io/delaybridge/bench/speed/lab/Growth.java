package io.delaybridge.bench.speed.lab;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How a number grew, as somebody saw it who asked again and again.
 *
 * @param begin what it was when it was asked first
 * @param first what it was when it was seen to have grown
 * @param last what it was in the end
 * @param firstMs when it was first, in milliseconds of any clock; 0 if it did not grow
 * @param lastMs when it was last
 */
record Growth(long begin, long first, long last, double firstMs, double lastMs) {

  /**
   * Waits until it is so much.
   *
   * @param everyMs how long to wait before it is asked again
   * @param what it counts, as in "stored"
   * @throws IllegalStateException if it does not become so much within the limit
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
