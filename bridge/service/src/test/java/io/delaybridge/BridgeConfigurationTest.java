package io.delaybridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
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
import io.delaybridge.shard.IntakeStart;
import io.delaybridge.shard.LoopSettings;
import io.delaybridge.stack.Certificates;
import io.delaybridge.store.redis.RedisTls;
import io.delaybridge.store.redis.SentinelLogin;
import io.dropwizard.configuration.ConfigurationException;
import io.dropwizard.configuration.ConfigurationFactory;
import io.dropwizard.configuration.ConfigurationSourceProvider;
import io.dropwizard.configuration.DefaultConfigurationFactoryFactory;
import io.dropwizard.configuration.FileConfigurationSourceProvider;
import io.dropwizard.configuration.SubstitutingSourceProvider;
import io.dropwizard.jackson.Jackson;
import io.dropwizard.jersey.validation.Validators;
import io.dropwizard.util.Duration;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The configuration file as the application reads it. */
class BridgeConfigurationTest {

  private static final long DAY = Duration.days(1).toMilliseconds();
  private static final long YEAR = 365 * DAY;

  private static final String SHIPPED = "config.yml";

  /** The one that Dropwizard makes for an application. */
  private static final ConfigurationFactory<BridgeConfiguration> FACTORY =
      new DefaultConfigurationFactoryFactory<BridgeConfiguration>()
          .create(
              BridgeConfiguration.class,
              Validators.newValidator(),
              BridgeConfiguration.strict(Jackson.newObjectMapper()),
              "dw");

  private static BridgeConfiguration read(
      ConfigurationSourceProvider source, String path, Map<String, String> environment)
      throws IOException, ConfigurationException {
    // Independent of the environment of this process.
    Variables variables = new Variables(environment::get);
    return FACTORY.build(new SubstitutingSourceProvider(source, variables), path);
  }

  private static BridgeConfiguration shipped(Map<String, String> environment)
      throws IOException, ConfigurationException {
    return read(new FileConfigurationSourceProvider(), SHIPPED, environment);
  }

