package io.delaybridge.bench.speed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a reader must know of the machine. */
final class Machine {

  private Machine() {}

  /** Machine, date and command. */
  static Map<String, String> circumstances(List<String> args) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("command", "`mvn -q -Pbench -Dargs=\"%s\"`".formatted(String.join(" ", args)));
    all.put("date", Instant.now().truncatedTo(ChronoUnit.MINUTES).toString());
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
