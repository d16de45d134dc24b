package io.delaybridge.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The CPU time of processes on this machine, in milliseconds, as Linux reports it. */
public final class CpuTime {

  /** The compiler threads of a JVM, which are busy for minutes after its start. */
  public static final Pattern COMPILERS = Pattern.compile("C[12] Compiler");

  /** USER_HZ, which is 100 on every Linux that Java runs on. */
  private static final long MILLIS_A_TICK = 10;

  private CpuTime() {}

  /** Returns the CPU time of all threads, including ended ones, so that differences are exact. */
  public static long of(long pid) {
    try {
      return millis(Files.readString(Path.of("/proc/" + pid + "/stat")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the CPU time of the live threads with matching names.
   *
   * @param name the pattern for the beginning of a thread name; Linux keeps 15 characters of a name
   */
  public static long of(long pid, Pattern name) {
    long millis = 0;
    try (DirectoryStream<Path> threads =
        Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
      for (Path thread : threads) {
        String stat = Files.readString(thread.resolve("stat"));
        if (name.matcher(stat.substring(stat.indexOf('(') + 1)).lookingAt()) {
          millis += millis(stat);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return millis;
  }

  private static long millis(String stat) {
    // Skips the bracketed name, which may contain anything. utime and stime are fields 14 and 15.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * MILLIS_A_TICK;
  }
}
