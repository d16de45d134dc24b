package io.delaybridge.connect.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import org.jspecify.annotations.Nullable;

/** The header {@code Retry-After} (RFC 9110 section 10.2.3): seconds, or a date. */
final class RetryAfter {

  /** Long enough to be capped by any configuration, short enough to calculate with. */
  private static final Duration VERY_LONG = Duration.ofDays(3_650);

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.RFC_1123_DATE_TIME.withResolverStyle(ResolverStyle.STRICT);

  private RetryAfter() {}

  /**
   * Returns how long to wait from now on.
   *
   * @param value the header; null if there is none
   * @return not negative; null if the header is absent or unreadable
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
      Instant date = Instant.from(DATE.parse(text));
      return date.isBefore(now) ? Duration.ZERO : Duration.between(now, date);
    } catch (DateTimeException e) {
      // An unreadable header counts as absent: the next attempt follows after the usual pause.
      return null;
    }
  }
}