  static BridgeConfiguration parsed(String yaml) throws IOException, ConfigurationException {
    return read(
        path -> new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)),
        "test.yml",
        Map.of());
  }

  private static List<String> patterns(BridgeConfiguration configuration) {
    return configuration.targets().allowed().stream().map(Pattern::pattern).toList();
  }

  static Stream<Map<String, String>> environmentsThatSayNothing() throws IOException {
    Map<String, String> empty =
        Pattern.compile("\\$\\{(\\w+)")
            .matcher(Files.readString(Path.of(SHIPPED)))
            .results()
            .collect(Collectors.toMap(variable -> variable.group(1), variable -> "", (a, b) -> a));
    return Stream.of(Map.of(), empty);
  }

  @ParameterizedTest
  @MethodSource("environmentsThatSayNothing")
  void theShippedFileHoldsTheDefaults(Map<String, String> environment)
      throws IOException, ConfigurationException {
    BridgeConfiguration shipped = shipped(environment);
    BridgeConfiguration defaults = parsed("{}");

    assertThat(shipped.kafka()).isEqualTo(defaults.kafka());
    assertThat(shipped.intake()).isEqualTo(defaults.intake());
    assertThat(patterns(shipped)).isEqualTo(patterns(defaults));
    assertThat(shipped.delivery()).isEqualTo(defaults.delivery());
    assertThat(shipped.redis()).isEqualTo(defaults.redis());
    assertThat(shipped.topics()).isEqualTo(defaults.topics());
    assertThat(shipped.api()).isEqualTo(defaults.api());
    assertThat(shipped.tenant("delay-intake")).isEqualTo(TenantConfig.NONE);
    assertThat(shipped.deadLetters()).isEqualTo(defaults.deadLetters());
  }

  @Test
  void anIntakeWithNothingBehindItIsAsAllOthers() throws Exception {
    assertThat(parsed("intakes: {delay-intake: }").tenant("delay-intake"))
        .isEqualTo(TenantConfig.NONE);
  }

  @Test
  void anIntakeMayHaveAnotherShareOfTheTurn() throws Exception {
    BridgeConfiguration config =
        parsed(
            "{intake: {topics: [urgent, bulk]}, intakes: {bulk: {maxMessages: 7}},"
                + " delivery: {turn: {maxMessages: 70}}}");

    assertThat(config.maxMessages("bulk")).isEqualTo(7);
    assertThat(config.maxMessages("urgent")).isEqualTo(70);
  }

  @Test
  void anIntakeMayLetUnknownHeadersPass() throws Exception {
    BridgeConfiguration config =
        parsed("{intake: {topics: [old, new]}, intakes: {old: {unknownHeaders: pass}}}");
    BridgeConfiguration other =
        parsed(
            "{intake: {topics: [old, new], unknownHeaders: PASS},"
                + " intakes: {new: {unknownHeaders: reject}}}");

    assertThat(config.reading("new")).isEqualTo(Reading.latest(YEAR, DAY));
    assertThat(config.reading("old").passesUnknown()).isTrue();
    assertThat(config.reading("old").level()).isEqualTo(Reading.LATEST);
    assertThat(other.reading("old").passesUnknown()).isTrue();
    assertThat(other.reading("new").passesUnknown()).isFalse();
  }

  @Test
  void forTheTimeOfAnUpgradeRecordsAreReadAsEarlierBuildsReadThem() throws Exception {
    assertThat(parsed("{intake: {reading: 0}}").reading("delay-intake"))
        .isEqualTo(Reading.early(YEAR, DAY));
  }

  /** The retention that is asked for is that of the longest delay then. */
  @ParameterizedTest
  @ValueSource(strings = {"{horizon: 0s}", "{longestDelay: 1 hour}", "{longestDelay: 1 day}"})
  void withoutAHorizonThatCountsACalendarWaitsForTheLongestDelay(String intake) throws Exception {
    BridgeConfiguration config = parsed("{intake: " + intake + "}");
    Reading reading = config.reading("delay-intake");

    assertThat(reading.longestWait()).isEqualTo(config.intake().longestDelay().toMilliseconds());
    assertThat(config.longestStays().get("delay-intake"))
        .isGreaterThanOrEqualTo(java.time.Duration.ofMillis(reading.longestWait()));
  }

  @Test
  void withAHorizonACalendarMayWaitForTenYearsAndTheIntakeKeepsItsRecordsForTheHorizon()
      throws Exception {
    BridgeConfiguration config = parsed("{}");

    assertThat(config.reading("delay-intake").longestWait()).isEqualTo(Reading.LONGEST_CALENDAR);
    assertThat(config.longestStays().get("delay-intake")).isLessThan(java.time.Duration.ofDays(2));
  }

  @Test
  void anIntakeMayHaveAnotherTolerance() throws Exception {
    BridgeConfiguration config =
        parsed(
            "{intake: {topics: [urgent, bulk]}, intakes: {urgent: {tolerance: 0 ms}},"
                + " delivery: {tolerance: 50 ms}}");

    assertThat(config.tolerance("urgent").toMilliseconds()).isZero();
    assertThat(config.tolerance("bulk").toMilliseconds()).isEqualTo(50);
  }

  @Test
  void theDefaultsAreWhatTheDocumentationPromises() throws IOException, ConfigurationException {
    BridgeConfiguration defaults = parsed("{}");

    assertThat(defaults.delivery().guarantee()).isEqualTo(DeliveryConfig.Guarantee.EXACTLY_ONCE);
    assertThat(defaults.intake().topics()).containsExactly("delay-intake");
    assertThat(defaults.intake().defaultTarget()).isNull();
    assertThat(defaults.intake().longestDelay()).isEqualTo(Duration.days(365));
    assertThat(defaults.far("delay-intake")).isEqualTo(far(24 * 60, 12 * 60));
    assertThat(defaults.intake().start()).isEqualTo(IntakeStart.ASK);
    assertThat(defaults.delivery().deadLetterTopic()).isEqualTo("delay-deadletter");
    assertThat(defaults.topics().strict()).isTrue();
    assertThat(defaults.api()).isEqualTo(new ApiConfig(null, false, false, 2 << 20));
  }

  static Stream<Arguments> sections() {
    return Stream.of(
        Arguments.of("/kafka", KafkaConfig.class),
        Arguments.of("/intake", IntakeConfig.class),
        Arguments.of("/targets", TargetsConfig.class),
        Arguments.of("/delivery", DeliveryConfig.class),
        Arguments.of("/delivery/turn", DeliveryConfig.TurnBounds.class),
        Arguments.of("/delivery/retry", DeliveryConfig.Retry.class),
        Arguments.of("/redis", RedisConfig.class),
        Arguments.of("/redis/tls", RedisTls.class),
        Arguments.of("/redis/sentinel", SentinelLogin.class),
        Arguments.of("/topics", TopicsConfig.class),
        Arguments.of("/api", ApiConfig.class),
        Arguments.of("/deadLetters", DeadLettersConfig.class),
        Arguments.of("/deadLetters/alert", DeadLettersConfig.Alert.class));
  }

  @ParameterizedTest
  @MethodSource("sections")
  void theShippedFileShowsEveryKey(String section, Class<?> type) throws IOException {
    JsonNode file = new YAMLMapper().readTree(new File(SHIPPED));
    Set<String> shown = new TreeSet<>();
    file.at(section).fieldNames().forEachRemaining(shown::add);

    assertThat(shown).isEqualTo(known(type));
  }

  private static Set<String> known(Class<?> type) {
    Stream<String> ofTheFactory =
        Arrays.stream(type.getDeclaredMethods())
            .filter(method -> method.getName().equals("of"))
            .flatMap(of -> Arrays.stream(of.getParameters()))
            .map(parameter -> parameter.getAnnotation(JsonProperty.class))
            .map(property -> Objects.requireNonNull(property).value());
    Set<String> names = ofTheFactory.collect(Collectors.toCollection(TreeSet::new));
    if (names.isEmpty()) {
      Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName).forEach(names::add);
    }
    return names;
  }

  @Test
  void theEnvironmentOverridesTheShippedFile() throws IOException, ConfigurationException {
    BridgeConfiguration configuration =
        shipped(
            Map.of(
                "KAFKA_BOOTSTRAP_SERVERS", "kafka:9093",
                "LONGEST_DELAY", "30 days",
                "INTAKE_START", "latest",
                "DELIVERY_GUARANTEE", "at_least_once",
                "DELIVERY_LOOPS", "5",
                "REDIS_URI", "redis://redis:6380",
                "REDIS_CLUSTER", "true",
                "TOPICS_CREATE", "false",
                "TOPICS_REPLICATION", "3",
                "API_TOKENS", "tokens.txt"));
    BridgeConfiguration letters =
        shipped(
            Map.of(
                "INTAKE_SKIP_DELETED", "true",
                "DEADLETTERS_ENABLED", "false",
                "DEADLETTERS_WEBHOOK", "http://a/b"));

    assertThat(configuration.kafka().bootstrapServers()).isEqualTo("kafka:9093");
    assertThat(configuration.intake().longestDelay()).isEqualTo(Duration.days(30));
    assertThat(configuration.intake().start()).isEqualTo(IntakeStart.LATEST);
    assertThat(configuration.intake().skipDeleted()).isFalse();
    assertThat(configuration.delivery().guarantee())
        .isEqualTo(DeliveryConfig.Guarantee.AT_LEAST_ONCE);
    assertThat(configuration.delivery().loops()).isEqualTo(5);
    assertThat(configuration.redis().uri()).isEqualTo("redis://redis:6380");
    assertThat(configuration.redis().cluster()).isTrue();
    assertThat(configuration.topics().create()).isFalse();
    assertThat(configuration.topics().replicationFactor()).isEqualTo(3);
    assertThat(configuration.api().tokens()).isEqualTo("tokens.txt");
    assertThat(letters.intake().skipDeleted()).isTrue();
    assertThat(letters.deadLetters().enabled()).isFalse();
    assertThat(letters.deadLetters().alert().webhook()).hasToString("http://a/b");
  }

  /** Without quotes, YAML would read these as another type. */
  @ParameterizedTest
  @ValueSource(strings = {"off", "YES", "007", "1_000", "0x1F", "1e3", "null"})
  void aNameFromTheEnvironmentIsText(String name) throws IOException, ConfigurationException {
    BridgeConfiguration configuration =
        shipped(
            Map.of(
                "KAFKA_GROUP_ID", name,
                "INTAKE_TOPIC", name,
                "REDIS_PREFIX", name));
    BridgeConfiguration progress = shipped(Map.of("PROGRESS_TOPIC", name));

    assertThat(configuration.kafka().groupId()).isEqualTo(name);
    assertThat(configuration.intake().topics()).containsExactly(name);
    assertThat(configuration.redis().prefix()).isEqualTo(name);
    assertThat(progress.delivery().progressTopic()).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "typo: 1",
        "kafka: {bootstrapServer: 'a:1'}",
        "intake: {topic: a}",
        "intakes: {delay-intake: {quota: 1}}",
        "targets: {allow: []}",
        "delivery: {loop: 1}",
        "delivery: {turn: {maxMessage: 1}}",
        "delivery: {retry: {attempts: 1}}",
        "redis: {url: 'redis://a:1'}",
        "redis: {tls: {ca: /dev/null}}",
        "topics: {partition: 1}",
        "api: {token: x}",
        "deadLetters: {index: 1}",
        "deadLetters: {alert: {url: ''}}"
      })
  void anUnknownKeyIsRefused(String yaml) {
    assertThatThrownBy(() -> parsed(yaml))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("Unrecognized field");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "kafka: {bootstrapServers: ' '}; kafka.bootstrapServers is ''; not empty",
        "kafka: {groupId: ''}; kafka.groupId is ''; not empty",
        "kafka: {startTimeout: 500ms}; kafka.startTimeout is 500 milliseconds; 1 second to 1 hour",
        "kafka: {startTimeout: 2h}; kafka.startTimeout is 2 hours; 1 second to 1 hour",
        "intake: {topics: []}; intake.topics is []; at least one topic",
        "intake: {topics: ['a b']}; intake.topics is 'a b'; 1 to 243 letters",
        "intake: {topics: ['.']}; intake.topics is '.'; 1 to 243 letters",
        "intake: {topics: [a, null]}; intake.topics is [a, null]; no empty items",
        "targets: {allowed: [null]}; targets.allowed is [null]; no empty items",
        "intakes: {delay-intake: {allowedTargets: [null]}}; intakes.*.allowedTargets is [null]; no"
            + " empty items",
        "intake: {topics: [a, b, a]}; intake.topics is [a, b, a]; each topic once",
        "kafka: {properties: {ssl.key.password: }}; kafka.properties.ssl.key.password is null; a"
            + " text",
        "intake: {defaultTarget: 'a/b'}; intake.defaultTarget is 'a/b'; 1 to 249 letters",
        "intake: {horizon: 3651d}; intake.horizon is 3651 days; 0 seconds, or 2 seconds to 3650"
            + " days",
        "intake: {horizon: 1s}; intake.horizon is 1 second; 0 seconds, or 2 seconds to 3650 days",
        "intake: {lap: 999ms}; intake.lap is 999 milliseconds; 1 second to 3650 days",
        "intake: {horizon: 1h, lap: 31m}; intake.lap is 31 minutes; half of the horizon, which is 1"
            + " hour",
        "intakes: {delay-intake: {horizon: 3651d}}; intakes.*.horizon is 3651 days; or 2 seconds to"
            + " 3650 days",
        "intakes: {delay-intake: {horizon: 1s}}; intakes.*.horizon is 1 second; 0 seconds, or 2"
            + " seconds",
        "intakes: {delay-intake: {lap: 999ms}}; intakes.*.lap is 999 milliseconds; 1 second to 3650"
            + " days",
        "intakes: {delay-intake: {horizon: 1h, lap: 31m}}; intakes.*.lap is 31 minutes; half of the"
            + " horizon",
        "{intake: {horizon: 1h}, intakes: {delay-intake: {lap: 31m}}}; intakes.*.lap is 31 m; which"
            + " is 1 hour",
        "intake: {longestDelay: 1ms}; intake.longestDelay is 1 millisecond; 1 second to 3650 days",
        "intake: {longestDelay: 3651d}; intake.longestDelay is 3651 days; 1 second to 3650 days",
        "intakes: {other: {}}; intakes has 'other'; intake.topics",
        "intakes: {delay-intake: {allowedTargets: ['(']}}; intakes.*.allowedTargets is '('; regular"
            + " expressions",
        "intakes: {delay-intake: {defaultTarget: 'a/b'}}; intakes.*.defaultTarget is 'a/b'; 1 to"
            + " 249 letters",
        "intakes: {delay-intake: {longestDelay: 1ms}}; intakes.*.longestDelay is 1 millisecond; 1"
            + " second to 3650 days",
        "intakes: {delay-intake: {largestValue: -1}}; intakes.*.largestValue is -1; 0 to"
            + " 1000000000",
        "intakes: {delay-intake: {pending: -1}}; intakes.*.pending is -1; 0 to 1000000000",
        "intakes: {delay-intake: {rate: -1}}; intakes.*.rate is -1; 0 to 1000000000",
        "intakes: {delay-intake: {maxMessages: 0}}; intakes.*.maxMessages is 0; 1 to 5000",
        "intake: {start: now}; intake.start is 'now'; ask, earliest or latest",
        "targets: {allowed: ['(']}; targets.allowed is '('; regular expressions",
        "delivery: {guarantee: twice}; delivery.guarantee is 'twice'; exactly_once or"
            + " at_least_once",
        "delivery: {loops: 0}; delivery.loops is 0; 1 to 64",
        "delivery: {loops: 65}; delivery.loops is 65; 1 to 64",
        "delivery: {tolerance: 501ms}; delivery.tolerance is 501 milliseconds; 0 milliseconds to"
            + " 500 milliseconds",
        "intakes: {delay-intake: {tolerance: 1s}}; intakes.*.tolerance is 1 second; 0 milliseconds"
            + " to 500 milliseconds",
        "delivery: {turn: {maxMessages: 0}}; delivery.turn.maxMessages is 0; 1 to 5000",
        "delivery: {turn: {maxMessages: 5001}}; delivery.turn.maxMessages is 5001; 1 to 5000",
        "delivery: {turn: {maxBytes: 0}}; delivery.turn.maxBytes is 0; 1 to 67108864",
        "delivery: {turn: {longest: 999ms}}; delivery.turn.longest is 999 milli; 1 second to 10"
            + " min",
        "delivery: {turn: {longest: 11m}}; delivery.turn.longest is 11 minutes; 1 second to 10 min",
        "delivery: {turn: {maxBytes: 67108865}}; delivery.turn.maxBytes is 67108865; to 67108864",
        "delivery: {retry: {maxAttempts: 0}}; delivery.retry.maxAttempts is 0; 1 to 100",
        "delivery: {retry: {maxAttempts: 101}}; delivery.retry.maxAttempts is 101; 1 to 100",
        "delivery: {retry: {firstBackoff: 0s}}; delivery.retry.firstBackoff is 0 s; 1 day",
        "delivery: {retry: {firstBackoff: 2d}}; delivery.retry.firstBackoff is 2 days; 1 day",
        "delivery: {retry: {maxBackoff: 1ms}}; delivery.retry.maxBackoff is 1 m; 1 second to 1 day",
        "delivery: {retry: {maxBackoff: 2d}}; delivery.retry.maxBackoff is 2 days; to 1 day",
        "delivery: {deadLetterTopic: ''}; delivery.deadLetterTopic is ''; 1 to 243 letters",
        "{intake: {topics: [d-marks]}, delivery: {deadLetterTopic: d}}; delivery.deadLetterTopic"
            + " is; -marks",
        "intake: {topics: [a, a-later]}; intake.topics is [a, a-later]; no topic that is another"
            + " one followed by -later",
        "delivery: {deadLetterTopic: delay-intake-later}; delivery.deadLetterTopic is; a later"
            + " topic",
        "delivery: {deadLetterTopic: delay-intake}; delivery.deadLetterTopic is; not an intake",
        "delivery: {checkpointEvery: 99ms}; delivery.checkpointEvery is 99 m; 100 milliseconds to"
            + " 1",
        "delivery: {checkpointEvery: 61s}; delivery.checkpointEvery is 61 seconds; to 1 minute",
        "delivery: {progressTopic: 'a b'}; delivery.progressTopic is 'a b'; 1 to 249 letters",
        "delivery: {progressTopic: delay-intake-later}; delivery.progressTopic is; uses for nothing"
            + " else",
        "delivery: {overdueAlarm: 999ms}; delivery.overdueAlarm is 999 milli; 1 second to 1 day",
        "delivery: {overdueAlarm: 25h}; delivery.overdueAlarm is 25 hours; 1 second to 1 day",
        "deadLetters: {maxIndexed: 0}; deadLetters.maxIndexed is 0; 1 to 10000000",
        "deadLetters: {maxIndexed: 10000001}; deadLetters.maxIndexed is 10000001; 1 to 10000000",
        "deadLetters: {maxReplays: 0}; deadLetters.maxReplays is 0; 1 to 100",
        "deadLetters: {maxReplays: 101}; deadLetters.maxReplays is 101; 1 to 100",
        "deadLetters: {alert: {threshold: -1}}; deadLetters.alert.threshold is -1; 0 to 10000",
        "deadLetters: {alert: {threshold: 10001}}; deadLetters.alert.threshold is 10001; 0 to"
            + " 10000",
        "deadLetters: {alert: {window: 999ms}}; deadLetters.alert.window is 999 m; 1 second to 1"
            + " day",
        "deadLetters: {alert: {window: 25h}}; deadLetters.alert.window is 25 h; 1 second to 1 day",
        "deadLetters: {alert: {cooldown: 0s}}; deadLetters.alert.cooldown is 0 s; 1 second to 7"
            + " days",
        "deadLetters: {alert: {cooldown: 8d}}; deadLetters.alert.cooldown is 8 d; 1 second to 7"
            + " days",
        "redis: {prefix: 'a{b'}; redis.prefix is 'a{b'; a text without { and }",
        "redis: {prefix: 'a}b'}; redis.prefix is 'a}b'; a text without { and }",
        "redis: {prefix: ''}; redis.prefix is ''; not empty",
        "redis: {uri: ''}; redis.uri is ''; not empty",
        "redis: {timeout: 49ms}; redis.timeout is 49 milliseconds; 50 milliseconds to 30 seconds",
        "redis: {timeout: 31s}; redis.timeout is 31 seconds; 50 milliseconds to 30 seconds",
        "redis: {highWaterMark: 0}; redis.highWaterMark is 0.0; more than 0, at most 1",
        "redis: {highWaterMark: 1.01}; redis.highWaterMark is 1.01; more than 0, at most 1",
        "redis: {tls: {trust: /no/file}}; redis.tls.trust is /no/file; can read",
        "redis: {tls: {trust: pom.xml}}; redis.tls cannot be used; PEM",
        "redis: {tls: {certificate: pom.xml, key: pom.xml}}; redis.tls cannot be used; PKCS#8",
        "redis: {sentinel: {user: bridge}}; redis.sentinel.user is 'bridge'; a password as well",
        "redis: {sentinel: {password: secret}}; redis.sentinel is set; redis-sentinel://",
        "redis: {tls: {certificate: /no/file}}; redis.tls.certificate is /no/file; can read",
        "redis: {tls: {key: /dev/null}}; redis.tls.certificate is null and redis.tls.key is"
            + " /dev/null; both",
        "redis: {highWaterMark: NaN}; redis.highWaterMark is NaN; more than 0, at most 1",
        "topics: {partitions: 0}; topics.partitions is 0; 1 to 10000",
        "topics: {partitions: 10001}; topics.partitions is 10001; 1 to 10000",
        "topics: {replicationFactor: 0}; topics.replicationFactor is 0; -1 or 1 to 32",
        "topics: {replicationFactor: -2}; topics.replicationFactor is -2; -1 to 32",
        "topics: {replicationFactor: 33}; topics.replicationFactor is 33; -1 to 32",
        "topics: {outage: 59s}; topics.outage is 59 seconds; 1 minute to 3650 days",
        "topics: {outage: 3651d}; topics.outage is 3651 days; 1 minute to 3650 days",
        "api: {maxBodyBytes: 1023}; api.maxBodyBytes is 1023; 1024 to 67108864",
        "api: {maxBodyBytes: 67108865}; api.maxBodyBytes is 67108865; 1024 to 67108864"
      },
      quoteCharacter = '"')
  void aValueOutOfItsRangeIsNamedWithItsKeyAndWhatIsAllowed(
      String yaml, String keyAndValue, String allowed) {
    assertThatThrownBy(() -> parsed(yaml))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(keyAndValue)
        .hasMessageContaining("allowed: ")
        .hasMessageContaining(allowed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "delivery: {loops: 2.9}; delivery.loops",
        "delivery: {loops: 2.0}; delivery.loops",
        "delivery: {loops: '2.9'}; delivery.loops",
        "delivery: {loops: 1e1}; delivery.loops",
        "delivery: {loops: true}; delivery.loops",
        "delivery: {turn: {maxBytes: 1.5}}; delivery.turn.maxBytes",
        "delivery: {retry: {maxAttempts: 3.5}}; delivery.retry.maxAttempts",
        "intakes: {delay-intake: {rate: 0.5}}; intakes.delay-intake.rate",
        "topics: {partitions: 8.5}; topics.partitions",
        "deadLetters: {alert: {threshold: 9.9}}; deadLetters.alert.threshold",
        "deadLetters: {enabled: 0}; deadLetters.enabled",
        "api: {insecure: 1}; api.insecure",
        "api: {insecure: 0.0}; api.insecure",
        "api: {adminOpen: 'on'}; api.adminOpen"
      })
  void aValueOfAnotherTypeIsNotTakenForTheRightOne(String yaml, String key) {
    assertThatThrownBy(() -> parsed(yaml))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(" at: " + key + ";");
  }

  @Test
  void textThatIsANumberIsANumberAndANumberIsText() throws Exception {
    BridgeConfiguration config =
        parsed(
            "{delivery: {loops: '3'}, deadLetters: {enabled: 'false'}, kafka: {groupId: 7},"
                + " intakes: {delay-intake: {rate: '50'}}}");

    assertThat(config.delivery().loops()).isEqualTo(3);
    assertThat(config.deadLetters().enabled()).isFalse();
    assertThat(config.kafka().groupId()).isEqualTo("7");
    assertThat(config.tenant("delay-intake").rate()).isEqualTo(50);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{delivery: {loops: 2, loops: 2}}",
        "{delivery: {loops: 2}, api: {}, delivery: {tolerance: 0 ms}}",
        "{intakes: {delay-intake: {rate: 1}, delay-intake: {}}}"
      })
  void aKeyThatIsThereTwiceIsRefused(String yaml) {
    assertThatThrownBy(() -> parsed(yaml))
        .isInstanceOf(IOException.class)
        .hasMessageMatching("(?s).*Duplicate field '(loops|delivery|delay-intake)'.*line: 1.*");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kafka: {startTimeout: 1s}",
        "kafka: {startTimeout: 1h}",
        "intake: {longestDelay: 1s}",
        "intake: {longestDelay: 3650d}",
        "intake: {horizon: 0d}",
        "intake: {horizon: 2s, lap: 1s}",
        "intake: {horizon: 3650d, lap: 1825d}",
        "intakes: {delay-intake: {horizon: 2s, lap: 1s}}",
        "delivery: {loops: 1}",
        "delivery: {loops: 64}",
        "delivery: {turn: {maxMessages: 5000, maxBytes: 67108864}}",
        "delivery: {turn: {maxMessages: 1, maxBytes: 1, longest: 1s}}",
        "delivery: {turn: {longest: 10m}}",
        "delivery: {retry: {maxAttempts: 1, firstBackoff: 1ms, maxBackoff: 1ms}}",
        "delivery: {retry: {maxAttempts: 100, firstBackoff: 1d, maxBackoff: 1d}}",
        "delivery: {checkpointEvery: 100ms, overdueAlarm: 1s}",
        "delivery: {checkpointEvery: 1m, overdueAlarm: 1d}",
        "redis: {timeout: 50ms, highWaterMark: 0.01}",
        "redis: {timeout: 30s, highWaterMark: 1}",
        "redis: {uri: 'redis://u:p@a:1,b:2', cluster: true}",
        "redis: {uri: 'redis-sentinel://u:p@a:1,b:2#m'}",
        "redis: {uri: 'redis-sentinel://:p@a:1,b:2#m', sentinel: {password: q}}",
        "redis: {uri: 'rediss-sentinel://a:1,b:2#m', sentinel: {user: u, password: q}}",
        "redis: {sentinel: {user: '', password: ''}}",
        "deadLetters: {maxIndexed: 1, maxReplays: 1, alert: {threshold: 0, window: 1s, cooldown:"
            + " 1s}}",
        "deadLetters: {maxIndexed: 10000000, maxReplays: 100}",
        "deadLetters: {alert: {threshold: 10000, window: 1d, cooldown: 7d}}",
        "topics: {partitions: 1, replicationFactor: 1, outage: 1m}",
        "topics: {partitions: 10000, replicationFactor: 32, outage: 3650d}",
        "api: {maxBodyBytes: 1024}",
        "api: {maxBodyBytes: 67108864}"
      })
  void theBoundsThemselvesAreAllowed(String yaml) throws IOException, ConfigurationException {
    assertThat(parsed(yaml)).isNotNull();
  }

  @Test
  void theHorizonAndTheLapOfAnIntakeAreItsOwn() throws IOException, ConfigurationException {
    BridgeConfiguration of =
        parsed(
            """
            intake: {topics: [all, none, short, own, half, lap], horizon: 4h, lap: 1h}
            intakes:
              none: {horizon: 0s}
              short: {longestDelay: 4h}
              own: {horizon: 10h, lap: 2h}
              half: {horizon: 1h}
              lap: {lap: 30m}
            """);

    assertThat(of.far("all")).isEqualTo(far(240, 60));
    assertThat(of.far("none")).isEqualTo(LoopSettings.Far.OFF);
    assertThat(of.far("short")).isEqualTo(LoopSettings.Far.OFF);
    assertThat(of.far("own")).isEqualTo(far(600, 120));
    assertThat(of.far("half")).isEqualTo(far(60, 30));
    assertThat(of.far("lap")).isEqualTo(far(240, 30));
  }

  private static LoopSettings.Far far(long horizonMinutes, long lapMinutes) {
    return new LoopSettings.Far(horizonMinutes * 60_000, lapMinutes * 60_000);
  }

  @Test
  void anIntakeKeepsItsRecordsForItsHorizonAndItsLaterTopicForALap() throws Exception {
    BridgeConfiguration of =
        parsed(
            """
            intake: {topics: [near, far, short], longestDelay: 30 days, horizon: 0s}
            intakes: {far: {horizon: 1 day, lap: 6h}, short: {horizon: 1 day, longestDelay: 2h}}
            """);
    java.time.Duration retries = of.delivery().retry().longestSpan();

    assertThat(of.longestStays())
        .containsOnly(
            Map.entry("near", java.time.Duration.ofDays(30).plus(retries)),
            Map.entry("far", java.time.Duration.ofDays(1).plus(retries)),
            Map.entry("far-later", java.time.Duration.ofHours(6)),
            Map.entry("short", java.time.Duration.ofHours(2).plus(retries)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "uri: 'http://:s3cret@host:1'",
        "uri: 'redis://:s3cret and more@host:1'",
        "uri: 'redis://:s3cret and more@host:1', cluster: true",
        "uri: 'redis://host:1', sentinel: {password: s3cret}"
      })
  void aRedisAddressThatIsNoneIsRefusedWithoutShowingItsPassword(String redis) {
    assertThatThrownBy(() -> parsed("redis: {" + redis + "}"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("redis.uri")
        .hasMessageContaining("redis-sentinel://")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void redisMayHaveCertificatesIfItsAddressUsesThem(@TempDir Path dir)
      throws IOException, ConfigurationException {
    Certificates files = Certificates.in(dir);
    String tls =
        "tls: {trust: '%1$s', certificate: '%1$s', key: '%2$s'}"
            .formatted(files.certificate(), files.key());

    assertThat(parsed("redis: {uri: 'rediss://u:p@a:1', " + tls + "}")).isNotNull();
    assertThatThrownBy(() -> parsed("redis: {uri: 'redis://:s3cret@a:1', " + tls + "}"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("redis.tls is set")
        .hasMessageContaining("rediss://")
        .hasMessageNotContaining("s3cret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://a/s3cret", "http:/s3cret", "http://a b/s3cret", "s3cret"})
  void aWebhookThatIsNoneIsRefusedWithoutShowingIt(String uri) {
    assertThatThrownBy(() -> parsed("deadLetters: {alert: {webhook: '%s'}}".formatted(uri)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("deadLetters.alert.webhook")
        .hasMessageContaining("https://")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void aRedisAddressIsNotPartOfTheText() throws IOException, ConfigurationException {
    BridgeConfiguration configuration = parsed("redis: {uri: 'redis://:s3cret@host:1'}");

    assertThat(configuration.redis().uri()).contains("s3cret");
    assertThat(configuration.redis().toString()).doesNotContain("s3cret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"properties", "consumer", "producer", "admin"})
  void aPropertyThatTheGuaranteesStandOnIsRefusedInEverySection(String section) {
    assertThatThrownBy(
            () -> parsed("kafka: {%s: {isolation.level: read_uncommitted}}".formatted(section)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("kafka." + section + ".isolation.level is 'read_uncommitted'")
        .hasMessageContaining("the bridge sets this property itself");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bootstrap.servers",
        "group.id",
        "enable.auto.commit",
        "auto.offset.reset",
        "isolation.level",
        "enable.idempotence",
        "acks",
        "transactional.id",
        "key.serializer",
        "value.serializer",
        "key.deserializer",
        "value.deserializer"
      })
  void aPropertyThatTheBridgeSetsItselfIsRefused(String property) {
    assertThatThrownBy(() -> parsed("kafka: {properties: {%s: x}}".formatted(property)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("kafka.properties." + property);
  }

  @ParameterizedTest
  @ValueSource(strings = {"consumer", "producer", "admin"})
  void aValueThatAClientDoesNotTakeIsRefused(String section) {
    assertThatThrownBy(() -> parsed("kafka: {%s: {request.timeout.ms: soon}}".formatted(section)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("kafka." + section + ", with kafka.properties: Invalid value soon")
        .hasMessageContaining("request.timeout.ms");
    assertThatThrownBy(() -> parsed("kafka: {properties: {request.timeout.ms: soon}}"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("kafka.properties: Invalid value soon");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "producer: {delivery.timeout.ms: 4000}; producer;"
            + " delivery.timeout.ms is 4000, allowed: at least 5000",
        "producer: {linger.ms: 6000}; producer;"
            + " delivery.timeout.ms is 10000, allowed: at least 11000",
        "producer: {retries: 0}; producer; Must set retries to non-zero",
        "properties: {request.timeout.ms: 30000}; producer;"
            + " delivery.timeout.ms is 10000, allowed: at least 30000",
        "admin: {default.api.timeout.ms: 1000}; admin;"
            + " default.api.timeout.ms is 1000, allowed: at least 5000",
        "consumer: {session.timeout.ms: 500}; consumer;"
            + " session.timeout.ms is 500, allowed: at least 501",
      })
  void propertiesThatContradictEachOtherAreRefused(String given, String section, String fault) {
    assertThatThrownBy(() -> parsed("kafka: {%s}".formatted(given)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("kafka." + section + ", with kafka.properties: " + fault);
  }

  @ParameterizedTest
  @ValueSource(strings = {"kafka", "kafka:", "a:9092,b"})
  void anAddressWithoutItsPortIsRefused(String servers) {
    assertThatThrownBy(() -> parsed("kafka: {bootstrapServers: '%s'}".formatted(servers)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(
            "kafka.bootstrapServers is '%s', allowed: host:port, several with commas"
                .formatted(servers));
  }

  @Test
  void anyOtherKafkaPropertyIsPassedOn() throws IOException, ConfigurationException {
    KafkaConfig kafka =
        parsed(
                "kafka: {properties: {security.protocol: SASL_SSL},"
                    + " producer: {compression.type: lz4}}")
            .kafka();

    assertThat(kafka.properties()).containsExactly(Map.entry("security.protocol", "SASL_SSL"));
    assertThat(kafka.producer()).containsExactly(Map.entry("compression.type", "lz4"));
  }

  @Test
  void theLongestPauseMustNotBeShorterThanTheFirst() {
    assertThatThrownBy(() -> parsed("delivery: {retry: {firstBackoff: 1h}}"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("delivery.retry.maxBackoff is 10 minutes, allowed: 1 hour to 1 day");
  }
}
