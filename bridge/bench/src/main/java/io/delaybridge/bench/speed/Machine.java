package io.delaybridge.bench.speed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The facts that a reader must know about the machine and about the software on it. */
final class Machine {

  private Machine() {}

  /** Returns command, date, commit and machine. */
  static Map<String, String> circumstances(List<String> args, Path root) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("command", "`mvn -q -Pbench -Dargs=\"%s\"`".formatted(String.join(" ", args)));
    all.put("date", Instant.now().truncatedTo(ChronoUnit.MINUTES).toString());
    all.put("commit", commit(root));
    all.put(
        "machine",
        "%d cores (%s), %s of memory, %s %s; everything runs on it: broker, Redis, bridge, load"
            .formatted(
                Runtime.getRuntime().availableProcessors(),
                field("/proc/cpuinfo", "model name", "cpu unknown"),
                gibibytes(field("/proc/meminfo", "MemTotal", "?")),
                System.getProperty("os.name"),
                System.getProperty("os.version")));
    all.put("Java", System.getProperty("java.vm.version"));
    return all;
  }

  private static String commit(Path root) {
    try {
      String commit = git(root, "rev-parse", "--short", "HEAD");
      String changed = git(root, "status", "--porcelain", "--", ".", ":(exclude)docs");
      return (commit.isEmpty() ? "not known" : commit) + (changed.isEmpty() ? "" : ", changed");
    } catch (IOException e) {
      return "not known, without git";
    }
  }

  private static String git(Path root, String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(words));
    Process git =
        new ProcessBuilder(command)
            .directory(root.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    return new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  private static String gibibytes(String kilobytes) {
    String digits = kilobytes.replaceAll("\\D", "");
    return digits.isEmpty() ? kilobytes : (Long.parseLong(digits) >> 20) + " GiB";
  }

  private static String field(String file, String name, String absent) {
    Path path = Path.of(file);
    if (!Files.exists(path)) {
      return absent;
    }
    try {
      return Files.readAllLines(path).stream()
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(absent);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
