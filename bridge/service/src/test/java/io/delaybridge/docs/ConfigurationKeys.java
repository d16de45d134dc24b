package io.delaybridge.docs;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.delaybridge.BridgeConfiguration;
import io.dropwizard.util.Duration;
import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The keys of the configuration in the code, with the known facts about each. */
final class ConfigurationKeys {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Invalid values by type, so that the bridge reports the valid ones. */
  private static final Map<Class<?>, String> WRONG =
      Map.of(Integer.class, "-2", Double.class, "-1", Duration.class, "\"10000d\"");

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z_]+):-(.*)}");
  private static final Pattern ALLOWED = Pattern.compile("allowed: (.+)");

  private ConfigurationKeys() {}

  /**
   * The description of a key in the reference.
   *
   * @param standard its default in the file of this repository; null if the file has none
   * @param allowed the range that the bridge reports for a wrong value; null if it is not a range
   * @param variable the environment variable, empty if there is none
   */
  record Setting(@Nullable String standard, @Nullable String allowed, String variable) {}

  /** Returns the settings by section, then by key within it, in the order of the code. */
  static Map<String, Map<String, Setting>> read() throws IOException {
    JsonNode file =
        new YAMLMapper().readTree(Page.root().resolve("bridge/service/config.yml").toFile());
    Map<String, Map<String, Setting>> sections = new LinkedHashMap<>();
    for (Map.Entry<String, Type> section : parameters(BridgeConfiguration.class).entrySet()) {
      Map<String, Setting> keys = new LinkedHashMap<>();
      Type type = section.getValue();
      // A map of sections has the keys of one of them.
      Class<?> record =
          type instanceof ParameterizedType map
              ? (Class<?>) map.getActualTypeArguments()[1]
              : (Class<?>) type;
      collect("", record, file.path(section.getKey()), keys);
      sections.put(section.getKey(), keys);
    }
    return sections;
  }

  private static void collect(
      String prefix, Class<?> record, JsonNode file, Map<String, Setting> keys) {
    parameters(record)
        .forEach(
            (name, type) -> {
              JsonNode value = file.path(name);
              if (type instanceof Class<?> nested && isSection(nested)) {
                collect(prefix + name + ".", nested, value, keys);
              } else {
                keys.put(prefix + name, key(value, allowed(record, name, type)));
              }
            });
  }

  private static boolean isSection(Class<?> type) {
    return type.isRecord() && type.getName().startsWith("io.delaybridge.");
  }

  private static Setting key(JsonNode value, @Nullable String allowed) {
    if (value.isMissingNode()) {
      return new Setting(null, allowed, "");
    }
    Matcher variable = VARIABLE.matcher(text(value));
    return variable.find()
        ? new Setting(
            code(text(value).replace(variable.group(), variable.group(2))),
            allowed,
            "`" + variable.group(1) + "`")
        : new Setting(code(text(value)), allowed, "");
  }

  private static String text(JsonNode value) {
    return value.isArray()
        ? StreamSupport.stream(value.spliterator(), false)
            .map(each -> '"' + each.asText() + '"')
            .collect(Collectors.joining(", ", "[", "]"))
        : value.isObject() ? value.toString() : value.asText();
  }

  private static String code(String text) {
    return text.isEmpty() ? "empty" : "`" + text + "`";
  }

  private static @Nullable String allowed(Class<?> record, String name, Type type) {
    if (type == Boolean.class) {
      return "`true`, `false`";
    }
    String wrong = type instanceof Class<?> known ? WRONG.get(known) : null;
    if (wrong == null) {
      return null;
    }
    try {
      JSON.readValue("{\"" + name + "\": " + wrong + "}", record);
      throw new IllegalStateException(record + "." + name + " takes " + wrong);
    } catch (IOException e) {
      Matcher allowed =
          ALLOWED.matcher(String.valueOf(e.getMessage()).lines().findFirst().orElseThrow());
      if (!allowed.find()) {
        throw new IllegalStateException(record + "." + name + ": " + e.getMessage(), e);
      }
      return allowed.group(1);
    }
  }

  private static Map<String, Type> parameters(Class<?> type) {
    Map<String, Type> parameters = new LinkedHashMap<>();
    Optional<Executable> creator =
        Stream.concat(
                Arrays.<Executable>stream(type.getConstructors()), Arrays.stream(type.getMethods()))
            .filter(each -> each.isAnnotationPresent(JsonCreator.class))
            .findFirst();
    if (creator.isEmpty()) {
      for (RecordComponent each : type.getRecordComponents()) {
        parameters.put(each.getName(), each.getGenericType());
      }
      return parameters;
    }
    List.of(creator.get().getParameters())
        .forEach(
            each ->
                parameters.put(
                    Objects.requireNonNull(each.getAnnotation(JsonProperty.class)).value(),
                    each.getParameterizedType()));
    return parameters;
  }
}
