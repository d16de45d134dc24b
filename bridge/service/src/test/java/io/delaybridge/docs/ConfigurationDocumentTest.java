package io.delaybridge.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.docs.ConfigurationKeys.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Checks that {@code docs/configuration.md} has every key of the code, in its order, with its
 * default, its range and its environment variable. The meaning of a key is written by hand.
 */
class ConfigurationDocumentTest {

  private static final Path DOCUMENT = Page.root().resolve("docs/configuration.md");
  private static final String REGENERATE =
      "mvn -Dquick -pl bridge/service -am -Dtest=ConfigurationDocumentTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dconfig.write test";

  private static final String UNKNOWN = "TODO";

  @Test
  void theReferenceIsThatOfTheCode() throws IOException {
    List<String> written = Files.readAllLines(DOCUMENT);
    List<String> generated = generate(written, ConfigurationKeys.read());
    if (System.getProperty("config.write") != null) {
      Files.write(DOCUMENT, generated);
    }
    assertThat(Files.readAllLines(DOCUMENT))
        .as("If the configuration is meant to change, run: %s", REGENERATE)
        .isEqualTo(generated);
    assertThat(generated).as("say what is allowed").noneMatch(line -> line.contains(UNKNOWN));
  }

  /** The page with the rows of each section's table written anew. */
  private static List<String> generate(
      List<String> page, Map<String, Map<String, Setting>> sections) {
    List<String> result = new ArrayList<>();
    Map<String, Map<String, Setting>> missing = new LinkedHashMap<>(sections);
    Map<String, Setting> keys = Map.of();
    for (int i = 0; i < page.size(); i++) {
      String line = page.get(i);
      result.add(line);
      if (line.startsWith("## ")) {
        keys = sections.getOrDefault(line.substring(3), Map.of());
      }
      if (line.startsWith("| key | default |") && !keys.isEmpty()) {
        result.add(page.get(++i));
        Map<String, List<String>> rows = new LinkedHashMap<>();
        while (i + 1 < page.size() && page.get(i + 1).startsWith("| `")) {
          List<String> row = cells(page.get(++i));
          rows.put(row.get(0), row);
        }
        List<String> columns = cells(line);
        keys.forEach(
            (name, key) -> result.add(row(columns, rows.get("`" + name + "`"), name, key)));
        missing.values().remove(keys);
      }
    }
    assertThat(missing.keySet()).as("sections without a table").isEmpty();
    return result;
  }

  private static String row(
      List<String> columns, @Nullable List<String> written, String name, Setting key) {
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      String before = written == null || i >= written.size() ? UNKNOWN : written.get(i);
      cells.add(
          switch (columns.get(i)) {
            case "key" -> "`" + name + "`";
            case "default" -> key.standard() == null ? before : key.standard();
            case "allowed" -> key.allowed() == null ? before : key.allowed();
            case "variable" -> key.variable();
            default -> before;
          });
    }
    return "| " + String.join(" | ", cells).replace("|  |", "| |").strip() + " |";
  }

  /** A vertical line within a cell would be written as an entity; there is none. */
  private static List<String> cells(String line) {
    String[] parts = line.split("\\|", -1);
    return Arrays.stream(parts, 1, parts.length - 1).map(String::strip).toList();
  }
}
