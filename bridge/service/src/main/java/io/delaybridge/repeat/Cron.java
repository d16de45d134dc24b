package io.delaybridge.repeat;

import io.delaybridge.repeat.CronField.Unit;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/**
 * A cron expression: minute, hour, day of the month, month and day of the week, as in crontab(5),
 * with the second before them if there are six fields. Knows days and times of day, but no zone.
 */
final class Cron {

  /** An expression without a match in this many years matches nothing. */
  static final int LONGEST_GAP_YEARS = 40;

  static final Duration LONGEST_GAP = Duration.ofDays(366L * LONGEST_GAP_YEARS);

  /** Most characters of an expression, which is parsed for each occurrence. */
  private static final int LONGEST = 256;

  private static final Map<String, String> MACROS =
      Map.of(
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *",
          "@monthly", "0 0 1 * *",
          "@weekly", "0 0 * * 0",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@hourly", "0 * * * *");

  private final CronField second;
  private final CronField minute;
  private final CronField hour;
  private final CronField dayOfMonth;
  private final CronField month;
  private final CronField dayOfWeek;

  private Cron(List<String> fields) {
    second = CronField.parse(Unit.SECOND, fields.get(0));
    minute = CronField.parse(Unit.MINUTE, fields.get(1));
    hour = CronField.parse(Unit.HOUR, fields.get(2));
    dayOfMonth = CronField.parse(Unit.DAY_OF_MONTH, fields.get(3));
    month = CronField.parse(Unit.MONTH, fields.get(4));
    dayOfWeek = CronField.parse(Unit.DAY_OF_WEEK, fields.get(5));
  }

  /**
   * Reads an expression.
   *
   * @throws IllegalArgumentException with a sentence that says what is wrong
   */
  static Cron parse(String text) {
    if (text.length() > LONGEST) {
      throw new IllegalArgumentException(
          "it has %d characters, allowed: at most %d".formatted(text.length(), LONGEST));
    }
    String plain = text.strip();
    if (plain.startsWith("@")) {
      String fields = MACROS.get(plain.toLowerCase(Locale.ROOT));
      if (fields == null) {
        throw new IllegalArgumentException(
            "macros are @yearly, @annually, @monthly, @weekly, @daily, @midnight and @hourly");
      }
      plain = fields;
    }
    StringTokenizer words = new StringTokenizer(plain, " \t");
    List<String> fields = new ArrayList<>();
    while (words.hasMoreTokens()) {
      fields.add(words.nextToken());
    }
    if (fields.size() == 5) {
      fields.add(0, "0");
    }
    if (fields.size() != 6) {
      throw new IllegalArgumentException(
          "it has %d fields, allowed: 5, or 6 with seconds first".formatted(fields.size()));
    }
    return new Cron(fields);
  }

  /** Whether the expression goes by intervals: its second, minute or hour has a star or a step. */
  boolean isOpen() {
    return second.isOpen() || minute.isOpen() || hour.isOpen();
  }

  /**
   * Returns the first match that is not before {@code from}, or null if there is none for {@value
   * #LONGEST_GAP_YEARS} years.
   */
  @Nullable LocalDateTime from(LocalDateTime from) {
    LocalDateTime whole = from.truncatedTo(ChronoUnit.SECONDS);
    LocalDateTime begin = whole.isBefore(from) ? whole.plusSeconds(1) : whole;
    LocalDate limit = begin.toLocalDate().plusYears(LONGEST_GAP_YEARS);
    LocalDate day = day(begin.toLocalDate(), limit);
    if (day == null) {
      return null;
    }
    LocalTime earliest = day.equals(begin.toLocalDate()) ? begin.toLocalTime() : LocalTime.MIDNIGHT;
    LocalTime time = time(earliest);
    if (time == null) {
      day = day(day.plusDays(1), limit);
      time = time(LocalTime.MIDNIGHT);
    }
    return day == null || time == null ? null : day.atTime(time);
  }

  private @Nullable LocalDate day(LocalDate from, LocalDate limit) {
    LocalDate day = from;
    while (!day.isAfter(limit)) {
      if (!month.matches(day.getMonthValue())) {
        day = day.withDayOfMonth(1).plusMonths(1);
      } else if (matches(day)) {
        return day;
      } else {
        day = day.plusDays(1);
      }
    }
    return null;
  }

  /** If both day fields are restricted, a match of one of them is enough. */
  private boolean matches(LocalDate day) {
    boolean ofMonth = dayOfMonth.matches(day.getDayOfMonth());
    boolean ofWeek = dayOfWeek.matches(day.getDayOfWeek().getValue() % 7);
    boolean both = dayOfMonth.isStar() || dayOfWeek.isStar();
    return both ? ofMonth && ofWeek : ofMonth || ofWeek;
  }

  /** The expression in words. */
  @Override
  public String toString() {
    return Words.of(second, minute, hour, new Words.Days(dayOfMonth, month, dayOfWeek));
  }

  private @Nullable LocalTime time(LocalTime from) {
    for (int h = hour.next(from.getHour()); h >= 0; h = hour.next(h + 1)) {
      boolean sameHour = h == from.getHour();
      for (int m = minute.next(sameHour ? from.getMinute() : 0); m >= 0; m = minute.next(m + 1)) {
        boolean sameMinute = sameHour && m == from.getMinute();
        int s = second.next(sameMinute ? from.getSecond() : 0);
        if (s >= 0) {
          return LocalTime.of(h, m, s);
        }
      }
    }
    return null;
  }
}
