package io.delaybridge.intake;

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
  static Repetition of(
      ControlHeaders headers, Plan plan, long timestamp, long due, long longestDelay)
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
    if (plan.rule() instanceof Rule.Every every && every.every() > longestDelay) {
      throw tooLong("delay-every is %s".formatted(Duration.ofMillis(every.every())), longestDelay);
    }
    Repetition next = given ? first : first.next(timestamp);
    if (next == null && !plan.hasEnd()) {
      throw new Rejection(
          Reason.INVALID_CRON, "delay-cron has no match in the given zone before the year 10000");
    }
    if (next == null || next.scheduledAt() > plan.until()) {
      throw tooEarly(String.valueOf(headers.get(DelayHeaders.UNTIL)), plan.until());
    }
    if (next.due() - timestamp > longestDelay) {
      throw tooLong(
          "the first occurrence is %s after the record's timestamp"
              .formatted(Duration.ofMillis(next.due() - timestamp)),
          longestDelay);
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

  private static Rejection tooLong(String what, long longestDelay) {
    return new Rejection(
        Reason.DELAY_TOO_LONG,
        "%s, the longest delay allowed is %s".formatted(what, Duration.ofMillis(longestDelay)));
  }
}
