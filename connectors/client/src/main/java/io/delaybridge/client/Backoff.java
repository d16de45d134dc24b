package io.delaybridge.client;

import java.time.Duration;

/**
 * How often a consumer tries, and how long it waits in between. The pause doubles with each failure
 * up to the longest, plus or minus a random fifth, so that records that failed together do not come
 * back together.
 *
 * @param maxAttempts attempts in all, including the first: 1 to 100
 * @param first pause after the first failure, at least 1 ms
 * @param longest longest pause, at most 365 days; with a fifth added, it must not exceed what the
 *     bridge accepts ({@code intake.longestDelay}, 365 days by default)
 */
public record Backoff(int maxAttempts, Duration first, Duration longest) {

  // Stands before the default, which is checked against it.
  private static final Duration LIMIT = Duration.ofDays(365);
  private static final double JITTER = 0.2;

  /** 8 attempts with pauses of 5 s, 10 s and so on to 320 s: about ten minutes in all. */
  public static final Backoff DEFAULT =
      new Backoff(8, Duration.ofSeconds(5), Duration.ofMinutes(10));

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  public Backoff {
    if (maxAttempts < 1 || maxAttempts > Wire.MOST_ATTEMPTS) {
      throw Wire.refused("maxAttempts", maxAttempts, "1 to " + Wire.MOST_ATTEMPTS);
    }
    if (first.compareTo(Duration.ofMillis(1)) < 0
        || longest.compareTo(first) < 0
        || longest.compareTo(LIMIT) > 0) {
      throw Wire.refused(
          "backoff", first + " to " + longest, "PT0.001S <= first <= longest <= " + LIMIT);
    }
  }

  /**
   * Returns the pause after this many failures, in whole milliseconds.
   *
   * @param failed number of failed attempts, at least 1
   * @param random from 0 (a fifth less) to 1 (a fifth more)
   */
  Duration after(int failed, double random) {
    double doubled = (double) first.toMillis() * Math.pow(2, failed - 1);
    double plain = Math.min(doubled, (double) longest.toMillis());
    return Duration.ofMillis(Math.max(1, Math.round(plain * (1 - JITTER + 2 * JITTER * random))));
  }
}
