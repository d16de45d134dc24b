package io.delaybridge.it;

import io.delaybridge.stack.StackSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * The data of one version of the bridge, in a zip file: the final data of the broker ({@code
 * kafka/}) and of Redis ({@code redis/}), earlier data of Redis ({@code older/}), and the messages
 * that must still arrive ({@code expected.tsv}).
 */
final class Bottle {

  static final String EXPECTED = "expected.tsv";
  static final String OLDER = "older";
  static final String LATE = "late";

  /** Disables expiry, so that data of any age can be read. */
  static final StackSettings STACK =
      StackSettings.NONE.kafka("offsets.retention.minutes", "1000000000");

  static final String HORIZON = "4 minutes";

  private Bottle() {}

  /** Uses the same names in every run, so that earlier data is found again. */
  static Scenario scenario(World world) {
    return new Scenario(world, 0)
        .partitions(2)
        .intake("horizon", HORIZON)
        .delivery("retry", "{firstBackoff: 1 minute, maxBackoff: 1 minute}");
  }

  /**
   * Exactly one record that must be there.
   *
   * @param source of the intake record
   * @param value in hexadecimal digits, or {@code null}
   */
  record Expected(String source, String topic, String value) {

    String line() {
      return String.join("\t", source, topic, value);
    }

    static Expected parse(String line) {
      String[] fields = line.split("\t", -1);
      return new Expected(fields[0], fields[1], fields[2]);
    }
  }

  static List<Expected> expected(Path dir) throws IOException {
    try (Stream<String> lines = Files.lines(dir.resolve(EXPECTED), StandardCharsets.UTF_8)) {
      return lines.map(Expected::parse).toList();
    }
  }

  /** Fills a directory with the data of a version. */
  static void open(String version, Path dir) throws IOException {
    String name = "/earlier/" + version + ".zip";
    try (InputStream in = Objects.requireNonNull(Bottle.class.getResourceAsStream(name), name);
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = dir.resolve(entry.getName());
        Files.createDirectories(file.getParent());
        Files.copy(zip, file);
      }
    }
  }

  /** Writes the files of a directory that a later run needs. */
  static void close(Path dir, Path file) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file));
        Stream<Path> files = Files.walk(dir)) {
      for (Path each : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = dir.relativize(each).toString();
        if (name.matches("(kafka/data|redis/data|older)/.*|" + EXPECTED)) {
          zip.putNextEntry(new ZipEntry(name));
          Files.copy(each, zip);
        }
      }
    }
  }
}
