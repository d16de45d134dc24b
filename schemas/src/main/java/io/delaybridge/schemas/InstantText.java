package io.delaybridge.schemas;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads an instant as people and programs write it. Headers, the HTTP API, the commands and the
 * Connect plugins use this parser, so that a text means the same to all of them.
 *
 * <p>A date, a time of day or a second that does not exist is refused. It is never taken for the
 * next one.
 */
public final class InstantText {

  /** The allowed texts, for error messages. */
  public static final String ALLOWED =
      "epoch milliseconds, "
          + DelayHeaders.MIN_DELIVER_AT
          + " or more, or an ISO-8601 date and time with Z or an offset, such as"
          + " 2030-01-31T08:00:00Z, of the years 1970 to 9999";

  private static final Pattern WHOLE = Pattern.compile("-?[0-9]+");
  private static final int LONGEST_NUMBER = 18;

  /** What is wrong with a text. */
  public enum Fault {
    /** It is neither a number nor a date and time that exist, with an offset. */
    UNREADABLE,
    /** It is a number below 0. */
    NEGATIVE,
    /** It is before 1970 or after the year 9999. */
    OUT_OF_RANGE,
    /** It is a number below {@link DelayHeaders#MIN_DELIVER_AT}. */
    SECONDS
  }

  /** A text that is refused. The message says what is allowed, but neither name nor value. */
  public static final class RefusedException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final Fault fault;

    private RefusedException(Fault fault, String message, @Nullable Throwable cause) {
      super(message, cause);
      this.fault = fault;
    }

    /** Returns what is wrong. */
    public Fault fault() {
      return fault;
    }
  }

  private InstantText() {}

  /**
   * Returns the instant that a text stands for.
   *
   * @throws RefusedException if it stands for none, or for one that no caller means
   */
  public static Instant parse(String text) {
    Instant instant = read(text);
    long millis = instant.toEpochMilli();
    if (millis < 0 || millis > DelayHeaders.MAX_DELIVER_AT) {
      throw refused(Fault.OUT_OF_RANGE, null);
    }
    if (looksLikeSeconds(text)) {
      throw new RefusedException(Fault.SECONDS, seconds(text), null);
    }
    return instant;
  }

  /**
   * Returns the instant that the text of a header stands for, also one that {@link #parse} refuses
   * for being out of range or in seconds. The key of a record depends on the result, so it must
   * never change for a text.
   *
   * @return an instant of which {@link Instant#toEpochMilli()} is defined
   * @throws RefusedException if the text stands for no instant
   */
  public static Instant read(String text) {
    if (WHOLE.matcher(text).matches()) {
      if (text.startsWith("-")) {
        throw refused(Fault.NEGATIVE, null);
      }
      if (text.length() > LONGEST_NUMBER) {
        throw refused(Fault.OUT_OF_RANGE, null);
      }
      return Instant.ofEpochMilli(Long.parseLong(text));
    }
    try {
      Instant instant = OffsetDateTime.parse(text).toInstant();
      var unused = instant.toEpochMilli();
      return instant;
    } catch (DateTimeException e) {
      throw refused(Fault.UNREADABLE, e);
    } catch (ArithmeticException e) {
      throw refused(Fault.OUT_OF_RANGE, e);
    }
  }

  /** Returns true if the text is a number that is too small for milliseconds. */
  public static boolean looksLikeSeconds(String text) {
    return text.length() <= LONGEST_NUMBER
        && WHOLE.matcher(text).matches()
        && Long.parseLong(text) < DelayHeaders.MIN_DELIVER_AT;
  }

  /** Returns what is wrong with a number that {@link #looksLikeSeconds}, and what is allowed. */
  public static String seconds(String text) {
    return "in milliseconds that is %s: it looks like seconds; allowed: %s"
        .formatted(Instant.ofEpochMilli(Long.parseLong(text)), ALLOWED);
  }

  private static RefusedException refused(Fault fault, @Nullable Throwable cause) {
    return new RefusedException(fault, "allowed: " + ALLOWED, cause);
  }
}
