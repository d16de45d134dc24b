package io.delaybridge.bench.speed.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The processor time of this machine up to a moment, in ticks of {@code /proc/stat}; all zero if
 * the system does not report it.
 *
 * @param idle unused time
 * @param stolen time that the host gave to others; while it is high, slowness and lateness have
 *     their cause outside
 */
public record Processors(long all, long idle, long stolen) {

  private static final Path STAT = Path.of("/proc/stat");
  private static final Pattern SPACES = Pattern.compile(" +");

  /** user, nice, system, idle, iowait, irq, softirq, steal; these include the later fields. */
  private static final int FIELDS = 8;

  private static final int IDLE = 4;
  private static final int WAITING = 5;

  /** Returns the time up to now. */
  public static Processors now() {
    try {
      return Files.exists(STAT) ? parse(Files.readString(STAT)) : new Processors(0, 0, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Parses the first line, which is the sum of all processors. */
  static Processors parse(String stat) {
    String[] words = SPACES.split(stat.lines().findFirst().orElse(""), -1);
    long all = 0;
    for (int i = 1; i <= FIELDS; i++) {
      all += Long.parseLong(words[i]);
    }
    long idle = Long.parseLong(words[IDLE]) + Long.parseLong(words[WAITING]);
    return new Processors(all, idle, Long.parseLong(words[FIELDS]));
  }

  /** Returns the idle percentage since then; not a number if the system does not report it. */
  public double idleSince(Processors before) {
    return 100.0 * (idle - before.idle) / (all - before.all);
  }

  /** Returns the stolen percentage since then; not a number if the system does not report it. */
  public double stolenSince(Processors before) {
    return 100.0 * (stolen - before.stolen) / (all - before.all);
  }
}
