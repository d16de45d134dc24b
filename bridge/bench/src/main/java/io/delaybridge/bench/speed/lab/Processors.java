package io.delaybridge.bench.speed.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * How much of this machine's processor time its host has given to others meanwhile (steal in {@code
 * /proc/stat}). Nothing is slow or late by its own fault while that is much.
 */
public final class Stolen {

  private static final Path STAT = Path.of("/proc/stat");
  private static final Pattern SPACES = Pattern.compile(" +");

  /** user, nice, system, idle, iowait, irq, softirq, steal; what follows is part of the first. */
  private static final int FIELDS = 8;

  private final Ticks begun = read();

  private record Ticks(long all, long stolen) {}

  /** Percent of all processor time since this was made; not a number where no system tells. */
  public double percent() {
    return percent(begun, read());
  }

  /** The same between two texts of {@code /proc/stat}. */
  static double percent(String before, String after) {
    return percent(parse(before), parse(after));
  }

  private static double percent(Ticks before, Ticks after) {
    return 100.0 * (after.stolen - before.stolen) / (after.all - before.all);
  }

  private static Ticks read() {
    try {
      return Files.exists(STAT) ? parse(Files.readString(STAT)) : new Ticks(0, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The first line is of all processors together. */
  private static Ticks parse(String stat) {
    String[] words = SPACES.split(stat.lines().findFirst().orElse(""), -1);
    long all = 0;
    for (int i = 1; i <= FIELDS; i++) {
      all += Long.parseLong(words[i]);
    }
    return new Ticks(all, Long.parseLong(words[FIELDS]));
  }
}
