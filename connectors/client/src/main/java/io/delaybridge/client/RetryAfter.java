package io.delaybridge.client;

import java.time.Duration;

/**
 * For an exception that knows when another attempt makes sense: a server said {@code Retry-After},
 * a limit is lifted at a certain time. {@link RetryLater} takes its pause instead of the next one
 * of the {@link Backoff}, from the failure itself or from the first of its causes that has one.
 */
public interface RetryAfter {

  /**
   * The pause before the next attempt. One that is longer than the longest of the {@link Backoff}
   * is cut to that; a negative one counts as none.
   */
  Duration retryAfter();
}
