package io.delaybridge.connect.callback;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The pause after a failure. It doubles with each failure up to the longest, plus or minus a fifth,
 * so that records that failed together do not come back together. It is never shorter than the
 * receiver asks for, up to a limit; up to a fifth is added to that for the same reason.
 *
 * @param first pause after the first failure
 * @param longest longest pause, unless the receiver asks for more
 * @param longestAsked longest pause, whatever the receiver asks for
 */
record Backoff(Duration first, Duration longest, Duration longestAsked) {

  private static final double JITTER = 0.2;
  private static final int MOST_DOUBLINGS = 40;

  /**
   * Returns the pause in milliseconds.
   *
   * @param failed failures so far, at least 1
   * @param asked the pause that the receiver asks for; null if it asks for none
   */
  long millis(int failed, @Nullable Duration asked, RandomGenerator random) {
    double doubled = first.toMillis() * Math.pow(2, Math.min(failed - 1, MOST_DOUBLINGS));
    double plain = Math.min(doubled, (double) longest.toMillis());
    double where = random.nextDouble();
    long own = Math.max(1, Math.round(plain * (1 - JITTER + 2 * JITTER * where)));
    if (asked == null) {
      return own;
    }
    Duration capped = asked.compareTo(longestAsked) > 0 ? longestAsked : asked;
    return Math.max(own, capped.toMillis() + Math.round(plain * JITTER * where));
  }
}
