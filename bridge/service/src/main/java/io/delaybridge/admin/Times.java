package io.delaybridge.admin;

import jakarta.ws.rs.core.Response.Status;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** Instants and durations as callers of the API write them. */
final class Times {

  private Times() {}

  /**
   * Epoch milliseconds, or null for no text.
   *
   * @param name of the parameter, for the problem if it is neither ISO-8601 nor epoch milliseconds
   */
  static @Nullable Long instant(String name, @Nullable String text) {
    if (text == null || text.isBlank()) {
      return null;
    }
    try {
      return text.matches("[0-9]{1,15}")
          ? Long.parseLong(text)
          : OffsetDateTime.parse(text).toInstant().toEpochMilli();
    } catch (DateTimeParseException e) {
      throw Problem.of(
          Status.BAD_REQUEST,
          "%s is '%s', allowed: epoch milliseconds or an instant such as %s"
              .formatted(name, text, Instant.EPOCH));
    }
  }

  /** Milliseconds; a problem if the text is not an ISO-8601 duration. */
  static long duration(String name, String text) {
    try {
      return Duration.parse(text).toMillis();
    } catch (DateTimeParseException | ArithmeticException e) {
      throw Problem.of(
          Status.BAD_REQUEST,
          "%s is '%s', allowed: a duration such as PT1M or P1D".formatted(name, text));
    }
  }
}
