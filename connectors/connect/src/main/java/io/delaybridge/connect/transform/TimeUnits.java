package io.delaybridge.connect.transform;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.InstantText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.errors.DataException;

/**
 * Converts the value of a field to milliseconds. Fractions are rounded up, so that nothing is
 * early. Pure.
 */
public final class TimeUnits {

  /** The units of delays. */
  public static final List<String> OF_DELAYS = List.of("ms", "s", "m", "h", "d");

  /** The units of instants, counted from 1970. */
  public static final List<String> OF_INSTANTS = List.of("ms", "s", "us", "ns");

  private static final Map<String, BigDecimal> MILLIS =
      Map.of(
          "ns", new BigDecimal("0.000001"),
          "us", new BigDecimal("0.001"),
          "ms", BigDecimal.ONE,
          "s", new BigDecimal(1_000),
          "m", new BigDecimal(60_000),
          "h", new BigDecimal(3_600_000),
          "d", new BigDecimal(86_400_000));

  private static final String AN_INSTANT =
      "a timestamp, a number or an ISO-8601 date and time with an offset, of the years 1970 to 9999";

  private static final String NUMBER = "-?\\d{1,40}(\\.\\d{1,40})?";

  private TimeUnits() {}

  /** Returns true if this text is a number, which needs a unit. */
  static boolean isNumber(String text) {
    return text.matches(NUMBER);
  }

  /**
   * Returns a delay. The data is a number, or text with a number or an ISO-8601 duration.
   *
   * @param unit of numbers
   * @throws DataException if it is none of these, or negative
   */
  public static long delayMillis(Object data, String unit) {
    long millis;
    if (data instanceof String text && !isNumber(text)) {
      try {
        millis = roundUp(Duration.parse(text));
      } catch (DateTimeException | ArithmeticException e) {
        throw unreadable(data, "a number or an ISO-8601 duration", e);
      }
    } else {
      millis = number(data, unit, "a number or an ISO-8601 duration");
    }
    return notNegative(data, millis);
  }

  /**
   * Returns an instant, in epoch milliseconds. The data is a timestamp, a number, or text with a
   * number or an ISO-8601 date and time with an offset.
   *
   * @param unit of numbers
   * @throws DataException if it is none of these, or after the year 9999, or if it is a timestamp
   *     or a number and before 2001-09-09T01:46:40Z: in milliseconds that is a number below 10^12,
   *     which looks like seconds and which the bridge refuses
   */
  public static long instantMillis(Object data, String unit) {
    boolean isDate = data instanceof String text && !isNumber(text);
    long millis = isDate ? date((String) data) : timestamp(data, unit);
    if (notNegative(data, millis) > DelayHeaders.MAX_DELIVER_AT) {
      throw new DataException("A field holds " + data + ", which is after the year 9999");
    }
    if (!isDate && millis < DelayHeaders.MIN_DELIVER_AT) {
      throw new DataException(
          "A field holds %s, which is %s: too long ago, so its unit is probably another one (deliver.at.unit is %s)"
              .formatted(data, Instant.ofEpochMilli(millis), unit));
    }
    return millis;
  }

  private static long date(String text) {
    try {
      return roundUp(Duration.between(Instant.EPOCH, InstantText.parse(text)));
    } catch (InstantText.RefusedException e) {
      throw unreadable(text, AN_INSTANT, e);
    }
  }

  @SuppressWarnings("JavaUtilDate") // Connect uses it for its logical type Timestamp.
  private static long timestamp(Object data, String unit) {
    return data instanceof Date date ? date.getTime() : number(data, unit, AN_INSTANT);
  }

  private static long roundUp(Duration duration) {
    long whole = duration.toMillis();
    return Duration.ofMillis(whole).compareTo(duration) < 0 ? Math.addExact(whole, 1) : whole;
  }

  private static long number(Object data, String unit, String allowed) {
    if (!(data instanceof Number) && !(data instanceof String)) {
      throw new DataException(
          "A field holds a %s, allowed: %s".formatted(data.getClass().getSimpleName(), allowed));
    }
    try {
      return new BigDecimal(data.toString())
          .multiply(MILLIS.getOrDefault(unit, BigDecimal.ONE))
          .setScale(0, RoundingMode.CEILING)
          .longValueExact();
    } catch (NumberFormatException e) {
      throw unreadable(data, allowed, e);
    } catch (ArithmeticException e) {
      throw new DataException("A field holds " + data + ", which is too large", e);
    }
  }

  private static long notNegative(Object data, long millis) {
    if (millis < 0) {
      throw new DataException("A field holds " + data + ", which is negative");
    }
    return millis;
  }

  private static DataException unreadable(Object data, String allowed, RuntimeException cause) {
    return new DataException("A field holds '%s', allowed: %s".formatted(data, allowed), cause);
  }
}
