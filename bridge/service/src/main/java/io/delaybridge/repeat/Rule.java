package io.delaybridge.repeat;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/** The rule by which a message repeats. All instants are epoch milliseconds. */
public sealed interface Rule {

  /** The result of {@link #next} if no instant follows. */
  long NEVER = Long.MAX_VALUE;

  /**
   * The first instant of the calendar that is later than {@code after}.
   *
   * @param one any instant of the calendar, not later than {@code after}
   */
  long next(long one, long after);

  /** The rule in words, such as {@code every 15 minutes}. */
  @Override
  String toString();

  /**
   * Repeats at a fixed interval.
   *
   * @param every milliseconds, at least 1
   */
  record Every(long every) implements Rule {

    /** Validates the range. */
    public Every {
      if (every < 1) {
        throw new IllegalArgumentException("every is " + every + ", allowed: 1 or more");
      }
    }

    @Override
    public long next(long one, long after) {
      long passed = Math.floorDiv(after - one, every);
      long next = one + (passed + 1) * every;
      return next > after ? next : NEVER;
    }

    @Override
    public String toString() {
      return Words.of(Duration.ofMillis(every));
    }
  }

  /**
   * Repeats whenever a cron expression matches in a zone. An expression that goes by intervals does
   * so in real time. One with fixed times of day comes once for each time. A time that is skipped
   * when the clock is set forward comes at the instant of the change. A time that occurs twice when
   * the clock is set back comes the first time. See ADR 33.
   */
  final class Calendar implements Rule {

    private final Cron cron;
    private final ZoneId zone;

    private Calendar(Cron cron, ZoneId zone) {
      this.cron = cron;
      this.zone = zone;
    }

    /**
     * Reads an expression.
     *
     * @throws IllegalArgumentException with a sentence that says what is wrong
     */
    public static Calendar of(String text, ZoneId zone) {
      return new Calendar(Cron.parse(text), zone);
    }

    @Override
    public long next(long one, long after) {
      return next(after);
    }

    /** Whether the expression matches nothing in any zone, such as 30 February. */
    public boolean isNever() {
      return cron.from(LocalDateTime.of(2000, 1, 1, 0, 0)) == null;
    }

    /** Like {@link #next(long, long)}, but needs no instant of the calendar. */
    public long next(long after) {
      try {
        return cron.isOpen() ? inRealTime(after) : onceEach(after);
      } catch (DateTimeException | ArithmeticException e) {
        // Beyond the last year that there is.
        return NEVER;
      }
    }

    private long inRealTime(long after) {
      ZoneRules rules = zone.getRules();
      Instant from = Instant.ofEpochMilli(after + 1);
      Instant limit = from.plus(Cron.LONGEST_GAP);
      // Without a limit, a match only in an hour that is skipped each time is searched for forever.
      while (!from.isAfter(limit)) {
        ZoneOffset offset = rules.getOffset(from);
        LocalDateTime match = cron.from(LocalDateTime.ofInstant(from, offset));
        if (match == null) {
          return NEVER;
        }
        ZoneOffsetTransition end = rules.nextTransition(from);
        Instant instant = match.toInstant(offset);
        if (end == null || instant.isBefore(end.getInstant())) {
          return instant.toEpochMilli();
        }
        from = end.getInstant();
      }
      return NEVER;
    }

    private long onceEach(long after) {
      ZoneRules rules = zone.getRules();
      Instant last = Instant.ofEpochMilli(after);
      LocalDateTime match = cron.from(LocalDateTime.ofInstant(last, rules.getOffset(last)));
      while (match != null) {
        Instant instant = instant(match, rules);
        if (instant.isAfter(last)) {
          return instant.toEpochMilli();
        }
        match = cron.from(match.plusSeconds(1));
      }
      return NEVER;
    }

    private static Instant instant(LocalDateTime time, ZoneRules rules) {
      ZoneOffsetTransition change = rules.getTransition(time);
      if (change == null) {
        return time.toInstant(rules.getOffset(time));
      }
      return change.isGap() ? change.getInstant() : time.toInstant(change.getOffsetBefore());
    }

    @Override
    public String toString() {
      return cron + " (" + zone.getId() + ")";
    }
  }
}
