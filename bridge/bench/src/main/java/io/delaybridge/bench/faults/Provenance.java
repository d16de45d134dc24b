package io.delaybridge.bench.faults;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * The origin of a figure.
 *
 * @param commit commit of the source, with a plus sign if files have changed since
 * @param date ISO-8601, UTC
 * @param machine processors, memory, operating system, Java and Kafka
 */
record Provenance(String commit, String date, String machine) {

  static Provenance now() {
    return new Provenance(head(), Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(), here());
  }

  private static String head() {
    String found = git("rev-parse", "--short=10", "HEAD");
    // The files that a run writes do not change the code under test.
    String changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs");
    return found.isEmpty() ? "unknown" : found + (changed.isEmpty() ? "" : "+");
  }

  private static String git(String... words) {
    String[] command = new String[words.length + 1];
    command[0] = "git";
    System.arraycopy(words, 0, command, 1, words.length);
    try {
      Process git =
          new ProcessBuilder(command)
              .directory(Path.of(System.getProperty("root.dir", ".")).toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (InputStream out = git.getInputStream()) {
        return new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
      }
    } catch (IOException e) {
      // This is not a checkout, or there is no git: the result says so.
      return "";
    }
  }

  private static String here() {
    long memory =
        ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.OperatingSystemMXBean system
            ? system.getTotalMemorySize() >> 30
            : 0;
    return "%d processors, %d GiB, %s %s, Java %s, Kafka %s"
        .formatted(
            Runtime.getRuntime().availableProcessors(),
            memory,
            System.getProperty("os.name"),
            System.getProperty("os.arch"),
            System.getProperty("java.version"),
            AppInfoParser.getVersion());
  }
}
