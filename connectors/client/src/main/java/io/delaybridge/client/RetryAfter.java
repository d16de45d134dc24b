package io.delaybridge.client;

import java.time.Duration;

/**
 * An exception that knows when another attempt makes sense: a server said {@code Retry-After}, or a
 * limit is lifted at a certain time. {@link RetryLater} uses its pause instead of the next one of
 * the {@link Backoff}. It takes the failure itself, or the first of its causes that has a pause.
 */
public interface RetryAfter {

  /**
   * Returns the pause before the next attempt. A pause longer than the longest of the {@link
   * Backoff} is cut to that; a negative one counts as none.
   */
  Duration retryAfter();
}
