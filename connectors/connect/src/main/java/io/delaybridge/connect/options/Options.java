package io.delaybridge.connect.options;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Recommender;
import org.apache.kafka.common.config.ConfigDef.Validator;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.jspecify.annotations.Nullable;

/** Builds a {@link ConfigDef} with options in groups, in the order in which they are added. */
public final class Options {

  private static final Map<Class<?>, ConfigDef.Type> TYPES =
      Map.of(
          Integer.class,
          ConfigDef.Type.INT,
          Long.class,
          ConfigDef.Type.LONG,
          Boolean.class,
          ConfigDef.Type.BOOLEAN);

  private final ConfigDef definition = new ConfigDef();
  private String group = "";
  private int order;

  /** Sets the group of the options that are added next. */
  public Options group(String name) {
    group = name;
    order = 0;
    return this;
  }

  /**
   * Adds an option.
   *
   * @param absent its default, which also gives its type; {@link ConfigDef#NO_DEFAULT_VALUE} for a
   *     text that must be given
   */
  public Options add(String name, Object absent, Validator validator, String documentation) {
    return add(name, absent, validator, List.of(), documentation);
  }

  /**
   * Adds an option with recommended values.
   *
   * @param recommended the values that a user interface offers
   */
  public Options add(
      String name,
      Object absent,
      Validator validator,
      List<String> recommended,
      String documentation) {
    ConfigDef.Type type =
        absent instanceof List
            ? ConfigDef.Type.LIST
            : TYPES.getOrDefault(absent.getClass(), ConfigDef.Type.STRING);
    return define(name, type, absent, validator, recommended, documentation);
  }

  /** Adds an option whose value is one of these words. */
  public Options choice(String name, String absent, List<String> words, String documentation) {
    return add(name, absent, Allowed.oneOf(words), words, documentation);
  }

  /** Adds an optional text that is not shown. */
  public Options password(String name, String documentation) {
    return define(
        name,
        ConfigDef.Type.PASSWORD,
        null,
        Allowed.anyOrNone("any text"),
        List.of(),
        documentation);
  }

  private Options define(
      String name,
      ConfigDef.Type type,
      @Nullable Object absent,
      Validator validator,
      List<String> recommended,
      String documentation) {
    boolean required = ConfigDef.NO_DEFAULT_VALUE.equals(absent);
    definition.define(
        name,
        type,
        absent,
        validator,
        required ? Importance.HIGH : Importance.MEDIUM,
        documentation,
        group,
        ++order,
        Width.MEDIUM,
        name,
        recommended.isEmpty() ? null : new Recommended(List.copyOf(recommended)));
    return this;
  }

  /** Returns the definition of the options added so far. */
  public ConfigDef definition() {
    return definition;
  }

  private record Recommended(List<Object> values) implements Recommender {

    @Override
    public List<Object> validValues(String name, Map<String, Object> parsed) {
      return values;
    }

    @Override
    public boolean visible(String name, Map<String, Object> parsed) {
      return true;
    }
  }
}
