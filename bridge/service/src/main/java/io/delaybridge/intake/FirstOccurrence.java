package io.delaybridge.intake;

import io.delaybridge.message.Reading;
import io.delaybridge.message.Spread;
import io.delaybridge.repeat.Plan;
import io.delaybridge.repeat.Repetition;
import io.delaybridge.repeat.Rule;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.InstantText;
import io.delaybridge.schemas.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Determines where a repeating message begins. A message that does not give a due time is due at
 * its own timestamp, and its first occurrence is looked up in the calendar then, because zones
 * change and the key of a record must not.
 */
final class FirstOccurrence {

  private FirstOccurrence() {}

  /**
   * Returns when the record is due, in epoch milliseconds.
   *
   * @param spreadBy the text that is hashed for the spread, where the message has no id
   */
  static long due(
      ControlHeaders headers,
      @Nullable Plan plan,
      long timestamp,
      Supplier<String> spreadBy,
      long longestDelay)
      throws Rejection {
    return plan != null && headers.has(DelayHeaders.CRON) && !DueTime.isGiven(headers)
        ? timestamp
        : DueTime.of(headers, timestamp, spreadBy, longestDelay);
  }

  /**
   * Returns how far the message has come when it is first read.
   *
   * @param due the result of {@link #due}
   */
  static Repetition of(ControlHeaders headers, Plan plan, long timestamp, long due, Reading reading)
      throws Rejection {
    String id = String.valueOf(headers.get(DelayHeaders.ID));
    long width =
        headers.number(DelayHeaders.SPREAD_MS, 0, 0, DueTime.MAX_SPREAD, Reason.INVALID_SPREAD);
    long spread = Spread.of(width, id);
    boolean given = DueTime.isGiven(headers);
    Repetition first =
        given
            ? new Repetition(plan, spread, 1, due - spread, null)
            : new Repetition(plan, spread, 0, timestamp, null);
    if (plan.rule() instanceof Rule.Every every && every.every() > reading.longestDelay()) {
      throw new Rejection(
          Reason.DELAY_TOO_LONG,
          "delay-every is %s, the longest delay allowed is %s"
              .formatted(
                  Duration.ofMillis(every.every()), Duration.ofMillis(reading.longestDelay())));
    }
    Repetition next = given ? first : first.next(timestamp);
    if (next == null && !plan.hasEnd()) {
      throw new Rejection(
          Reason.INVALID_CRON, "delay-cron has no match in the given zone before the year 10000");
    }
    if (next == null || next.scheduledAt() > plan.until()) {
      throw tooEarly(String.valueOf(headers.get(DelayHeaders.UNTIL)), plan.until());
    }
    if (next.due() - timestamp > longestWait(plan, reading)) {
      throw new Rejection(
          Reason.DELAY_TOO_LONG,
          "the first occurrence is %s after the record's timestamp, %s"
              .formatted(Duration.ofMillis(next.due() - timestamp), allowed(plan, reading)));
    }
    return first;
  }

  private static Rejection tooEarly(String text, long until) {
    return new Rejection(
        Reason.INVALID_UNTIL,
        InstantText.looksLikeSeconds(text)
            ? "delay-until is '%s', %s".formatted(text, InstantText.seconds(text))
            : "delay-until is %s, the first occurrence is later"
                .formatted(Instant.ofEpochMilli(Math.min(until, DueTime.LATEST))));
  }

  /**
   * Returns how far ahead the next occurrence may be, in milliseconds. Only who writes a number can
   * mistake it for another unit; a calendar may have rare instants.
   */
  static long longestWait(@Nullable Plan plan, Reading reading) {
    return isCalendar(plan) ? reading.longestWait() : reading.longestDelay();
  }

  /** Returns what an occurrence that is too far ahead would have been allowed. */
  static String allowed(@Nullable Plan plan, Reading reading) {
    Duration longest = Duration.ofMillis(longestWait(plan, reading));
    boolean couldBeMore = isCalendar(plan) && reading.level() > 0 && reading.horizon() == 0;
    return couldBeMore
        ? "the longest delay allowed is %s; a calendar may wait %s if intake.horizon is shorter than intake.longestDelay"
            .formatted(longest, Duration.ofMillis(Reading.LONGEST_CALENDAR))
        : "the longest delay allowed is " + longest;
  }

  private static boolean isCalendar(@Nullable Plan plan) {
    return plan != null && plan.rule() instanceof Rule.Calendar;
  }
}
