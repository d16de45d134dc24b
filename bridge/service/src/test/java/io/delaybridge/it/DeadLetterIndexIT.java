package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.delaybridge.it.Api.Answer;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.stack.BridgeProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The index of dead letters when instances come and go, and its report about itself. */
class DeadLetterIndexIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String TARGET = DelayHeaders.TARGET_TOPIC;

  private static World world;

  @BeforeAll
  static void start() {
    world = World.shared();
  }

  /** A dead letter without a key, at once. */
  private static String die(Scenario scenario) {
    return Scenario.source(scenario.send(null, "v", TARGET, scenario.target));
  }

  private static void awaitCount(Api api, int count) {
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(api.get("deadletters?limit=500").body().path("deadLetters"))
                    .hasSize(count));
  }

  @Test
  void an_instance_answers_alone_and_one_that_comes_back_knows_everything_again() {
    try (Scenario scenario = world.scenario().withTarget().partitions(3)) {
      BridgeProcess first = scenario.bridge();
      BridgeProcess second = scenario.bridge();
      Api one = new Api(first);
      Api other = new Api(second);
      for (int i = 0; i < 9; i++) {
        die(scenario);
      }
      String handled = die(scenario);
      awaitCount(one, 10);
      assertThat(one.delete("deadletters/" + handled).status()).isEqualTo(204);

      first.kill();
      String later = die(scenario);
      awaitCount(other, 11);
      assertThat(other.get("deadletters/" + later).status()).isEqualTo(200);

      Api again = new Api(scenario.bridge());
      awaitCount(again, 11);
      assertThat(again.get("deadletters?limit=500").body())
          .isEqualTo(other.get("deadletters?limit=500").body());
      assertThat(again.get("deadletters/" + handled).body().path("state").asText())
          .isEqualTo("HANDLED");
      assertThat(again.get("deadletters/counts").body().path("counts").toString())
          .isEqualTo(other.get("deadletters/counts").body().path("counts").toString());
    }
  }

  @Test
  void an_alert_is_raised_once_by_all_instances_together() throws IOException {
    Queue<JsonNode> alerts = new ConcurrentLinkedQueue<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/hook",
        exchange -> {
          alerts.add(new ObjectMapper().readTree(exchange.getRequestBody()));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
    String uri = "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
    try (Scenario scenario =
        world
            .scenario()
            .withTarget()
            .deadLetters("alert", "{threshold: 5, window: 1 minute, webhook: \"" + uri + "\"}")) {
      List<BridgeProcess> bridges = List.of(scenario.bridge(), scenario.bridge());
      List<Api> apis = bridges.stream().map(Api::new).toList();
      for (int i = 0; i < 4; i++) {
        die(scenario);
      }
      apis.forEach(api -> awaitCount(api, 4));
      assertThat(alerts).isEmpty();

      for (int i = 0; i < 4; i++) {
        die(scenario);
      }

      await().atMost(SOON).until(() -> !alerts.isEmpty());
      JsonNode alert = alerts.peek();
      assertThat(alert.path("reason").asText()).isEqualTo("NO_DUE_TIME");
      assertThat(alert.path("count").asInt()).isBetween(5, 8);
      assertThat(alert.path("windowMillis").asLong()).isEqualTo(60_000);
      assertThat(alert.path("latest").asText()).startsWith(scenario.intake + "/");
      for (int i = 0; i < 10; i++) {
        die(scenario);
      }
      apis.forEach(api -> awaitCount(api, 18));
      // A second one would have been posted before this instance took the mark of a later request.
      apis.forEach(
          api ->
              assertThat(
                      api.delete(
                              "deadletters/"
                                  + api.get("deadletters?limit=1&state=NEW")
                                      .body()
                                      .at("/deadLetters/0/source")
                                      .asText())
                          .status())
                  .isEqualTo(204));
      assertThat(alerts).hasSize(1);
      long warnings = 0;
      for (BridgeProcess bridge : bridges) {
        warnings +=
            Files.readAllLines(bridge.log()).stream()
                .filter(line -> line.contains("dead letters with NO_DUE_TIME within 60 s"))
                .count();
      }
      assertThat(warnings).isEqualTo(1);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void a_dead_letter_that_is_too_large_for_its_topic_is_shown_and_replayed_from_the_intake() {
    try (Scenario scenario = world.scenario().withTarget().partitions(1)) {
      world.createTopic(scenario.deadLetters, 1, Map.of("max.message.bytes", "2000"));
      Api api = new Api(scenario.bridge());
      String value = Scenario.noise(5_000);
      String source =
          Scenario.source(
              scenario.send(
                  "k",
                  value,
                  TARGET,
                  "missing-large",
                  DelayHeaders.DELAY_MS,
                  "1",
                  DelayHeaders.MAX_ATTEMPTS,
                  "1"));
      await().atMost(SOON).until(() -> api.get("deadletters/" + source).status() == 200);

      JsonNode letter = api.get("deadletters/" + source + "?value=true").body();
      assertThat(letter.path("bytes").asInt()).isZero();
      assertThat(letter.at("/value/value").asText()).isEqualTo(value);
      Answer replayed =
          api.post(
              "deadletters/" + source + "/replay",
              "{\"headers\":{\"delay-target-topic\":\"" + scenario.target + "\"}}");
      assertThat(replayed.status()).as(replayed.body().toString()).isEqualTo(202);
      Inbox inbox = scenario.inbox(scenario.target);
      assertThat(inbox.awaitOne(replayed.body().path("source").asText(), SOON).value())
          .isEqualTo(value);
    }
  }

  /** By the limit of the topic, or by the one of the bridge's own producer. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void one_dead_letter_that_the_intake_does_not_take_back_fails_alone(boolean byTopic)
      throws Exception {
    try (Scenario scenario = world.scenario().withTarget().partitions(1)) {
      if (!byTopic) {
        scenario.kafka("producer", "{max.request.size: 2000}");
      }
      Api api = new Api(scenario.bridge());
      String target = "missing-batch";
      for (String value : List.of("first", Scenario.noise(5_000), "last")) {
        scenario.send(
            "k", value, TARGET, target, DelayHeaders.DELAY_MS, "1", DelayHeaders.MAX_ATTEMPTS, "1");
      }
      awaitCount(api, 3);
      if (byTopic) {
        ConfigResource intake = new ConfigResource(ConfigResource.Type.TOPIC, scenario.intake);
        AlterConfigOp smaller =
            new AlterConfigOp(
                new ConfigEntry("max.message.bytes", "2000"), AlterConfigOp.OpType.SET);
        world.admin.incrementalAlterConfigs(Map.of(intake, List.of(smaller))).all().get();
      }

      JsonNode started =
          api.post(
                  "deadletters/replay",
                  "{\"target\":\"" + target + "\",\"dryRun\":false,\"perSecond\":1000}")
              .body();

      String job = "replays/" + started.path("job").asText();
      await().atMost(SOON).until(() -> api.get(job).body().path("state").asText().equals("DONE"));
      JsonNode ended = api.get(job).body();
      assertThat(ended.path("done").asInt()).isEqualTo(2);
      assertThat(ended.path("failed").asInt()).isEqualTo(1);
      assertThat(ended.path("problem").asText()).startsWith(scenario.intake + "/0/1: ");
      assertThat(
              api.get("deadletters?state=NEW&limit=500&from=1970-01-01T00:00:00Z")
                  .body()
                  .toString())
          .contains("\"source\":\"" + scenario.intake + "/0/1\"");
    }
  }

  @Test
  void a_dead_letter_whose_content_was_deleted_is_gone() {
    try (Scenario scenario = world.scenario().withTarget().partitions(1)) {
      Api api = new Api(scenario.bridge());
      String source =
          Scenario.source(
              scenario.send(
                  "k",
                  "v",
                  TARGET,
                  "missing-gone",
                  DelayHeaders.DELAY_MS,
                  "1",
                  DelayHeaders.MAX_ATTEMPTS,
                  "1"));
      await().atMost(SOON).until(() -> api.get("deadletters/" + source).status() == 200);
      Scenario.get(
          world
              .admin
              .deleteRecords(
                  Map.of(
                      new TopicPartition(scenario.deadLetters, 0), RecordsToDelete.beforeOffset(1)))
              .all());

      assertThat(api.get("deadletters/" + source + "?value=true").status()).isEqualTo(410);
      Answer refused = api.post("deadletters/" + source + "/replay", null);
      assertThat(refused.status()).isEqualTo(410);
      assertThat(refused.body().path("code").asText()).isEqualTo("GONE");
    }
  }

  @Test
  void what_is_no_dead_letter_is_counted_and_does_no_harm() {
    try (Scenario scenario = world.scenario().withTarget().partitions(1)) {
      BridgeProcess bridge = scenario.bridge();
      Api api = new Api(bridge);
      Scenario.get(
          world.producer.send(
              new ProducerRecord<>(scenario.deadLetters, new byte[] {1}, new byte[] {2})));
      Scenario.get(
          world.producer.send(
              new ProducerRecord<>(scenario.deadLetters + "-marks", new byte[] {1}, null)));
      String source = die(scenario);

      await().atMost(SOON).until(() -> api.get("deadletters/" + source).status() == 200);
      awaitCount(api, 1);
      await().atMost(SOON).until(() -> bridge.health().body().contains("2 records skipped"));
    }
  }

  @Test
  void a_marks_topic_that_can_not_be_relied_on_stops_the_index_and_not_the_delivery() {
    try (Scenario scenario = world.scenario().withTarget().partitions(1)) {
      world.createTopic(scenario.deadLetters + "-marks", 2, Map.of());
      BridgeProcess bridge = scenario.launch();
      await()
          .atMost(SOON)
          .until(() -> bridge.health().body().contains("has 2 partitions, needed: 1"));
      // A record that is there before the first checkpoint would stop the shard: intake.start.
      await()
          .atMost(SOON)
          .untilAsserted(
              () -> {
                JsonNode shards = new Api(bridge).get("shards").body();
                assertThat(shards.at("/0/state").asText()).isEqualTo("OPEN");
              });

      String source =
          Scenario.source(
              scenario.send("k", "v", TARGET, scenario.target, DelayHeaders.DELAY_MS, "1"));

      assertThat(scenario.inbox(scenario.target).awaitOne(source, SOON).value()).isEqualTo("v");
      Answer answer = new Api(bridge).get("deadletters");
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.body().path("detail").asText()).contains("2 partitions");
    }
  }
}
