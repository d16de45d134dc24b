package io.delaybridge.connect.options;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Recommender;
import org.apache.kafka.common.config.ConfigDef.Validator;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.jspecify.annotations.Nullable;

/** Builds a {@link ConfigDef} whose options are in groups, in the order in which they are added. */
public final class Options {

  private final ConfigDef definition = new ConfigDef();
  private String group = "";
  private int order;

  /** What is added from now on is in this group. */
  public Options group(String name) {
    group = name;
    order = 0;
    return this;
  }

  /**
   * Adds an option.
   *
   * @param absent its default; null for one that may be left out, {@link
   *     ConfigDef#NO_DEFAULT_VALUE} for one that must not
   */
  public Options add(
      String name,
      ConfigDef.Type type,
      @Nullable Object absent,
      Validator validator,
      String documentation) {
    return add(name, type, absent, validator, List.of(), documentation);
  }

  /**
   * Adds an option with recommended values.
   *
   * @param recommended what a user interface offers
   */
  public Options add(
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

  /** What was added. */
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
