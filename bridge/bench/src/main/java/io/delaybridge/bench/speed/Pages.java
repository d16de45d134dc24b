package io.delaybridge.bench.speed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/** The page, the JSON and the pictures of an experiment, which belong together. */
final class Pages {

  private Pages() {}

  /**
   * Moves all files from one directory to the other and replaces all earlier files of the
   * experiment there: a picture of an earlier run must not stand beside the page of this one.
   *
   * @param name of the experiment; its files are {@code name.*} and {@code name-*}
   */
  static void publish(Path from, Path to, String name) throws IOException {
    Files.createDirectories(to);
    for (Path old : list(to)) {
      if (old.getFileName().toString().matches(name + "[.-].*")) {
        Files.delete(old);
      }
    }
    for (Path page : list(from)) {
      Files.move(page, to.resolve(page.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static List<Path> list(Path dir) throws IOException {
    try (Stream<Path> all = Files.list(dir)) {
      return all.toList();
    }
  }
}
