package io.delaybridge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.dropwizard.configuration.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Files with likely mistakes of operators: the bridge refuses them and names the place, or accepts
 * them.
 */
class BadConfigurationTest {

  private static final YAMLMapper YAML = new YAMLMapper();
  private static final List<String> JUNK =
      List.of(
          "null",
          "\"\"",
          "\"x\"",
          "-1",
          "0",
          "1e99",
          "99999999999999999999",
          "true",
          "[]",
          "[1]",
          "{}",
          "{a: 1}",
          "[[[]]]",
          "\"5 parsecs\"",
          "\"9999999999999 days\"",
          "\"\\0\"",
          "\"(\"");

  @Test
  void junkAtAnyKeyIsRefusedWithThatKeyOrAccepted() throws IOException {
    int refused = 0;
    for (List<String> path : leaves(shipped(), List.of())) {
      for (String junk : JUNK) {
        ObjectNode file = shipped();
        JsonNode section = file;
        for (String key : path.subList(0, path.size() - 1)) {
          section = section.path(key);
        }
        ((ObjectNode) section).set(path.get(path.size() - 1), YAML.readTree(junk));
        refused += isRefused(YAML.writeValueAsString(file), path, junk) ? 1 : 0;
      }
    }
    assertThat(refused).isGreaterThan(200);
  }

  private static boolean isRefused(String yaml, List<String> path, String junk) throws IOException {
    try {
      BridgeConfigurationTest.parsed(yaml);
      return false;
    } catch (ConfigurationException e) {
      // If a section as a whole is wrong, the message names the section.
      String section = path.get(Math.max(0, path.size() - 2));
      assertThat(e.getMessage())
          .as("%s: %s", path, junk)
          .containsAnyOf(path.get(path.size() - 1), section);
      return true;
    }
  }

  @Test
  void anyTextIsAConfigurationOrRefused() throws IOException {
    Noise noise = new Noise(Long.getLong("noise.seed", 1));
    String shipped = YAML.writeValueAsString(shipped());
    int refused = 0;
    for (int i = 0; i < 1_000; i++) {
      try {
        BridgeConfigurationTest.parsed(noise.changed(shipped));
      } catch (ConfigurationException e) {
        assertThat(e.getMessage()).contains("test.yml");
        refused++;
      } catch (IllegalArgumentException e) {
        // Dropwizard's message for a null document.
        assertThat(e).hasMessageContaining("must not be null");
        refused++;
      } catch (IOException e) {
        // Characters that YAML does not allow.
        refused++;
      }
    }
    assertThat(refused).isBetween(100, 950);
  }

  /** Returns the file without Dropwizard's own sections, with the defaults of all variables. */
  private static ObjectNode shipped() throws IOException {
    String text = Files.readString(Path.of("config.yml"));
    ObjectNode file = (ObjectNode) YAML.readTree(text.replaceAll("\\$\\{\\w+:-([^}]*)}", "$1"));
    file.remove(List.of("server", "logging"));
    return file;
  }

  private static List<List<String>> leaves(JsonNode node, List<String> path) {
    List<List<String>> leaves = new ArrayList<>();
    node.properties()
        .forEach(
            field -> {
              List<String> inner = new ArrayList<>(path);
              inner.add(field.getKey());
              leaves.add(inner);
              leaves.addAll(leaves(field.getValue(), inner));
            });
    return leaves;
  }
}
