package io.delaybridge.admin.api;

import io.delaybridge.admin.Problem;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.InstantText;
import io.delaybridge.schemas.Reason;
import jakarta.ws.rs.core.Response.Status;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what callers write in queries and bodies; an error says what is allowed. */
final class Inputs {

  static final int MAX_LIMIT = 500;

  private Inputs() {}

  static int limit(int limit) {
    return between("limit", limit, 1, MAX_LIMIT);
  }

  static int between(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw wrong(name, Integer.toString(value), "%d to %d".formatted(min, max));
    }
    return value;
  }

  /** Epoch milliseconds, or the end of time if the text is null. */
  static long before(@Nullable String text) {
    return text == null ? Long.MAX_VALUE : instant("dueBefore", text);
  }

  /** Epoch milliseconds of an ISO-8601 instant or of epoch milliseconds. */
  static long instant(String name, String text) {
    try {
      return InstantText.parse(text).toEpochMilli();
    } catch (InstantText.RefusedException e) {
      throw Problem.of(Status.BAD_REQUEST, refused(name, text, String.valueOf(e.getMessage())));
    }
  }

  /** The text itself, if it is the end of a repetition as the API takes it. */
  static String end(String name, String text) {
    try {
      InstantText.parse(text);
      return text;
    } catch (InstantText.RefusedException e) {
      throw Problem.of(
          Status.BAD_REQUEST,
          Reason.INVALID_UNTIL.name(),
          refused(name, text, String.valueOf(e.getMessage())));
    }
  }

  /** The same, or null for a null or blank text. */
  static @Nullable Long optional(String name, @Nullable String text) {
    return text == null || text.isBlank() ? null : instant(name, text);
  }

  /** Milliseconds of an ISO-8601 duration. */
  static long millis(String name, String text) {
    try {
      return Duration.parse(text).toMillis();
    } catch (DateTimeException | ArithmeticException e) {
      throw wrong(name, text, "an ISO-8601 duration such as PT30M");
    }
  }

  /** The header that says when; its value is checked where all requests are checked. */
  static Map<String, String> when(@Nullable String delay, @Nullable String deliverAt) {
    if ((delay == null) == (deliverAt == null)) {
      throw Problem.of(
          Status.BAD_REQUEST,
          "give either delay (an ISO-8601 duration such as PT30M) or deliverAt (an instant"
              + " such as 2026-03-01T09:00:00Z)");
    }
    return delay != null
        ? Map.of(DelayHeaders.DELAY_DURATION, delay)
        : Map.of(DelayHeaders.DELIVER_AT, String.valueOf(deliverAt));
  }

  /** Bytes given as text or in Base64; null if neither is given. */
  static byte @Nullable [] bytes(String name, @Nullable String text, @Nullable String base64) {
    if (text != null && base64 != null) {
      throw Problem.of(
          Status.BAD_REQUEST, "give either %s or %sBase64, not both".formatted(name, name));
    }
    if (text != null) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    if (base64 == null) {
      return null;
    }
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw wrong(name + "Base64", base64, "Base64 (RFC 4648, with + and /)");
    }
  }

  static Problem wrong(String name, String value, String allowed) {
    return Problem.of(Status.BAD_REQUEST, refused(name, value, "allowed: " + allowed));
  }

  private static String refused(String name, String value, String why) {
    return "%s is '%s', %s".formatted(name, Problem.shown(value), why);
  }
}
