package io.delaybridge.bench.speed.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Asks another JVM of this machine, or Linux about it. */
public final class Jcmd {

  /** USER_HZ, which is 100 on every Linux that Java runs on. */
  private static final long MILLIS_A_TICK = 10;

  private Jcmd() {}

  /** Bytes that live objects take, after a full collection. */
  public static long liveBytes(long pid) {
    String total =
        run(pid, "GC.class_histogram")
            .lines()
            .filter(line -> line.startsWith("Total"))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("GC.class_histogram gave no total"));
    return Long.parseLong(total.strip().split("\\s+", -1)[2]);
  }

  /**
   * Lets the JVM change the classes that a recording has to see, which makes its compilers begin
   * anew. What is recorded later finds it done.
   */
  public static void prepareRecording(long pid) {
    run(pid, "JFR.start", "name=before", "settings=profile");
  }

  /** Begins a flight recording with the settings called profile. */
  public static void startRecording(long pid, Path file) {
    run(pid, "JFR.start", "name=bench", "settings=profile", "filename=" + file);
  }

  /** Ends it and writes the file. */
  public static void stopRecording(long pid) {
    run(pid, "JFR.stop", "name=bench");
  }

  /** Milliseconds that the process has spent on a core: whole, so that differences are exact. */
  public static long cpuMillis(long pid) {
    try {
      return cpuMillis(Files.readString(Path.of("/proc/" + pid + "/stat")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Milliseconds that those threads of the process have spent on a core that live now.
   *
   * @param name what their names begin with; Linux has 15 characters of them
   */
  public static long cpuMillis(long pid, Pattern name) {
    long millis = 0;
    try (DirectoryStream<Path> threads =
        Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
      for (Path thread : threads) {
        String stat = Files.readString(thread.resolve("stat"));
        if (name.matcher(stat.substring(stat.indexOf('(') + 1)).lookingAt()) {
          millis += cpuMillis(stat);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return millis;
  }

  private static long cpuMillis(String stat) {
    // After the name, which may hold anything, in brackets; utime and stime are fields 14 and 15.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * MILLIS_A_TICK;
  }

  private static String run(long pid, String... words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
    command.add(Long.toString(pid));
    command.addAll(List.of(words));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(command + ": " + output);
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
