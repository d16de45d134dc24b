package io.delaybridge.client;

import java.time.Duration;

/**
 * How often a consumer tries, and how long it waits in between: the pause doubles with each failure
 * up to the longest, give or take a fifth at random, so that what failed together does not come
 * back together.
 *
 * @param maxAttempts attempts in all, the first one included: 1 to 100
 * @param first pause after the first failure, at least 1 ms
 * @param longest longest pause, at most 365 days; must not be longer than what the bridge takes
 *     ({@code intake.longestDelay}, 365 days by default), a fifth included
 */
public record Backoff(int maxAttempts, Duration first, Duration longest) {

  // Before the default, which is checked against it.
  private static final Duration LIMIT = Duration.ofDays(365);
  private static final double JITTER = 0.2;

  /** 8 attempts with pauses of 5 s, 10 s and so on to 320 s: about ten minutes in all. */
  public static final Backoff DEFAULT =
      new Backoff(8, Duration.ofSeconds(5), Duration.ofMinutes(10));

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if one is exceeded
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
   * The pause after so many failures, in whole milliseconds.
   *
   * @param failed attempts that have failed, at least 1
   * @param random from 0 to 1: where between a fifth less and a fifth more
   */
  Duration after(int failed, double random) {
    double doubled = (double) first.toMillis() * Math.pow(2, failed - 1);
    double plain = Math.min(doubled, (double) longest.toMillis());
    return Duration.ofMillis(Math.max(1, Math.round(plain * (1 - JITTER + 2 * JITTER * random))));
  }
}
