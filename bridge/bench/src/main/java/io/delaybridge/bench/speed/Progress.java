package io.delaybridge.bench.speed;

import java.util.Locale;
import java.util.function.Consumer;

/** The progress of a run: one line for each step, with the seconds since the start. */
final class Progress {

  private final Consumer<String> out;
  private final long start = System.nanoTime();

  Progress(Consumer<String> out) {
    this.out = out;
  }

  void line(String format, Object... values) {
    double seconds = (System.nanoTime() - start) / 1e9;
    out.accept(
        String.format(
            Locale.ROOT, "[%4.0f s] %s", seconds, String.format(Locale.ROOT, format, values)));
  }
}
