package io.delaybridge;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.delaybridge.config.ApiConfig;
import io.delaybridge.config.DeadLettersConfig;
import io.delaybridge.config.DeliveryConfig;
import io.delaybridge.config.IntakeConfig;
import io.delaybridge.config.KafkaConfig;
import io.delaybridge.config.RedisConfig;
import io.delaybridge.config.TargetsConfig;
import io.delaybridge.config.TenantConfig;
import io.delaybridge.config.TopicsConfig;
import io.delaybridge.message.Reading;
import io.delaybridge.schemas.DelayTopics;
import io.delaybridge.shard.LoopSettings;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.server.DefaultServerFactory;
import io.dropwizard.jetty.ConnectorFactory;
import io.dropwizard.jetty.HttpConnectorFactory;
import io.dropwizard.util.Duration;
import io.dropwizard.validation.selfvalidating.SelfValidating;
import io.dropwizard.validation.selfvalidating.SelfValidation;
import io.dropwizard.validation.selfvalidating.ViolationCollector;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The configuration file. The sections {@code server}, {@code logging} and {@code metrics} are
 * Dropwizard's.
 */
@SelfValidating
public final class BridgeConfiguration extends Configuration {

  private final KafkaConfig kafka;
  private final IntakeConfig intake;
  private final Map<String, TenantConfig> intakes;
  private final TargetsConfig targets;
  private final DeliveryConfig delivery;
  private final RedisConfig redis;
  private final TopicsConfig topics;
  private final ApiConfig api;
  private final DeadLettersConfig deadLetters;

  /** Uses the defaults for a section that is missing. */
  @JsonCreator
  public BridgeConfiguration(
      @JsonProperty("kafka") @Nullable KafkaConfig kafka,
      @JsonProperty("intake") @Nullable IntakeConfig intake,
      @JsonProperty("intakes") @Nullable Map<String, TenantConfig> intakes,
      @JsonProperty("targets") @Nullable TargetsConfig targets,
      @JsonProperty("delivery") @Nullable DeliveryConfig delivery,
      @JsonProperty("redis") @Nullable RedisConfig redis,
      @JsonProperty("topics") @Nullable TopicsConfig topics,
      @JsonProperty("api") @Nullable ApiConfig api,
      @JsonProperty("deadLetters") @Nullable DeadLettersConfig deadLetters) {
    this.kafka = kafka == null ? KafkaConfig.of(null, null, null, null, null, null, null) : kafka;
    KafkaClients.check(this.kafka);
    this.intake =
        intake == null
            ? IntakeConfig.of(null, null, null, null, null, null, null, null, null)
            : intake;
    this.intakes = intakes == null ? Map.of() : tenants(intakes);
    this.targets = targets == null ? TargetsConfig.of(null) : targets;
    this.delivery =
        delivery == null
            ? DeliveryConfig.of(null, null, null, null, null, null, null, null, null, null)
            : delivery;
    this.redis = redis == null ? RedisConfig.of(null, null, null, null, null, null, null) : redis;
    this.topics = topics == null ? TopicsConfig.of(null, null, null, null, null) : topics;
    this.api = api == null ? ApiConfig.of(null, null, null, null) : api;
    setServerFactory(loopback());
    this.deadLetters =
        deadLetters == null ? DeadLettersConfig.of(null, null, null, null) : deadLetters;
    checkTopics(this.intake.topics(), this.delivery.deadLetterTopic(), marksTopic());
    checkProgressTopic();
    for (String topic : this.intakes.keySet()) {
      if (!this.intake.topics().contains(topic)) {
        throw new IllegalArgumentException(
            "intakes has '%s', allowed: the topics of intake.topics, %s"
                .formatted(topic, this.intake.topics()));
      }
    }
    // Checks the laps.
    this.intake.topics().forEach(this::far);
  }

