package io.delaybridge.connect.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.delaybridge.connect.CallbackSinkConnector;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.spec.SecretKeySpec;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallbackConfigTest {

  private static Map<String, String> good(String... other) {
    Map<String, String> config = new HashMap<>();
    config.put("callback.url", "https://example.com/");
    config.put("callback.kafka.bootstrap.servers", "127.0.0.1:9092");
    for (String part : List.of("key", "value", "header")) {
      config.put(part + ".converter", CallbackConfig.CONVERTER);
    }
    for (int i = 0; i < other.length; i += 2) {
      config.put(other[i], other[i + 1]);
    }
    return config;
  }

  private static List<String> errors(Map<String, String> config) {
    return new CallbackSinkConnector()
        .validate(config).configValues().stream()
            .map(ConfigValue::errorMessages)
            .flatMap(List::stream)
            .toList();
  }

  @Test
  void littleIsRequired() {
    assertThat(errors(good())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          callback.allowed.hosts      | http://a    | is 'http://a', allowed: host names
          callback.allowed.hosts      | A.com       | is 'A.com', allowed: host names
          callback.allowed.hosts      | a.*.com     | is 'a.*.com', allowed: host names
          callback.allowed.addresses  | localhost   | is 'localhost', allowed: IP addresses
          callback.allowed.addresses  | 10.0.0.1/8  | is '10.0.0.1/8', allowed: IP addresses
          callback.allowed.schemes    | ftp         | is 'ftp', allowed: https, http
          callback.allowed.schemes    | ''          | is '', allowed: https, http
          callback.allowed.ports      | ''          | is '', allowed: 1 to 65535
          callback.allowed.ports      | 0           | is '0', allowed: 1 to 65535
          callback.allowed.ports      | 70000       | is '70000', allowed: 1 to 65535
          callback.http.version       | 3           | is '3', allowed: 1.1, 2, auto
          callback.order              | any         | is 'any', allowed: key, none
          callback.max.in.flight      | 0           | is '0', allowed: 1 to 10000
          callback.timeout.ms         | 600001      | is '600001', allowed: 1 to 600000
          callback.max.attempts       | 0           | is '0', allowed: 1 to 1000
          callback.intake.topic       | a/b         | is 'a/b', allowed: a topic name
          callback.dead.letter.topic  | ..          | is '..', allowed: a topic name
          callback.kafka.bootstrap.servers | ''     | is '', allowed: not empty
          callback.content.type       | ''          | is '', allowed: visible ASCII
          callback.hmac.secret        | ''          | is empty, allowed: a secret
          callback.url                | ''          | is empty, allowed: a URL, or callback.allowed.hosts
          callback.url                | http://a.com/ | is 'http://a.com/', which cannot be called: scheme 'http'
          callback.url                | https://10.0.0.1/ | is 'https://10.0.0.1/', which cannot be called: address 10.0.0.1 is not in callback.allowed.addresses
          callback.url                | https://[::1]/ | is 'https://[::1]/', which cannot be called: address [::1] is not in callback.allowed.addresses
          callback.retry.backoff.max.ms | 999       | is '999', allowed: at least the value of callback.retry.backoff.ms
          callback.kafka.acks         | 1           | cannot be configured
          callback.allowed.host       | a.com       | is not an option, allowed: those in the documentation
          callback.kafka.transactional.id | a       | cannot be configured
          value.converter | org.apache.kafka.connect.storage.StringConverter | is 'org.apache.kafka.connect.storage.StringConverter', allowed: org.apache.kafka.connect.converters.ByteArrayConverter
          """)
  void namesKeyValueAndWhatIsAllowed(String key, String value, String message) {
    assertThat(errors(good(key, value)))
        .singleElement()
        .satisfies(error -> assertThat(error).contains(key + " " + message));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          callback.url               | a URL, or empty
          callback.order             | key, none
          callback.timeout.ms        | 1 to 600000
          callback.allowed.hosts     | host names
          callback.allowed.schemes   | https, http
          callback.intake.topic      | a topic name
          callback.tls.truststore.location | a file, or empty
          callback.kafka.bootstrap.servers | not empty
          """)
  void nullIsAValueThatIsNotAllowed(String key, String allowed) {
    Map<String, String> config = good();
    config.put(key, null);

    assertThat(errors(config))
        .singleElement()
        .satisfies(error -> assertThat(error).contains(key + " is 'null', allowed: " + allowed));
    assertThatThrownBy(() -> new CallbackSinkConnector().start(config))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(key + " is 'null', allowed: " + allowed);
  }

  @Test
  void aNumberThatIsNoneIsNamed() {
    assertThat(errors(good("callback.timeout.ms", "soon")))
        .anySatisfy(error -> assertThat(error).contains("soon", "callback.timeout.ms"));
  }

  @Test
  void anOptionOfTheWorkerMayBeNull() {
    Map<String, String> config = good("topics", "reminders");
    config.put("topics.regex", null);
    CallbackSinkConnector connector = new CallbackSinkConnector();

    assertThat(errors(config)).isEmpty();
    connector.start(config);
    assertThat(connector.taskConfigs(1)).containsOnly(config);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          topics       | reminders, delay-deadletter | topics, but none of delay-intake, delay-intake-later, delay-deadletter
          topics       | delay-intake                | topics, but none of delay-intake
          topics       | delay-intake-later,a        | topics, but none of delay-intake
          topics.regex | delay-dead.*                | an expression that matches none of delay-intake
          topics.regex | .*-later                    | an expression that matches none of delay-intake
          topics.regex | (delay-)?intake             | an expression that matches none of delay-intake
          """)
  void whatItWritesAndTheBridgeKeepsIsNotRead(String key, String value, String allowed) {
    assertThat(errors(good(key, value)))
        .singleElement()
        .satisfies(
            error ->
                assertThat(error).startsWith(key + " is '" + value + "', allowed: " + allowed));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          topics       | delay-deadletter-calls,delay
          topics.regex | intake
          topics.regex | remind.*
          topics.regex | (unclosed
          """)
  void otherTopicsAreRead(String key, String value) {
    assertThat(errors(good(key, value))).isEmpty();
  }

  @Test
  void theTopicsOfAnotherBridgeAreRead() {
    String[] own = {"callback.intake.topic", "in", "callback.dead.letter.topic", "dead"};
    Map<String, String> config = good(own);
    config.put("topics", "delay-deadletter");
    assertThat(errors(config)).isEmpty();

    config.put("topics", "in-later");
    assertThat(errors(config))
        .containsExactly(
            "topics is 'in-later', allowed: topics, but none of in, in-later, dead, which the sink"
                + " must not read");
  }

  @Test
  void deadLettersDoNotGoToTheIntake() {
    assertThat(errors(good("callback.dead.letter.topic", "delay-intake")))
        .containsExactly(
            "callback.dead.letter.topic is 'delay-intake', allowed: another topic than that of"
                + " callback.intake.topic");
  }

  @Test
  void anAddressMayBeCalledIfItIsPublicOrListed() {
    assertThat(errors(good("callback.url", "https://93.184.215.14/"))).isEmpty();
    assertThat(
            errors(
                good(
                    "callback.url", "https://10.0.0.1/", "callback.allowed.addresses", "10.0.0.1")))
        .isEmpty();
  }

  @Test
  void whatIsNotValidDoesNotStart() {
    assertThatThrownBy(() -> new CallbackSinkConnector().start(good("callback.url", "")))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("callback.url is empty");
  }

  @Test
  void theConvertersMustBeSet() {
    Map<String, String> config = good();
    config.remove("header.converter");

    assertThat(errors(config))
        .containsExactly("header.converter is 'null', allowed: " + CallbackConfig.CONVERTER);
  }

  @Test
  void everyTaskHasTheWholeConfiguration() {
    CallbackSinkConnector connector = new CallbackSinkConnector();
    connector.start(good());

    assertThat(connector.taskConfigs(3)).hasSize(3).containsOnly(good());
  }

  @Test
  void secretsAreNotShown(@TempDir Path dir) throws Exception {
    Path file = dir.resolve("trust.p12");
    KeyStore trust = emptyStore();
    trust.setEntry(
        "any",
        new KeyStore.SecretKeyEntry(new SecretKeySpec(new byte[16], "AES")),
        new KeyStore.PasswordProtection("geheim".toCharArray()));
    write(trust, file);
    CallbackConfig config =
        new CallbackConfig(
            good(
                "callback.hmac.secret",
                "geheim",
                "callback.tls.truststore.location",
                file.toString(),
                "callback.tls.truststore.password",
                "geheim"));

    assertThat(config.values().toString()).doesNotContain("geheim");
    assertThat(config.http().toString()).doesNotContain("geheim");
    assertThat(config.settings().toString()).doesNotContain("geheim");
  }

  @Test
  void aTrustStoreThatCanNotBeReadIsNamedWithItsOptions(@TempDir Path dir) throws Exception {
    Path file = dir.resolve("trust.p12");
    assertThat(trust(file)).contains("callback.tls.truststore.location", "NoSuchFileException");

    Files.writeString(file, "no key store");
    assertThat(trust(file)).contains("PKCS12 (callback.tls.truststore.type)");

    write(emptyStore(), file);
    assertThat(trust(file)).contains("it has no certificate").doesNotContain("geheim");
  }

  private static KeyStore emptyStore() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static void write(KeyStore store, Path file) throws Exception {
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, "geheim".toCharArray());
    }
  }

  private static String trust(Path file) {
    CallbackConfig config =
        new CallbackConfig(
            good(
                "callback.tls.truststore.location",
                file.toString(),
                "callback.tls.truststore.password",
                "geheim"));
    ConfigException refused = catchThrowableOfType(ConfigException.class, config::http);
    return String.valueOf(refused.getMessage());
  }

  @Test
  void theProducerHasWhatIsGivenAndWaitsForKafka() {
    assertThat(new CallbackConfig(good("callback.kafka.linger.ms", "50")).producer())
        .containsEntry("bootstrap.servers", "127.0.0.1:9092")
        .containsEntry("linger.ms", "50")
        .containsEntry("acks", "all")
        .containsEntry("enable.idempotence", true)
        .containsEntry("delivery.timeout.ms", Integer.MAX_VALUE);
  }

  @Test
  void choicesAreRecommended() {
    List<ConfigValue> values = new CallbackSinkConnector().validate(good()).configValues();

    assertThat(values)
        .filteredOn(value -> value.name().equals("callback.order"))
        .singleElement()
        .satisfies(value -> assertThat(value.recommendedValues()).containsExactly("key", "none"));
  }
}
