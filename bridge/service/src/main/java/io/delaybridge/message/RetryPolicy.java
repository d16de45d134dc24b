package io.delaybridge.message;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The pauses after which a failed delivery is tried again: exponential backoff with jitter.
 *
 * @param maxAttempts attempts in all, the first one included; at least 1
 * @param firstBackoff pause after the first failure
 * @param maxBackoff longest pause
 */
public record RetryPolicy(int maxAttempts, Duration firstBackoff, Duration maxBackoff) {

  /** No message is tried more often, whatever it asks for: the intake must outlive its attempts. */
  public static final int MOST_ATTEMPTS = 100;

  private static final double JITTER = 0.2;

  /** Validates the ranges. */
  public RetryPolicy {
    if (maxAttempts < 1 || maxAttempts > MOST_ATTEMPTS) {
      throw new IllegalArgumentException(
          "maxAttempts is " + maxAttempts + ", allowed: 1 to " + MOST_ATTEMPTS);
    }
    if (firstBackoff.toMillis() < 1 || maxBackoff.compareTo(firstBackoff) < 0) {
      throw new IllegalArgumentException(
          "firstBackoff is %s and maxBackoff %s, allowed: 1 ms <= firstBackoff <= maxBackoff"
              .formatted(firstBackoff, maxBackoff));
    }
  }

  /** How many attempts this message is given: its own number, or the configured one. */
  public int attemptsFor(DelayedMessage message) {
    int own = message.content().maxAttempts();
    return own == 0 ? maxAttempts : own;
  }

  /** The longest time from the first to the last attempt of any message. */
  public Duration longestSpan() {
    double millis = 0;
    for (int failed = 1; failed < MOST_ATTEMPTS; failed++) {
      millis += plainBackoff(failed) * (1 + JITTER);
    }
    return Duration.ofMillis((long) millis);
  }

  private double plainBackoff(int failed) {
    int doublings = Math.min(failed - 1, 40);
    return Math.min(
        firstBackoff.toMillis() * Math.pow(2, doublings), (double) maxBackoff.toMillis());
  }

  /**
   * The pause before the next attempt, in milliseconds: doubled with each failure up to the
   * maximum, spread by plus or minus a fifth so that messages that failed together do not come back
   * together.
   *
   * @param failed attempts that have failed so far, at least 1
   */
  public long backoffMillis(int failed, RandomGenerator random) {
    double plain = plainBackoff(failed);
    return Math.max(1, Math.round(plain * (1 - JITTER + 2 * JITTER * random.nextDouble())));
  }
}