  /** Has it refuse the last of two values of a key, 2.9 for a whole number and 1 for a boolean. */
  static ObjectMapper strict(ObjectMapper mapper) {
    mapper
        .coercionConfigFor(LogicalType.Boolean)
        .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail);
    return mapper
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);
  }

  /**
   * Checks that no topic has two purposes. A later topic may be left over from a time with a
   * horizon.
   */
  private static void checkTopics(List<String> intakes, String deadLetters, String marks) {
    List<String> later = intakes.stream().map(DelayTopics::laterOf).toList();
    if (intakes.contains(deadLetters) || intakes.contains(marks) || later.contains(deadLetters)) {
      throw new IllegalArgumentException(
          ("delivery.deadLetterTopic is '%s', allowed: a topic that is neither an intake nor a"
                  + " later topic, and whose marks topic '%s' is not an intake")
              .formatted(deadLetters, marks));
    }
    if (intakes.stream().anyMatch(later::contains)) {
      throw new IllegalArgumentException(
          "intake.topics is %s, allowed: no topic that is another one followed by %s"
              .formatted(intakes, DelayTopics.LATER_SUFFIX));
    }
  }

  /**
   * Checks that the progress topic has no other use. It is compacted, which would lose the records
   * of any other topic.
   */
  private void checkProgressTopic() {
    if (topicsOfMessages().contains(delivery.progressTopic())) {
      throw new IllegalArgumentException(
          "delivery.progressTopic is '%s', allowed: a topic that the bridge uses for nothing else"
              .formatted(delivery.progressTopic()));
    }
  }

  /** Listens on the loopback address only; Dropwizard's own default is open to every machine. */
  private static DefaultServerFactory loopback() {
    DefaultServerFactory server = new DefaultServerFactory();
    server.setApplicationConnectors(loopback(HttpConnectorFactory.application()));
    server.setAdminConnectors(loopback(HttpConnectorFactory.admin()));
    return server;
  }

  private static List<ConnectorFactory> loopback(ConnectorFactory connector) {
    ((HttpConnectorFactory) connector).setBindHost("127.0.0.1");
    return List.of(connector);
  }

  /** Checks who can reach the ports, which only the sections together tell. */
  @SelfValidation
  public void checkExposure(ViolationCollector violations) {
    new Exposure(api, getServerFactory()).faults().forEach(violations::addViolation);
  }

  /** How to reach Kafka. */
  public KafkaConfig kafka() {
    return kafka;
  }

  /** The intake: what comes in. */
  public IntakeConfig intake() {
    return intake;
  }

  /** An intake with an empty section is like all others. */
  private static Map<String, TenantConfig> tenants(Map<String, TenantConfig> given) {
    Map<String, TenantConfig> tenants = new HashMap<>(given);
    tenants.replaceAll((topic, tenant) -> Objects.requireNonNullElse(tenant, TenantConfig.NONE));
    return Map.copyOf(tenants);
  }

  /** Returns what is different for one of the intakes. */
  public TenantConfig tenant(String topic) {
    return intakes.getOrDefault(topic, TenantConfig.NONE);
  }

  /** Returns the longest delay of one of the intakes. */
  private Duration longestDelay(String topic) {
    Duration own = tenant(topic).longestDelay();
    return own == null ? intake.longestDelay() : own;
  }

  /** Returns how records of one of the intakes are read that nobody has read before. */
  public Reading reading(String topic) {
    Boolean own = tenant(topic).passesUnknown();
    boolean passes = own == null ? intake.passesUnknown() : own;
    int level = intake.reading();
    return new Reading(
        longestDelay(topic).toMilliseconds(), far(topic).horizon(), level, passes || level == 0);
  }

  /** Returns the most messages of one partition of that intake that a turn takes from Redis. */
  public int maxMessages(String topic) {
    Integer own = tenant(topic).maxMessages();
    return own == null ? delivery.turn().maxMessages() : own;
  }

  /**
   * Returns how much later than due a message of that intake may go out so that it goes with
   * others.
   */
  public Duration tolerance(String topic) {
    Duration own = tenant(topic).tolerance();
    return own == null ? delivery.tolerance() : own;
  }

  /**
   * Returns what happens to messages of one of the intakes that are due far ahead. If the longest
   * delay of the intake is within the horizon, no message can be far, and it has no horizon.
   */
  public LoopSettings.Far far(String topic) {
    LoopSettings.Far far = intake.far(tenant(topic));
    boolean any = far.horizon() > 0 && longestDelay(topic).toMilliseconds() > far.horizon();
    return any ? far : LoopSettings.Far.OFF;
  }

  /**
   * Returns how long the records of each intake, and of each later topic that is needed, are of
   * use. Does not include {@code topics.outage}.
   */
  public Map<String, java.time.Duration> longestStays() {
    Map<String, java.time.Duration> stays = new HashMap<>();
    for (String topic : intake.topics()) {
      LoopSettings.Far far = far(topic);
      long waits = longestDelay(topic).toMilliseconds();
      if (far.horizon() > 0) {
        stays.put(DelayTopics.laterOf(topic), java.time.Duration.ofMillis(far.lap()));
        waits = far.horizon();
      }
      stays.put(topic, java.time.Duration.ofMillis(waits).plus(delivery.retry().longestSpan()));
    }
    return stays;
  }

  /** Where messages may go. */
  public TargetsConfig targets() {
    return targets;
  }

  /** Delivery: what goes out. */
  public DeliveryConfig delivery() {
    return delivery;
  }

  /** How to reach Redis. */
  public RedisConfig redis() {
    return redis;
  }

  /** The topics of the bridge itself. */
  public TopicsConfig topics() {
    return topics;
  }

  /** Who may call the HTTP API. */
  public ApiConfig api() {
    return api;
  }

  /** The settings of the dead-letter index, of replays and of alerts. */
  public DeadLettersConfig deadLetters() {
    return deadLetters;
  }

  /** The topic that records what was done about dead letters. */
  public String marksTopic() {
    return DelayTopics.marksOf(delivery.deadLetterTopic());
  }

  /** The topics of the bridge itself, which are never a target. */
  public Set<String> controlTopics() {
    Set<String> topics = topicsOfMessages();
    if (!delivery.progressTopic().isEmpty()) {
      topics.add(delivery.progressTopic());
    }
    return topics;
  }

  private Set<String> topicsOfMessages() {
    Set<String> topics = new HashSet<>(intake.topics());
    intake.topics().forEach(topic -> topics.add(DelayTopics.laterOf(topic)));
    topics.add(delivery.deadLetterTopic());
    topics.add(marksTopic());
    return topics;
  }

  /**
   * Returns those of the bridge's topics that are compacted. They have one partition each, because
   * they are read in their order.
   */
  public Set<String> compactedTopics() {
    Set<String> topics = new HashSet<>();
    if (deadLetters.enabled()) {
      topics.add(marksTopic());
    }
    if (!delivery.progressTopic().isEmpty()) {
      topics.add(delivery.progressTopic());
    }
    return topics;
  }
}
