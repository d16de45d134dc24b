package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.it.Api.Answer;
import io.delaybridge.it.Inbox.Arrival;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import io.delaybridge.stack.BridgeProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that fit the intake only when compressed; all topics have Kafka's own limits. */
class LargeValuesIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String TARGET = DelayHeaders.TARGET_TOPIC;
  private static final String MS = DelayHeaders.DELAY_MS;

  private final World world = World.shared();

  private static byte[] json(int bytes) {
    String one = "{\"order\":1795710000,\"customer\":\"c-4711\",\"state\":\"paid\"},";
    return one.repeat(bytes / one.length() + 1)
        .substring(0, bytes)
        .getBytes(StandardCharsets.UTF_8);
  }

  private String send(String codec, ProducerRecord<byte[], byte[]> record) {
    Map<String, Object> properties =
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            world.stack.bootstrapServers(),
            ProducerConfig.COMPRESSION_TYPE_CONFIG,
            codec,
            ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
            32 << 20);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      return Scenario.source(Scenario.get(producer.send(record)));
    }
  }

  private static ProducerRecord<byte[], byte[]> record(
      Scenario scenario, byte[] value, String... headers) {
    ProducerRecord<byte[], byte[]> bare = scenario.record("k", null, headers);
    return new ProducerRecord<>(
        bare.topic(), null, bare.timestamp(), bare.key(), value, bare.headers());
  }

  @ParameterizedTest
  @ValueSource(strings = {"exactly_once", "at_least_once"})
  void what_the_intake_took_its_target_takes(String guarantee) {
    try (Scenario scenario = world.scenario().guarantee(guarantee).withTarget().partitions(2)) {
      scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters);
      List<String> small = new ArrayList<>();
      for (String codec : List.of("zstd", "lz4", "gzip", "snappy")) {
        for (int bytes : List.of(1_100_000, 5_250_000, 16_000_000)) {
          small.add(Scenario.source(scenario.send("k", "small", TARGET, scenario.target, MS, "1")));
          byte[] value = json(bytes);
          String source = send(codec, record(scenario, value, TARGET, scenario.target, MS, "1"));
          Arrival arrival = inbox.awaitOne(source, SOON);
          assertThat(arrival.record().topic())
              .as("%s, %d", codec, bytes)
              .isEqualTo(scenario.target);
          assertThat(arrival.record().value()).isEqualTo(value);
        }
      }
      for (String source : small) {
        assertThat(inbox.awaitOne(source, SOON).value()).isEqualTo("small");
      }
    }
  }

  @Test
  void its_dead_letter_keeps_its_content_and_is_replayed() {
    try (Scenario scenario = world.scenario().withTarget().partitions(1)) {
      Api api = new Api(scenario.bridge());
      Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters);
      byte[] value = json(5_250_000);
      String source =
          send(
              "zstd",
              record(scenario, value, TARGET, "missing-json", MS, "1", "delay-max-attempts", "1"));

      Arrival letter = inbox.awaitOne(source, SOON);
      assertThat(letter.header(DelayHeaders.DEAD_REASON)).isEqualTo(Reason.UNKNOWN_TARGET.name());
      assertThat(letter.record().value()).isEqualTo(value);

      await().atMost(SOON).until(() -> api.get("deadletters/" + source).status() == 200);
      Answer replayed =
          api.post(
              "deadletters/" + source + "/replay",
              "{\"headers\":{\"delay-target-topic\":\"" + scenario.target + "\"}}");
      assertThat(replayed.status()).as("%s", replayed.body()).isEqualTo(202);
      Arrival arrival = inbox.awaitOne(replayed.body().path("source").asText(), SOON);
      assertThat(arrival.record().topic()).isEqualTo(scenario.target);
      assertThat(arrival.record().value()).isEqualTo(value);
    }
  }

  @Test
  void its_retry_copy_and_its_move_go_through_the_intake() {
    try (Scenario scenario =
        world
            .scenario()
            .withTarget()
            .partitions(1)
            .delivery("retry", "{maxAttempts: 100, firstBackoff: 200ms, maxBackoff: 1s}")) {
      Api api = new Api(scenario.bridge());
      Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters);
      byte[] value = json(5_250_000);
      String later = scenario.target + "-later";
      String tried = send("lz4", record(scenario, value, TARGET, later, MS, "1"));
      String moved =
          send(
              "zstd",
              record(scenario, value, TARGET, scenario.target, MS, "600000", "delay-id", "mine"));
      await().atMost(SOON).until(() -> api.get("messages/mine").status() == 200);

      Answer answer = api.patch("messages/mine", "{\"delay\": \"PT0.1S\"}");
      assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
      assertThat(inbox.awaitOne(moved, SOON).record().value()).isEqualTo(value);

      world.createTopic(later, 1, Map.of());
      Arrival arrival = scenario.inbox(later).awaitOne(tried, SOON);
      assertThat(arrival.record().value()).isEqualTo(value);
      assertThat(Integer.parseInt(String.valueOf(arrival.header(DelayHeaders.ATTEMPT))))
          .isGreaterThan(1);
    }
  }

  @Test
  void the_api_schedules_it() {
    try (Scenario scenario = world.scenario().withTarget().partitions(1)) {
      BridgeProcess bridge = scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters);
      String value = "one more line. ".repeat(100_000);

      Answer answer =
          new Api(bridge)
              .post(
                  "messages",
                  "{\"target\":\"%s\",\"delay\":\"PT0.1S\",\"value\":\"%s\"}"
                      .formatted(scenario.target, value));

      assertThat(answer.status()).as("%s", answer.body()).isEqualTo(202);
      assertThat(inbox.awaitOne(answer.body().path("source").asText(), SOON).value())
          .isEqualTo(value);
    }
  }
}
