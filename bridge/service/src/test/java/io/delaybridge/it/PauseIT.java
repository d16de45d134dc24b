package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.stack.BridgeProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
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
      HttpResponse<String> none = task(bridge, "resume?shard=nonsense");
      assertThat(none.statusCode()).isEqualTo(500);
      assertThat(none.body()).contains("no such shard: [nonsense]");
    }
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
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(bridge.adminUri() + "/tasks/" + task))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }
}
