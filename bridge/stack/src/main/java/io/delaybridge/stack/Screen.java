package io.delaybridge.stack;

import java.io.PrintStream;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** The aligned output of the local run. */
final class Screen {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

  private final PrintStream out;

  Screen(PrintStream out) {
    this.out = out;
  }

  /** Prints a line unchanged. */
  synchronized void line(String text) {
    out.println(text);
    out.flush();
  }

  /** Prints a name, a text and a remark in columns. */
  void item(String name, String what, String remark) {
    line("  %-9s%-34s%s".formatted(name, what, remark).stripTrailing());
  }

  void arrival(Arrival arrival) {
    String time = LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS).format(TIME);
    line(
        "  %s  %-8s %-32s%s"
            .formatted(
                time, arrival.isDead() ? "dead" : "arrived", arrival.value(), arrival.verdict()));
  }

  /** Returns the time since a value of {@link System#nanoTime}, as in "1.2 s". */
  static String since(long startNanos) {
    return String.format(Locale.ROOT, "%.1f s", (System.nanoTime() - startNanos) / 1e9);
  }
}
