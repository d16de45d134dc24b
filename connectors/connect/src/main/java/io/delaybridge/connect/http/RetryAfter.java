package io.delaybridge.connect.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** The header {@code Retry-After} (RFC 9110 section 10.2.3): seconds, or a date. */
final class RetryAfter {

  /** Long enough to be capped by any configuration, short enough to calculate with. */
  private static final Duration VERY_LONG = Duration.ofDays(3_650);

  private RetryAfter() {}

  /**
   * How long it asks to wait from now on.
   *
   * @param value the header; null if there is none
   * @return not negative; null if there is no header or it is not readable
   */
  static @Nullable Duration of(@Nullable String value, Instant now) {
    if (value == null) {
      return null;
    }
    String text = value.strip();
    if (text.matches("\\d+")) {
      return text.length() > 9 ? VERY_LONG : Duration.ofSeconds(Long.parseLong(text));
    }
    try {
      Instant date = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
      return date.isBefore(now) ? Duration.ZERO : Duration.between(now, date);
    } catch (DateTimeException e) {
      // Not readable counts as absent: the receiver is asked again after the usual pause.
      return null;
    }
  }
}
