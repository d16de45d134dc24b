package io.delaybridge.bench.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Directories of runs, under the target of this module. */
final class Scratch {

  private Scratch() {}

  static Path dir(Path root, String name) {
    try {
      Path parent = Files.createDirectories(root.resolve("bridge/bench/target/faults"));
      return Files.createTempDirectory(parent, name + "-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Nobody looks at the logs of a run that went well, and they are large. */
  static void remove(Path dir) {
    try (Stream<Path> all = Files.walk(dir)) {
      for (Path each : List.copyOf(all.sorted(Comparator.reverseOrder()).toList())) {
        Files.delete(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
