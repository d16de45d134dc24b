package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.stack.BridgeProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pause: by API and by task, for all and for one, and what it outlives. */
class PauseIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static World world;

  @BeforeAll
  static void start() {
    world = World.shared();
  }

  private static String send(Scenario scenario, int delay) {
    return Scenario.source(
        scenario.send(
            null,
            "v",
            DelayHeaders.TARGET_TOPIC,
            scenario.target,
            DelayHeaders.DELAY_MS,
            Integer.toString(delay)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"exactly_once", "at_least_once"})
  void nothing_is_delivered_until_it_is_resumed_even_by_a_new_process_on_an_empty_redis(
      String guarantee) {
    try (Scenario scenario = world.scenario().guarantee(guarantee).partitions(2).withTarget()) {
      BridgeProcess bridge = scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target);
      Api api = new Api(bridge);
      assertThat(api.put("pause").body().path("paused")).hasSize(2);

      String source = send(scenario, 0);
      bridge.stop();
      assertThat(world.stack.redisCommand("FLUSHALL")).isEqualTo("OK");
      Api next = new Api(scenario.bridge());
      // Asks of a shard are answered in its turn, so this turn has left the message alone.
      assertThat(next.get("messages/" + source).body().path("state").asText()).isEqualTo("OVERDUE");
      assertThat(next.get("pause").body().path("paused")).hasSize(2);
      assertThat(next.get("stats").body().path("paused").asBoolean()).isTrue();
      assertThat(inbox.all()).isEmpty();

      assertThat(next.delete("pause").body().path("paused")).isEmpty();
      inbox.awaitOne(source, SOON);
    }
  }

  @Test
  void one_shard_is_paused_while_the_other_delivers() throws Exception {
    try (Scenario scenario = world.scenario().partitions(2).withTarget()) {
      BridgeProcess bridge = scenario.bridge();
      Api api = new Api(bridge);
      Inbox inbox = scenario.inbox(scenario.target);
      String shard = scenario.intake + "/0";
      assertThat(task(bridge, "pause?shard=" + shard).body()).contains(shard);

      String source;
      do {
        source = send(scenario, 0);
      } while (!source.startsWith(scenario.intake + "/1/"));
      inbox.awaitOne(source, SOON);
      assertThat(api.get("pause").body().path("paused").get(0).asText()).isEqualTo(shard);
      assertThat(inbox.all()).allMatch(arrival -> !arrival.source().startsWith(shard + "/"));

      assertThat(api.delete("shards/" + shard + "/pause").body().path("paused")).isEmpty();
      assertThat(api.put("shards/" + scenario.intake + "/9/pause").status()).isEqualTo(404);
      assertThat(task(bridge, "pause").body()).contains(scenario.intake + "/1");
      assertThat(task(bridge, "resume").body()).doesNotContain(scenario.intake);
    }
  }

  @Test
  void one_intake_is_paused_and_resumed_while_the_other_delivers() throws Exception {
    try (Scenario scenario = world.scenario().partitions(1).withTarget()) {
      String red = "red-" + scenario.intake;
      scenario.tenant(red, "{}");
      BridgeProcess bridge = scenario.bridge();
      Api api = new Api(bridge);
      Inbox inbox = scenario.inbox(scenario.target);

      assertThat(paused(api.put("pause?intake=" + red))).containsExactly(red + "/0");
      assertThat(paused(api.get("pause"))).containsExactly(red + "/0");
      assertThat(paused(api.get("pause?intake=" + red))).containsExactly(red + "/0");
      assertThat(paused(api.get("pause?intake=" + scenario.intake))).isEmpty();
      JsonNode shards = api.get("shards?intake=" + red).body();
      assertThat(shards).hasSize(1);
      assertThat(shards.at("/0/shard").asText()).isEqualTo(red + "/0");
      inbox.awaitOne(send(scenario, 0), SOON);

      // An answer for one intake is about that one.
      assertThat(task(bridge, "pause?intake=" + scenario.intake).body())
          .isEqualTo("paused: [%s/0]\n".formatted(scenario.intake));
      assertThat(paused(api.delete("pause?intake=" + red))).isEmpty();
      // Kafka shows a checkpoint a little after it was committed.
      await()
          .atMost(SOON)
          .until(() -> paused(api.get("pause")).equals(List.of(scenario.intake + "/0")));
      assertThat(task(bridge, "resume?intake=" + scenario.intake).body()).isEqualTo("paused: []\n");
      await().atMost(SOON).until(() -> paused(api.get("pause")).isEmpty());
    }
  }

  private static List<String> paused(Api.Answer answer) {
    assertThat(answer.status()).isEqualTo(200);
    List<String> shards = new ArrayList<>();
    answer.body().path("paused").forEach(shard -> shards.add(shard.asText()));
    return shards;
  }

  @Test
  void a_call_that_is_not_understood_pauses_nothing_and_resumes_nothing() throws Exception {
    try (Scenario scenario = world.scenario().partitions(1).withTarget()) {
      BridgeProcess bridge = scenario.bridge();
      Api api = new Api(bridge);
      List<String> refused =
          List.of(
              "pause?intake=elsewhere | allowed: " + scenario.intake,
              "pause?intake=" + scenario.intake + "/0 | allowed: " + scenario.intake,
              "pause?intake= | intake is empty",
              "pause?intak=" + scenario.intake + " | unknown parameter 'intak', allowed: intake",
              "pause?intake=%1$s&intake=%1$s | given 2 times".formatted(scenario.intake),
              "pause;intake=" + scenario.intake + " | ';'");

      for (String each : refused) {
        assertBad(api.put(before(each)), each);
        assertBad(api.get(before(each)), each);
      }
      assertThat(paused(api.get("pause"))).isEmpty();
      assertThat(paused(api.put("pause"))).hasSize(1);
      refused.forEach(each -> assertBad(api.delete(before(each)), each));
      assertThat(paused(api.get("pause"))).hasSize(1);
      assertBad(api.get("shards?intake=elsewhere"), "| allowed: " + scenario.intake);
      assertThat(api.put("shards/" + scenario.intake + "/+0/pause").status()).isEqualTo(404);
    }
  }

  private static void assertBad(Api.Answer answer, String expected) {
    assertThat(answer.body().path("detail").asText())
        .as(expected)
        .contains(expected.substring(expected.indexOf("| ") + 2));
    assertThat(answer.status()).isEqualTo(400);
  }

  private static String before(String expected) {
    return expected.substring(0, expected.indexOf(" | "));
  }

  @Test
  void a_task_that_is_not_understood_pauses_nothing() throws Exception {
    try (Scenario scenario = world.scenario().partitions(1).withTarget()) {
      BridgeProcess bridge = scenario.bridge();
      String shard = scenario.intake + "/0";

      assertRefused(task(bridge, "pause?shard=nonsense"), 404, "nonsense is not a shard");
      assertRefused(task(bridge, "pause?shard="), 400, "shard is empty");
      assertRefused(task(bridge, "pause?intake=nonsense"), 400, "allowed: " + scenario.intake);
      assertRefused(task(bridge, "pause?shrad=" + shard), 400, "allowed: intake, shard");
      assertRefused(task(bridge, "pause?shard=%1$s&shard=%1$s".formatted(shard)), 400, "2 times");
      assertRefused(
          task(bridge, "pause?shard=%s&intake=%s".formatted(shard, scenario.intake)),
          400,
          "either");
      String json = "application/json";
      assertRefused(task(bridge, "pause", json, "{\"shard\": \"x\"}"), 400, "no body");
      String form = "application/x-www-form-urlencoded";
      assertRefused(
          task(bridge, "pause", form, "shrad=" + shard), 400, "unknown parameter 'shrad'");
      assertRefused(task(bridge, "pause?shard=" + shard, form, "shard=x"), 400, "2 times");
      assertThat(paused(new Api(bridge).get("pause"))).isEmpty();

      assertThat(task(bridge, "pause", form, "shard=" + shard).body()).contains(shard);
      assertThat(paused(new Api(bridge).get("pause"))).containsExactly(shard);
    }
  }

  private static void assertRefused(HttpResponse<String> answer, int status, String detail) {
    assertThat(answer.body()).contains(detail);
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
  }

  /** The pause is behind an open transaction, which no reader passes, as behind a backlog. */
  @Test
  void a_resume_that_was_answered_holds_although_a_pause_before_it_was_not_read_yet()
      throws Exception {
    try (Scenario scenario = world.scenario().withTarget()) {
      Api api = new Api(scenario.bridge());
      Inbox inbox = scenario.inbox(scenario.target);
      try (Producer<byte[], byte[]> producer = world.transactional(scenario.intake)) {
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(scenario.intake, new byte[0])).get();
        assertThat(api.put("pause").status()).isEqualTo(504);
        assertThat(api.delete("pause").body().path("paused")).isEmpty();
        producer.abortTransaction();
      }
      String source = send(scenario, 0);
      inbox.awaitOne(source, SOON);

      assertThat(api.get("pause").body().path("paused")).isEmpty();
    }
  }

  private static HttpResponse<String> task(BridgeProcess bridge, String task) throws Exception {
    return task(bridge, task, "text/plain", "");
  }

  private static HttpResponse<String> task(
      BridgeProcess bridge, String task, String type, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(bridge.adminUri() + "/tasks/" + task))
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }
}
