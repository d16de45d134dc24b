package io.delaybridge.config;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.dropwizard.util.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the Kafka clients.
 *
 * @param properties properties of every client of the bridge; any property that Kafka knows
 * @param consumer properties of the consumers; they override {@code properties}
 * @param producer properties of the producers; they override {@code properties}
 * @param admin properties of the admin client; they override {@code properties}
 */
public record KafkaConfig(
    String bootstrapServers,
    String groupId,
    Duration startTimeout,
    Map<String, String> properties,
    Map<String, String> consumer,
    Map<String, String> producer,
    Map<String, String> admin) {

  /** Properties that the guarantees depend on, which cannot be configured. */
  private static final Set<String> FIXED =
      Set.of(
          "bootstrap.servers",
          "group.id",
          "group.instance.id",
          "group.protocol",
          "enable.auto.commit",
          "auto.offset.reset",
          "isolation.level",
          "allow.auto.create.topics",
          "enable.idempotence",
          "acks",
          "transactional.id",
          "key.serializer",
          "value.serializer",
          "key.deserializer",
          "value.deserializer");

  /** Defaults and checks. */
  @JsonCreator
  public static KafkaConfig of(
      @JsonProperty("bootstrapServers") @Nullable String bootstrapServers,
      @JsonProperty("groupId") @Nullable String groupId,
      @JsonProperty("startTimeout") @Nullable Duration startTimeout,
      @JsonProperty("properties") @Nullable Map<String, String> properties,
      @JsonProperty("consumer") @Nullable Map<String, String> consumer,
      @JsonProperty("producer") @Nullable Map<String, String> producer,
      @JsonProperty("admin") @Nullable Map<String, String> admin) {
    return new KafkaConfig(
        Check.text("kafka.bootstrapServers", bootstrapServers, "127.0.0.1:9092"),
        Check.text("kafka.groupId", groupId, "delay-bridge"),
        Check.range(
            "kafka.startTimeout",
            startTimeout,
            Duration.seconds(60),
            Duration.seconds(1),
            Duration.hours(1)),
        passed("kafka.properties", properties),
        passed("kafka.consumer", consumer),
        passed("kafka.producer", producer),
        passed("kafka.admin", admin));
  }

  /**
   * Returns the configured properties of a client.
   *
   * @param own properties of clients of its kind; they override {@code properties}
   */
  public Map<String, Object> given(Map<String, String> own) {
    Map<String, Object> all = new HashMap<>(properties);
    all.putAll(own);
    all.put("bootstrap.servers", bootstrapServers);
    return all;
  }

  private static Map<String, String> passed(
      String section, @Nullable Map<String, String> properties) {
    Map<String, String> given = properties == null ? Map.of() : properties;
    for (Map.Entry<String, String> property : given.entrySet()) {
      if (FIXED.contains(property.getKey())) {
        throw Check.wrong(
            section + "." + property.getKey(),
            "'" + property.getValue() + "'",
            "nothing, the bridge sets this property itself");
      }
      // A variable that is not set leaves nothing behind the colon, which is YAML's null.
      if (property.getValue() == null) {
        throw Check.wrong(
            section + "." + property.getKey(), "null", "a text, or '' for an empty one");
      }
    }
    return Map.copyOf(given);
  }
}
