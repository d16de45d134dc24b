package io.delaybridge.connect.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The outcome of a callback. */
public sealed interface Outcome {

  /** The receiver accepted it: 2xx. */
  record Accepted() implements Outcome {}

  /**
   * The receiver will never accept it: 4xx other than 408 and 429.
   *
   * @param detail for a human
   */
  record Refused(String detail) implements Outcome {}

  /**
   * It was not called, because its address is not allowed.
   *
   * @param detail for a human
   */
  record Forbidden(String detail) implements Outcome {}

  /**
   * It may succeed later.
   *
   * @param detail for a human
   * @param retryAfter how long the receiver asks to wait; null if it does not ask
   */
  record Failed(String detail, @Nullable Duration retryAfter) implements Outcome {}

  /**
   * Returns the outcome for a status.
   *
   * @param retryAfter as in {@link Failed}
   */
  static Outcome ofStatus(int status, @Nullable Duration retryAfter) {
    if (status >= 200 && status < 300) {
      return new Accepted();
    }
    String detail = "the receiver answered " + status;
    return status >= 400 && status < 500 && status != 408 && status != 429
        ? new Refused(detail)
        : new Failed(detail, retryAfter);
  }
}
