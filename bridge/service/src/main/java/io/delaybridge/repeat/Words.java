package io.delaybridge.repeat;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Month;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;

/** Writes a rule in English, for people who look at repeating messages. */
final class Words {

  /** Up to this many times of day are listed; more are described by hour and minute. */
  private static final int MOST_TIMES = 4;

  private Words() {}

  /** Such as {@code every 1 day 12 hours}. */
  static String of(Duration every) {
    List<String> parts = new ArrayList<>();
    add(parts, every.toDaysPart(), "day");
    add(parts, every.toHoursPart(), "hour");
    add(parts, every.toMinutesPart(), "minute");
    add(parts, every.toSecondsPart(), "second");
    add(parts, every.toMillisPart(), "millisecond");
    String all = String.join(" ", parts);
    return "every " + (parts.size() == 1 && all.startsWith("1 ") ? all.substring(2) : all);
  }

  private static void add(List<String> parts, long number, String unit) {
    if (number > 0) {
      parts.add(number + " " + unit + (number == 1 ? "" : "s"));
    }
  }

  /** Such as {@code at 09:00, on Monday to Friday}. */
  static String of(CronField second, CronField minute, CronField hour, Days days) {
    List<String> parts = new ArrayList<>();
    int times = second.size() * minute.size() * hour.size();
    if (times <= MOST_TIMES) {
      parts.add("at " + listed(times(second, minute, hour)));
    } else {
      boolean isWhole = second.size() == 1 && second.matches(0);
      if (!isWhole) {
        parts.add(part(second, "second"));
      }
      if (isWhole || !minute.isAll()) {
        parts.add(part(minute, "minute"));
      }
      if (!hour.isAll()) {
        parts.add(part(hour, "hour"));
      }
    }
    days.say(parts);
    return String.join(", ", parts);
  }

  /** The three fields that say on which days. */
  record Days(CronField dayOfMonth, CronField month, CronField dayOfWeek) {

    private void say(List<String> parts) {
      String ofMonth = "on day " + numbers(dayOfMonth, Integer::toString) + " of the month";
      String ofWeek = numbers(dayOfWeek, Words::day);
      // Without a star either field will do, and one of them may list every day.
      boolean isStar = dayOfMonth.isStar() || dayOfWeek.isStar();
      boolean isDaily = !isStar && (dayOfMonth.isAll() || dayOfWeek.isAll());
      boolean saysMonth = !isDaily && !dayOfMonth.isAll();
      boolean saysWeek = !isDaily && !dayOfWeek.isAll();
      if (saysMonth && saysWeek) {
        parts.add(ofMonth + (isStar ? " if it is " : " or on ") + ofWeek);
      } else if (saysMonth) {
        parts.add(ofMonth);
      } else if (saysWeek) {
        parts.add("on " + ofWeek);
      }
      if (!month.isAll()) {
        parts.add(
            "in "
                + numbers(month, m -> Month.of(m).getDisplayName(TextStyle.FULL, Locale.ENGLISH)));
      }
    }
  }

  private static String day(int day) {
    return DayOfWeek.of(day == 0 ? 7 : day).getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }

  private static String part(CronField field, String unit) {
    int step = field.step();
    if (step > 0) {
      return step == 1 ? "every " + unit : "every " + step + " " + unit + "s";
    }
    return "at " + unit + " " + numbers(field, Integer::toString);
  }

  private static List<String> times(CronField second, CronField minute, CronField hour) {
    List<String> times = new ArrayList<>();
    for (int h = hour.next(0); h >= 0; h = hour.next(h + 1)) {
      for (int m = minute.next(0); m >= 0; m = minute.next(m + 1)) {
        for (int s = second.next(0); s >= 0; s = second.next(s + 1)) {
          String time = String.format(Locale.ROOT, "%02d:%02d", h, m);
          times.add(s == 0 ? time : time + String.format(Locale.ROOT, ":%02d", s));
        }
      }
    }
    return times;
  }

  /** Lists the numbers; three or more in a row become a range. */
  private static String numbers(CronField field, IntFunction<String> name) {
    BitSet allowed = field.allowed();
    List<String> parts = new ArrayList<>();
    for (int from = field.next(0); from >= 0; ) {
      int end = allowed.nextClearBit(from);
      if (end - from > 2) {
        parts.add(name.apply(from) + " to " + name.apply(end - 1));
      } else {
        for (int i = from; i < end; i++) {
          parts.add(name.apply(i));
        }
      }
      from = field.next(end);
    }
    return listed(parts);
  }

  private static String listed(List<String> parts) {
    int last = parts.size() - 1;
    return last <= 0
        ? String.join("", parts)
        : String.join(", ", parts.subList(0, last)) + " and " + parts.get(last);
  }
}
