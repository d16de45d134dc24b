package io.delaybridge.intake;

import io.delaybridge.message.Spread;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.InstantText;
import io.delaybridge.schemas.Reason;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads when a message is due: from one of three headers, counted from the record's own timestamp.
 */
final class DueTime {

  /** The last due time that can be asked for. */
  static final long LATEST = DelayHeaders.MAX_DELIVER_AT;

  private static final Pattern WHOLE = Pattern.compile("-?[0-9]+");
  static final long MAX_SPREAD = Integer.MAX_VALUE;
  private static final List<String> WAYS =
      List.of(DelayHeaders.DELAY_MS, DelayHeaders.DELAY_DURATION, DelayHeaders.DELIVER_AT);

  private DueTime() {}

  /**
   * Returns the due time in epoch milliseconds.
   *
   * @param timestamp of the record, epoch milliseconds
   * @param spreadBy the text that is hashed for the spread: the id, or the source if there is no id
   * @param longestDelay in milliseconds
   */
  static long of(
      ControlHeaders headers, long timestamp, Supplier<String> spreadBy, long longestDelay)
      throws Rejection {
    String way = way(headers);
    String text = String.valueOf(headers.get(way));
    long plain =
        switch (way) {
          case DelayHeaders.DELAY_MS -> plus(timestamp, millis(way, text), way);
          case DelayHeaders.DELAY_DURATION -> plus(timestamp, duration(text), way);
          default -> instant(text);
        };
    long due = plus(plain, spread(headers, spreadBy), way);
    if (due - timestamp > longestDelay) {
      throw new Rejection(
          Reason.DELAY_TOO_LONG,
          "due %s after the record's timestamp, the longest delay allowed is %s"
              .formatted(Duration.ofMillis(due - timestamp), Duration.ofMillis(longestDelay)));
    }
    return due;
  }

  /**
   * Returns a rejection if the instant seems to be a number of seconds, else null.
   *
   * @param due the result of {@link #of} for the same headers
   */
  static @Nullable Rejection seconds(ControlHeaders headers, long due) {
    if (due >= DelayHeaders.MIN_DELIVER_AT + MAX_SPREAD) {
      return null;
    }
    String text = headers.get(DelayHeaders.DELIVER_AT);
    return text == null || !InstantText.looksLikeSeconds(text)
        ? null
        : new Rejection(
            Reason.UNREADABLE_DUE_TIME,
            "delay-deliver-at is '%s', %s".formatted(text, InstantText.seconds(text)));
  }

  /** Whether the headers give a due time at all. */
  static boolean isGiven(ControlHeaders headers) {
    return WAYS.stream().anyMatch(headers::has);
  }

  /** Called for every record, so it makes no list. */
  private static String way(ControlHeaders headers) throws Rejection {
    String given = null;
    for (String way : WAYS) {
      if (headers.has(way)) {
        if (given != null) {
          throw new Rejection(
              Reason.AMBIGUOUS_DUE_TIME,
              "only one may be given: "
                  + WAYS.stream().filter(headers::has).collect(Collectors.joining(", ")));
        }
        given = way;
      }
    }
    if (given == null) {
      throw new Rejection(
          Reason.NO_DUE_TIME, "one of " + String.join(", ", WAYS) + " is needed to say when");
    }
    return given;
  }

  private static long millis(String name, String text) throws Rejection {
    if (!WHOLE.matcher(text).matches()) {
      throw unreadable(name, text, "a whole number of milliseconds");
    }
    if (text.startsWith("-")) {
      throw negative(name, text);
    }
    if (text.length() > 18) {
      throw overflow(name);
    }
    return Long.parseLong(text);
  }

  private static long duration(String text) throws Rejection {
    Duration duration;
    try {
      duration = Duration.parse(text);
    } catch (DateTimeException e) {
      throw unreadable(DelayHeaders.DELAY_DURATION, text, "an ISO-8601 duration such as PT30M");
    }
    if (duration.isNegative()) {
      throw negative(DelayHeaders.DELAY_DURATION, text);
    }
    try {
      return duration.toMillis();
    } catch (ArithmeticException e) {
      throw overflow(DelayHeaders.DELAY_DURATION);
    }
  }

  private static long instant(String text) throws Rejection {
    try {
      return plus(InstantText.read(text).toEpochMilli(), 0, DelayHeaders.DELIVER_AT);
    } catch (InstantText.RefusedException e) {
      throw switch (e.fault()) {
        case UNREADABLE -> unreadable(DelayHeaders.DELIVER_AT, text, InstantText.ALLOWED);
        case NEGATIVE -> negative(DelayHeaders.DELIVER_AT, text);
        case OUT_OF_RANGE, SECONDS -> overflow(DelayHeaders.DELIVER_AT);
      };
    }
  }

  private static long plus(long a, long b, String name) throws Rejection {
    long sum = a + b;
    // Neither term exceeds 10^18, so the sum itself cannot wrap.
    if (sum < 0 || sum > LATEST) {
      throw overflow(name);
    }
    return sum;
  }

  /** A deterministic share of the spread, so that reading the record again gives the same key. */
  private static long spread(ControlHeaders headers, Supplier<String> spreadBy) throws Rejection {
    long width = headers.number(DelayHeaders.SPREAD_MS, 0, 0, MAX_SPREAD, Reason.INVALID_SPREAD);
    return width == 0 ? 0 : Spread.of(width, spreadBy.get());
  }

  private static Rejection unreadable(String name, String text, String allowed) {
    return new Rejection(
        Reason.UNREADABLE_DUE_TIME,
        "%s is '%s', allowed: %s".formatted(name, ControlHeaders.shortened(text), allowed));
  }

  private static Rejection negative(String name, String text) {
    return new Rejection(
        Reason.NEGATIVE_DELAY,
        "%s is '%s', allowed: 0 or more".formatted(name, ControlHeaders.shortened(text)));
  }

  private static Rejection overflow(String name) {
    return new Rejection(
        Reason.DUE_TIME_OVERFLOW,
        name + " gives a time outside 1970-01-01T00:00:00Z to 9999-12-31T23:59:59.999Z");
  }
}
