package io.delaybridge.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;

/** Operations on whole directories. */
final class Directories {

  private Directories() {}

  /** Makes one directory an exact copy of another. */
  static void replace(Path from, Path to) {
    if (!Files.isDirectory(from)) {
      throw new StackException(from + " is not a directory.");
    }
    delete(to);
    try {
      for (Path source : walk(from)) {
        Path copy = to.resolve(from.relativize(source));
        Files.createDirectories(copy.getParent());
        Files.copy(source, copy);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Creates a directory in the system's directory for temporary files. */
  static Path temporary(String prefix) {
    try {
      return Files.createTempDirectory(prefix);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes a directory and its contents. Does nothing if it does not exist. */
  static void delete(Path dir) {
    try {
      Utils.delete(dir.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> walk(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.toList();
    }
  }
}
