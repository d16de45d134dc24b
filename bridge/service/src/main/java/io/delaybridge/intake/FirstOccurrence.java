package io.delaybridge.intake;

import io.delaybridge.message.Spread;
import io.delaybridge.repeat.Plan;
import io.delaybridge.repeat.Repetition;
import io.delaybridge.repeat.Rule;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a message that is to repeat begins. One that does not say when is due at its own timestamp,
 * and its first occurrence is looked up in the calendar then: zones change, and the key of a record
 * must not.
 */
final class FirstOccurrence {

  private FirstOccurrence() {}

  /**
   * When the record is due, epoch milliseconds.
   *
   * @param spreadBy what the spread is a hash of, where the message has no id
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
   * How far it has come, as it is read first.
   *
   * @param due what {@link #due} said
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
          Reason.INVALID_CRON,
          "delay-cron never comes in the zone that is given, or after the last year that there is");
    }
    if (next == null || next.scheduledAt() > plan.until()) {
      throw new Rejection(
          Reason.INVALID_UNTIL,
          "delay-until is %s, the first occurrence is later"
              .formatted(Instant.ofEpochMilli(Math.min(plan.until(), DueTime.LATEST))));
    }
    if (next.due() - timestamp > longestDelay) {
      throw tooLong(
          "the first occurrence is %s after the record's timestamp"
              .formatted(Duration.ofMillis(next.due() - timestamp)),
          longestDelay);
    }
    return first;
  }

  private static Rejection tooLong(String what, long longestDelay) {
    return new Rejection(
        Reason.DELAY_TOO_LONG,
        "%s, the longest delay allowed is %s".formatted(what, Duration.ofMillis(longestDelay)));
  }
}
