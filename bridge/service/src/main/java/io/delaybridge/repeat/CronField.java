package io.delaybridge.repeat;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/**
 * One field of a cron expression, as crontab(5) has it: numbers, names, ranges, steps and lists of
 * these.
 *
 * @param unit the unit of the field
 * @param allowed the numbers that match
 * @param isStar whether the field begins with a star
 * @param isOpen whether the field goes by intervals: it has a star or a step
 */
record CronField(Unit unit, BitSet allowed, boolean isStar, boolean isOpen) {

  private static final List<String> MONTHS =
      List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
  private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

  /** The unit of a field. */
  enum Unit {
    SECOND("second", 0, 59),
    MINUTE("minute", 0, 59),
    HOUR("hour", 0, 23),
    DAY_OF_MONTH("day of the month", 1, 31),
    MONTH("month", 1, 12),
    /** 0 and 7 are Sunday. */
    DAY_OF_WEEK("day of the week", 0, 7);

    private final String title;
    private final int min;
    private final int max;

    Unit(String title, int min, int max) {
      this.title = title;
      this.min = min;
      this.max = max;
    }

    /** The greatest number that does not mean the same as another. */
    private int last() {
      return this == DAY_OF_WEEK ? 6 : max;
    }

    private List<String> names() {
      return this == MONTH ? MONTHS : this == DAY_OF_WEEK ? DAYS : List.of();
    }
  }

  boolean matches(int number) {
    return allowed.get(number);
  }

  /** How many numbers match; Sunday counts once. */
  int size() {
    return allowed.get(0, unit.last() + 1).cardinality();
  }

  /** Whether the field restricts nothing. */
  boolean isAll() {
    return size() == unit.last() - unit.min + 1;
  }

  /**
   * The step, if exactly every step-th number from the least on matches and the step divides the
   * range evenly; else 0.
   */
  int step() {
    int count = unit.last() - unit.min + 1;
    int step = allowed.nextSetBit(unit.min + 1) - unit.min;
    if (step < 1 || count % step != 0 || size() != count / step) {
      return 0;
    }
    for (int i = unit.min; i <= unit.last(); i += step) {
      if (!allowed.get(i)) {
        return 0;
      }
    }
    return step;
  }

  /** The first number that matches from this one on, or -1. */
  int next(int from) {
    return allowed.nextSetBit(from);
  }

  /**
   * Reads a field.
   *
   * @throws IllegalArgumentException if the text is not a field, with a sentence that names the
   *     field
   */
  static CronField parse(Unit unit, String text) {
    BitSet allowed = new BitSet(unit.max + 1);
    for (String part : text.split(",", -1)) {
      add(unit, part, allowed);
    }
    if (unit == Unit.DAY_OF_WEEK && allowed.get(7)) {
      allowed.set(0);
      allowed.clear(7);
    }
    boolean isOpen = text.indexOf('*') >= 0 || text.indexOf('/') >= 0;
    return new CronField(unit, allowed, text.startsWith("*"), isOpen);
  }

  private static void add(Unit unit, String part, BitSet allowed) {
    int slash = part.indexOf('/');
    String range = slash < 0 ? part : part.substring(0, slash);
    int dash = range.indexOf('-');
    int from;
    int to;
    if (range.equals("*")) {
      from = unit.min;
      to = unit.last();
    } else if (dash >= 0) {
      from = number(unit, range.substring(0, dash));
      int last = number(unit, range.substring(dash + 1));
      // A week begins with Sunday and ends with it: MON-SUN.
      to = unit == Unit.DAY_OF_WEEK && last == 0 && from > 0 ? 7 : last;
    } else if (slash < 0) {
      from = number(unit, range);
      to = from;
    } else {
      throw wrong(unit, part, "a step needs a range or a star before it");
    }
    if (from > to) {
      throw wrong(unit, part, "the range ends before it begins");
    }
    int step = slash < 0 ? 1 : step(unit, part.substring(slash + 1));
    for (int i = from; i <= to; i += step) {
      allowed.set(i);
    }
  }

  private static int step(Unit unit, String text) {
    int step = digits(text);
    if (step < 1) {
      throw wrong(unit, text, "a step is a whole number from 1 on");
    }
    return step;
  }

  private static int number(Unit unit, String text) {
    int named = unit.names().indexOf(text.toUpperCase(Locale.ROOT));
    int number = named >= 0 ? named + unit.min : digits(text);
    if (number < unit.min || number > unit.max) {
      String names = unit.names().isEmpty() ? "" : ", or a name such as " + unit.names().get(1);
      throw wrong(unit, text, "allowed: %d to %d%s".formatted(unit.min, unit.max, names));
    }
    return number;
  }

  /** At most four digits, or -1. */
  private static int digits(String text) {
    return text.length() > 4 ? -1 : (int) Plan.number(text);
  }

  private static IllegalArgumentException wrong(Unit unit, String text, String why) {
    return new IllegalArgumentException(
        "the %s has '%s': %s".formatted(unit.title, shortened(text), why));
  }

  private static String shortened(String text) {
    return text.length() <= 20 ? text : text.substring(0, 20) + "...";
  }
}
