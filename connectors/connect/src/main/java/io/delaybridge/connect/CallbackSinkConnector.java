package io.delaybridge.connect;

import io.delaybridge.connect.callback.CallbackConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.sink.SinkConnector;

/**
 * Calls a URL for each record of its topics. A 2xx answer settles the record. A 4xx answer other
 * than 408 and 429 makes it a dead letter. Any other result sends it back through the intake of the
 * bridge. Each record is called at least once.
 */
public final class CallbackSinkConnector extends SinkConnector {

  private static final List<String> CONVERTERS =
      List.of("key.converter", "value.converter", "header.converter");

  private Map<String, String> config = Map.of();

  @Override
  public String version() {
    return Version.get();
  }

  @Override
  public ConfigDef config() {
    return CallbackConfig.DEFINITION;
  }

  @Override
  public Config validate(Map<String, String> given) {
    List<ConfigValue> values = new ArrayList<>(super.validate(given).configValues());
    if (values.stream().allMatch(value -> value.errorMessages().isEmpty())) {
      new CallbackConfig(given).faults().forEach((key, fault) -> add(values, key, fault));
    }
    for (String key : CONVERTERS) {
      // The defaults of the worker are not known here.
      if (!CallbackConfig.CONVERTER.equals(given.get(key))) {
        add(values, key, "is '" + given.get(key) + "', allowed: " + CallbackConfig.CONVERTER);
      }
    }
    return new Config(values);
  }

  private static void add(List<ConfigValue> values, String key, String fault) {
    for (ConfigValue value : values) {
      if (value.name().equals(key)) {
        value.addErrorMessage(key + " " + fault);
        return;
      }
    }
    values.add(new ConfigValue(key, null, List.of(), new ArrayList<>(List.of(key + " " + fault))));
  }

  @Override
  public void start(Map<String, String> given) {
    new CallbackConfig(given)
        .faults()
        .forEach(
            (key, fault) -> {
              throw new ConfigException(key + " " + fault);
            });
    // The options of the worker can be null, which Map.copyOf does not take.
    config = Collections.unmodifiableMap(new HashMap<>(given));
  }

  @Override
  public Class<? extends Task> taskClass() {
    return CallbackSinkTask.class;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int maxTasks) {
    return Collections.nCopies(maxTasks, config);
  }

  @Override
  public void stop() {
    // Only the tasks have anything to stop.
  }
}
