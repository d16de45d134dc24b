package io.delaybridge.bench.speed;

import java.io.PrintStream;
import java.util.Locale;

/** Tells what is going on: one line for each step, with the seconds since the start. */
final class Progress {

  private final PrintStream out;
  private final long start = System.nanoTime();

  Progress(PrintStream out) {
    this.out = out;
  }

  void line(String format, Object... values) {
    out.printf(
        Locale.ROOT,
        "[%4.0f s] %s%n",
        (System.nanoTime() - start) / 1e9,
        String.format(Locale.ROOT, format, values));
  }
}
