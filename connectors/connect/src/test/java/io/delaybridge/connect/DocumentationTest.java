package io.delaybridge.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.connect.callback.CallbackConfig;
import io.delaybridge.connect.it.Documentation;
import io.delaybridge.connect.transform.TransformConfig;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks docs/connect.md. If the tables are wrong, the message contains the right ones. */
class DocumentationTest {

  static List<Arguments> definitions() {
    return List.of(
        Arguments.of("transform", TransformConfig.DEFINITION),
        Arguments.of("sink", CallbackConfig.DEFINITION));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("definitions")
  void thePageHasExactlyTheOptions(String name, ConfigDef definition) {
    String page = Documentation.page();
    int begin = page.indexOf("<!-- " + name + " -->\n");
    int end = page.indexOf("<!-- /" + name + " -->");

    assertThat(page.substring(begin, end)).isEqualTo("<!-- " + name + " -->\n" + table(definition));
  }

  private static String table(ConfigDef definition) {
    return "| option | default | allowed | |\n|---|---|---|---|\n"
        + definition.configKeys().values().stream()
            .map(DocumentationTest::row)
            .collect(Collectors.joining());
  }

  private static String row(ConfigKey key) {
    return "| `%s` | %s | %s | %s |\n"
        .formatted(key.name, absent(key), allowed(key), key.documentation);
  }

  private static String absent(ConfigKey key) {
    if (!key.hasDefault()) {
      return "*required*";
    }
    String text = ConfigDef.convertToString(key.defaultValue, key.type);
    return text == null || text.isEmpty() ? "" : "`" + text + "`";
  }

  private static String allowed(ConfigKey key) {
    return String.valueOf(key.validator);
  }

  @Test
  void everyOptionIsInAGroupAndExplained() {
    for (ConfigDef definition : List.of(TransformConfig.DEFINITION, CallbackConfig.DEFINITION)) {
      assertThat(definition.configKeys().values())
          .allSatisfy(
              key -> {
                assertThat(key.group).isNotEmpty();
                assertThat(key.documentation).matches("(?s)[A-Za-z].+\\.");
                assertThat(String.valueOf(key.validator)).doesNotContain("@");
              });
    }
  }

  @Test
  void theExampleOfTheSinkIsValid() {
    Map<String, String> example = Documentation.example("callback-sink");

    assertThat(new CallbackSinkConnector().validate(example).configValues())
        .allSatisfy(value -> assertThat(value.errorMessages()).isEmpty());
  }
}
