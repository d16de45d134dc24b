package io.delaybridge.repeat;

import io.delaybridge.repeat.Rule.Calendar;
import io.delaybridge.repeat.Rule.Every;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.InstantText;
import io.delaybridge.schemas.Reason;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The repetition of a message as its headers define it.
 *
 * @param until epoch milliseconds after which there is no occurrence, {@link Rule#NEVER} without an
 *     end
 * @param count how many occurrences there are, {@link Long#MAX_VALUE} without an end
 * @param missed what happens to missed occurrences
 */
public record Plan(Rule rule, long until, long count, Missed missed) {

  /** The treatment of missed occurrences: those whose time has passed without them. */
  public enum Missed {
    /** The first of them comes late, then the regular ones. */
    ONE,
    /** Each of them comes. */
    ALL,
    /** None of them comes. */
    SKIP
  }

  /** Whether there is an instant after which there is no occurrence. */
  public boolean hasEnd() {
    return until != Rule.NEVER;
  }

  /** Whether the number of occurrences is limited. */
  public boolean isCounted() {
    return count != Long.MAX_VALUE;
  }

  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final int LONGEST_NUMBER = 18;
  private static final int SHOWN = 64;
  private static final Set<String> ZONES = Set.copyOf(ZoneId.getAvailableZoneIds());
  private static final List<String> DETAILS =
      List.of(DelayHeaders.ZONE, DelayHeaders.UNTIL, DelayHeaders.COUNT, DelayHeaders.MISSED);

  /**
   * Reads the headers; null if they do not ask for a repetition.
   *
   * @param headers returns the text of a header, or null
   */
  public static @Nullable Plan of(Function<String, @Nullable String> headers)
      throws InvalidRepeatException {
    String every = headers.apply(DelayHeaders.EVERY);
    String cron = headers.apply(DelayHeaders.CRON);
    if (every == null && cron == null) {
      for (String detail : DETAILS) {
        if (headers.apply(detail) != null) {
          throw new InvalidRepeatException(
              Reason.INVALID_REPEAT, detail + " is given without delay-every and delay-cron");
        }
      }
      return null;
    }
    if (every != null && cron != null) {
      throw new InvalidRepeatException(
          Reason.INVALID_REPEAT, "only one may be given: delay-every, delay-cron");
    }
    if (headers.apply(DelayHeaders.ID) == null) {
      throw new InvalidRepeatException(
          Reason.REPEAT_WITHOUT_ID, "a message that repeats needs a delay-id");
    }
    String zone = headers.apply(DelayHeaders.ZONE);
    if (cron == null && zone != null) {
      throw new InvalidRepeatException(
          Reason.INVALID_REPEAT, "delay-zone is given without delay-cron");
    }
    return new Plan(
        every == null ? calendar(String.valueOf(cron), zone) : every(every),
        until(headers.apply(DelayHeaders.UNTIL)),
        count(headers.apply(DelayHeaders.COUNT)),
        missed(headers.apply(DelayHeaders.MISSED)));
  }

  private static Every every(String text) throws InvalidRepeatException {
    try {
      Duration every = Duration.parse(text);
      if (every.compareTo(SHORTEST) >= 0) {
        return new Every(every.toMillis());
      }
    } catch (DateTimeException | ArithmeticException e) {
      // Reported below.
    }
    throw wrong(
        Reason.INVALID_EVERY,
        DelayHeaders.EVERY,
        text,
        "an ISO-8601 duration of a second or more, such as PT15M");
  }

  private static Calendar calendar(String text, @Nullable String zone)
      throws InvalidRepeatException {
    if (zone != null && !ZONES.contains(zone)) {
      throw wrong(
          Reason.INVALID_ZONE, DelayHeaders.ZONE, zone, "an IANA name such as Europe/Berlin");
    }
    Calendar calendar;
    try {
      calendar = Calendar.of(text, ZoneId.of(zone == null ? "UTC" : zone));
    } catch (IllegalArgumentException e) {
      throw new InvalidRepeatException(
          Reason.INVALID_CRON, "delay-cron is '%s': %s".formatted(shortened(text), e.getMessage()));
    }
    if (calendar.isNever()) {
      throw new InvalidRepeatException(
          Reason.INVALID_CRON, "delay-cron is '%s': it never matches".formatted(shortened(text)));
    }
    return calendar;
  }

  private static long until(@Nullable String text) throws InvalidRepeatException {
    if (text == null) {
      return Rule.NEVER;
    }
    try {
      return InstantText.read(text).toEpochMilli();
    } catch (InstantText.RefusedException e) {
      throw wrong(Reason.INVALID_UNTIL, DelayHeaders.UNTIL, text, InstantText.ALLOWED);
    }
  }

  private static long count(@Nullable String text) throws InvalidRepeatException {
    if (text == null) {
      return Long.MAX_VALUE;
    }
    long count = number(text);
    if (count < 1) {
      throw wrong(Reason.INVALID_COUNT, DelayHeaders.COUNT, text, "a whole number from 1 on");
    }
    return count;
  }

  private static Missed missed(@Nullable String text) throws InvalidRepeatException {
    return switch (text == null ? DelayHeaders.MISSED_ONE : text) {
      case DelayHeaders.MISSED_ONE -> Missed.ONE;
      case DelayHeaders.MISSED_ALL -> Missed.ALL;
      case DelayHeaders.MISSED_SKIP -> Missed.SKIP;
      default ->
          throw wrong(
              Reason.INVALID_MISSED, DelayHeaders.MISSED, String.valueOf(text), "one, all or skip");
    };
  }

  /** Reads a whole number; -1 if the text is none or too long. */
  static long number(@Nullable String text) {
    if (text == null || text.isEmpty() || text.length() > LONGEST_NUMBER) {
      return -1;
    }
    long number = 0;
    for (int i = 0; i < text.length(); i++) {
      char digit = text.charAt(i);
      if (digit < '0' || digit > '9') {
        return -1;
      }
      number = 10 * number + digit - '0';
    }
    return number;
  }

  private static InvalidRepeatException wrong(
      Reason reason, String name, String text, String allowed) {
    return new InvalidRepeatException(
        reason, "%s is '%s', allowed: %s".formatted(name, shortened(text), allowed));
  }

  private static String shortened(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }
}
