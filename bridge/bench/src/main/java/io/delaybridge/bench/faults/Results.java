package io.delaybridge.bench.faults;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The result files: one per row and guarantee, with the result of the last run. */
final class Results {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Path dir;

  Results(Path dir) {
    this.dir = dir;
  }

  /** Writes a result, which replaces the previous one. */
  Path write(Outcome outcome) {
    Path file = dir.resolve(outcome.row() + "." + outcome.guarantee().key() + ".json");
    try {
      Files.createDirectories(dir);
      return Files.writeString(file, JSON.writeValueAsString(outcome) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns all results, ordered by file name. */
  List<Outcome> read() {
    if (!Files.isDirectory(dir)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(dir)) {
      List<Outcome> outcomes = new ArrayList<>();
      for (Path file : files.filter(each -> each.toString().endsWith(".json")).sorted().toList()) {
        outcomes.add(JSON.readValue(file.toFile(), Outcome.class));
      }
      return outcomes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
