package io.delaybridge.repeat;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.repeat.Rule.Calendar;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the calendar with a reader of the wall clock who looks once a minute for years, and does
 * not use the calendar's search.
 */
class CalendarOracleTest {

  private static final long MINUTE = 60_000;
  private static final int DAY = 1_440;
  private static final int EXPRESSIONS = 25;

  /** Matching numbers, and the text for them. */
  private record Field(Set<Integer> numbers, String text) {

    boolean isStar() {
      return text.startsWith("*");
    }

    boolean isOpen() {
      return text.contains("*") || text.contains("/");
    }
  }

  private record Expression(Field minute, Field hour, Field day, Field month, Field weekday) {

    String text() {
      return String.join(" ", minute.text, hour.text, day.text, month.text, weekday.text);
    }

    boolean isOpen() {
      return minute.isOpen() || hour.isOpen();
    }

    boolean matches(LocalDate date) {
      boolean ofMonth = day.numbers.contains(date.getDayOfMonth());
      boolean ofWeek = weekday.numbers.contains(date.getDayOfWeek().getValue() % 7);
      boolean both = day.isStar() || weekday.isStar();
      boolean ofDay = both ? ofMonth && ofWeek : ofMonth || ofWeek;
      return ofDay && month.numbers.contains(date.getMonthValue());
    }
  }

  /** Returns the wall clock of a zone for each minute, in minutes since 1970. */
  private static long[] wall(ZoneRules rules, long begin, int minutes) {
    long[] wall = new long[minutes];
    for (int i = 0; i < minutes; i++) {
      Instant instant = Instant.ofEpochMilli(begin + i * MINUTE);
      wall[i] = (instant.getEpochSecond() + rules.getOffset(instant).getTotalSeconds()) / 60;
    }
    return wall;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UTC",
        "Europe/Berlin",
        "America/New_York",
        // Half an hour forward and back.
        "Australia/Lord_Howe",
        // An offset of a half and of three quarters of an hour.
        "Asia/Kolkata",
        "Asia/Kathmandu",
        // Change at midnight.
        "America/Havana",
        "Africa/Cairo",
        // Changed at midnight until 2019.
        "America/Sao_Paulo",
        // Left out 30 December 2011, and stopped changing in 2021.
        "Pacific/Apia"
      })
  void isWhatTheClockOnTheWallSays(String name) {
    ZoneId zone = ZoneId.of(name);
    SplittableRandom random = new SplittableRandom(name.hashCode());
    long begin = Instant.parse("2011-06-01T00:00:00Z").toEpochMilli();
    if (name.equals("Africa/Cairo")) {
      begin = Instant.parse("2022-06-01T00:00:00Z").toEpochMilli();
    } else if (name.equals("America/Sao_Paulo")) {
      begin = Instant.parse("2016-06-01T00:00:00Z").toEpochMilli();
    }
    int minutes = 4 * 366 * DAY;
    long[] wall = wall(zone.getRules(), begin, minutes);
    for (int i = 0; i < EXPRESSIONS; i++) {
      Expression expression = expression(random);
      List<Long> expected = runs(expression, wall, begin);
      List<Long> actual = new ArrayList<>();
      Calendar calendar = Calendar.of(expression.text(), zone);
      long end = begin + minutes * MINUTE;
      for (long at = calendar.next(begin); at < end; at = calendar.next(at)) {
        actual.add(at);
      }
      assertThat(difference(actual, expected)).as(calendar.toString()).isEmpty();
      for (int j = 0; j < 50; j++) {
        long from = begin + random.nextLong(minutes * MINUTE);
        int at = Collections.binarySearch(expected, from + 1);
        int index = at < 0 ? -at - 1 : at;
        long next = index < expected.size() ? expected.get(index) : end;
        assertThat(Math.min(calendar.next(from), end))
            .as("%s after %s", calendar, Instant.ofEpochMilli(from))
            .isEqualTo(next);
      }
    }
  }

  /** Returns the instants that only one of the two has. */
  private static Set<Instant> difference(List<Long> actual, List<Long> expected) {
    if (actual.equals(expected)) {
      return Set.of();
    }
    Set<Long> both = new TreeSet<>(actual);
    both.addAll(expected);
    Set<Long> common = new TreeSet<>(actual);
    common.retainAll(Set.copyOf(expected));
    both.removeAll(common);
    return both.stream().map(Instant::ofEpochMilli).collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Returns the runs, minute by minute. An expression with fixed times skips times already shown.
   */
  private static List<Long> runs(Expression expression, long[] wall, long begin) {
    List<Long> runs = new ArrayList<>();
    boolean open = expression.isOpen();
    long shown = wall[0];
    long day = Long.MIN_VALUE;
    boolean ofDay = false;
    for (int i = 1; i < wall.length; i++) {
      // Fixed times: everything that was not shown yet. Otherwise: the time that is shown now.
      boolean isRun = false;
      for (long at = open ? wall[i] : shown + 1; at <= wall[i]; at++) {
        if (Math.floorDiv(at, DAY) != day) {
          day = Math.floorDiv(at, DAY);
          ofDay = expression.matches(LocalDate.ofEpochDay(day));
        }
        int time = Math.floorMod(at, DAY);
        isRun |=
            ofDay
                && expression.hour.numbers.contains(time / 60)
                && expression.minute.numbers.contains(time % 60);
      }
      shown = Math.max(shown, wall[i]);
      if (isRun) {
        runs.add(begin + i * MINUTE);
      }
    }
    return runs;
  }

  private static Expression expression(SplittableRandom random) {
    // Often in the hours of clock changes.
    Field minute = field(random, 0, 59, 59);
    Field hour = random.nextBoolean() ? field(random, 0, 23, 3) : field(random, 0, 23, 23);
    boolean daily = random.nextInt(3) > 0;
    Field star = star(1, 31);
    Field weekdays = star(0, 6);
    Field day = daily ? star : field(random, 1, 31, 31);
    Field month = random.nextInt(3) > 0 ? star(1, 12) : field(random, 1, 12, 12);
    Field weekday = random.nextInt(3) > 0 ? weekdays : field(random, 0, 6, 6);
    return new Expression(minute, hour, day, month, weekday);
  }

  private static Field star(int min, int max) {
    return new Field(numbers(min, max, any -> true), "*");
  }

  private static Set<Integer> numbers(int min, int max, IntPredicate which) {
    return IntStream.rangeClosed(min, max)
        .filter(which)
        .boxed()
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * @param most the highest number that a list or range has
   */
  private static Field field(SplittableRandom random, int min, int max, int most) {
    int a = min + random.nextInt(most - min + 1);
    int b = min + random.nextInt(most - min + 1);
    int step = 1 + random.nextInt(Math.max(2, max / 2));
    int low = Math.min(a, b);
    int high = Math.max(a, b);
    return switch (random.nextInt(6)) {
      case 0 -> new Field(numbers(min, max, n -> (n - min) % step == 0), "*/" + step);
      case 1 -> new Field(numbers(low, high, any -> true), low + "-" + high);
      case 2 ->
          new Field(numbers(low, high, n -> (n - low) % step == 0), low + "-" + high + "/" + step);
      case 3 -> new Field(new TreeSet<>(List.of(low, high)), b + "," + a);
      default -> new Field(Set.of(a), String.valueOf(a));
    };
  }
}
