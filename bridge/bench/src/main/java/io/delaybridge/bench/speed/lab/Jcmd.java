package io.delaybridge.bench.speed.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Commands to another JVM of this machine. */
public final class Jcmd {

  private Jcmd() {}

  /** Returns the bytes of live objects after a full collection. */
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
   * Lets the JVM change the classes that a recording needs to observe, which makes its compilers
   * start again. A later recording finds this done.
   */
  public static void prepareRecording(long pid) {
    run(pid, "JFR.start", "name=before", "settings=profile");
  }

  /** Starts a flight recording with the settings called profile. */
  public static void startRecording(long pid, Path file) {
    run(pid, "JFR.start", "name=bench", "settings=profile", "filename=" + file);
  }

  /** Stops the recording and writes the file. */
  public static void stopRecording(long pid) {
    run(pid, "JFR.stop", "name=bench");
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
