package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The Helm chart of this checkout, as {@code helm} renders it. */
final class Chart {

  static final YAMLMapper YAML = new YAMLMapper();
  static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
  static final Path DIR = ROOT.resolve("docker/kubernetes");

  private Chart() {}

  /** The output of a program, and its exit code. */
  record Said(int exit, String text) {}

  /** Skips the test if the program is not installed. */
  static void assumeProgram(String name, String where) {
    assumeTrue(
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
            .anyMatch(dir -> Files.isExecutable(Path.of(dir, name))),
        name + " is not on the PATH (" + where + ")");
  }

  static void assumeHelm() {
    assumeProgram("helm", "go install helm.sh/helm/v4/cmd/helm@latest");
  }

  /** Runs a program to its end. */
  static Said run(List<String> command) throws IOException, InterruptedException {
    Path said = Files.createTempFile("said", ".txt");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .start();
      int exit = process.waitFor();
      return new Said(exit, Files.readString(said, StandardCharsets.UTF_8));
    } finally {
      Files.delete(said);
    }
  }

  /** {@code helm template} of this chart, a directory or an archive, with these values. */
  static Said template(Path chart, String values) throws IOException, InterruptedException {
    Path file = Files.writeString(Files.createTempFile("values", ".yaml"), values);
    try {
      return run(
          List.of("helm", "template", "later", chart.toString(), "--values", file.toString()));
    } finally {
      Files.delete(file);
    }
  }

  /** Returns the documents that the chart renders for these values. */
  static List<JsonNode> render(String values) throws IOException, InterruptedException {
    Said said = template(DIR, values);
    assertThat(said.exit()).as(said.text()).isZero();
    return documents(said.text());
  }

  static List<JsonNode> documents(String yaml) throws IOException {
    // Helm prints a warning for each link before the first document.
    String from = yaml.substring(yaml.indexOf("---\n"));
    List<JsonNode> all = new ArrayList<>();
    try (var values = YAML.readerFor(JsonNode.class).<JsonNode>readValues(from)) {
      values.forEachRemaining(
          each -> {
            if (each.isObject()) {
              all.add(each);
            }
          });
    }
    return all;
  }

  /** Returns the only document of its kind, or nothing. */
  static JsonNode one(List<JsonNode> documents, String kind) {
    List<JsonNode> found =
        documents.stream().filter(each -> each.path("kind").asText().equals(kind)).toList();
    assertThat(found).as(kind).hasSizeLessThan(2);
    return found.isEmpty() ? MissingNode.getInstance() : found.get(0);
  }
}
