package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.DelayTopics;
import io.delaybridge.shard.Checkpoint;
import io.delaybridge.shard.Checkpoint.UnreadableException;
import io.delaybridge.stack.BridgeProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that are due beyond a horizon of seconds, so that they take many laps in a test. */
class FarMessagesIT {

  private static final Duration LONG = Duration.ofMinutes(2);
  private static final int MESSAGES = 3_000;
  private static final int MAX_DELAY_MS = 25_000;

  private static World world;

  @BeforeAll
  static void start() {
    world = World.start();
  }

  @AfterAll
  static void stop() {
    world.close();
  }

  private static Scenario scenario() {
    return world
        .scenario()
        .partitions(3)
        .intake("horizon", "4 seconds")
        .intake("lap", "1 second")
        .withTarget();
  }

  @ParameterizedTest
  @CsvSource({"exactly_once,1", "at_least_once,4"})
  void each_arrives_although_redis_is_emptied_and_bridges_are_killed(String guarantee, int most) {
    try (Scenario scenario = scenario().guarantee(guarantee)) {
      BridgeProcess first = scenario.bridge();
      BridgeProcess second = scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters);
      Load load = new Load(scenario).send(MESSAGES, MAX_DELAY_MS, scenario.target);
      assertThat(world.knows(DelayTopics.laterOf(scenario.intake))).isTrue();

      inbox.awaitCount(MESSAGES / 5, LONG);
      assertThat(world.stack.redisCommand("FLUSHALL")).isEqualTo("OK");
      inbox.awaitCount(MESSAGES * 2 / 5, LONG);
      first.kill();
      inbox.awaitCount(MESSAGES * 3 / 5, LONG);
      assertThat(world.stack.redisCommand("FLUSHALL")).isEqualTo("OK");
      first.start();
      second.kill();

      await().atMost(LONG).until(() -> inbox.distinct() == load.size());
      load.check(inbox, most);
    }
  }

  @Test
  void what_is_far_costs_redis_an_id_at_most_and_can_be_cancelled_and_replaced() {
    try (Scenario scenario = scenario().partitions(1)) {
      Api api = new Api(scenario.bridge());
      Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters);
      scenario.send("k", "cancelled", far(scenario, "a", 12_000));
      scenario.send("k", "replaced", far(scenario, "b", 12_000));
      RecordMetadata stays = scenario.send("k", "stays", far(scenario, "c", 12_000));
      RecordMetadata nameless = scenario.send("k", "nameless", far(scenario, null, 12_000));
      awaitAllLater(api, 4);

      scenario.send(null, null, DelayHeaders.OP, DelayHeaders.OP_CANCEL, DelayHeaders.ID, "a");
      RecordMetadata near = scenario.send("k", "instead", far(scenario, "b", 2_000));
      inbox.awaitOne(Scenario.source(near), LONG);
      assertThat(world.stack.redisCommand("FLUSHALL")).isEqualTo("OK");

      inbox.awaitOne(Scenario.source(stays), LONG);
      inbox.awaitOne(Scenario.source(nameless), LONG);
      await().atMost(LONG).until(() -> later(api) == 0);
      assertThat(inbox.all())
          .extracting(FarMessagesIT::text)
          .containsExactly("instead", "stays", "nameless");
    }
  }

  /** Retention also removes the markers of transactions, behind the last copy that was judged. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_later_topic_that_was_quiet_for_long_takes_up_its_laps(boolean flushed) {
    try (Scenario scenario = scenario().partitions(1)) {
      scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters);
      RecordMetadata first = scenario.send("k", "v", far(scenario, null, 6_000));
      inbox.awaitOne(Scenario.source(first), LONG);
      TopicPartition later = new TopicPartition(DelayTopics.laterOf(scenario.intake), 0);
      Scenario.get(
          world.admin.deleteRecords(Map.of(later, RecordsToDelete.beforeOffset(-1))).all());
      if (flushed) {
        assertThat(world.stack.redisCommand("FLUSHALL")).isEqualTo("OK");
      }

      RecordMetadata second = scenario.send("k", "v", far(scenario, null, 6_000));

      inbox.awaitOne(Scenario.source(second), LONG);
    }
  }

  /** With one key and one due time, the first request is delivered first. */
  @Test
  void what_comes_home_keeps_its_place() {
    try (Scenario scenario = scenario().partitions(1)) {
      Api api = new Api(scenario.bridge());
      Inbox inbox = scenario.inbox(scenario.target);
      long due = System.currentTimeMillis() + 9_000;
      String[] at = {
        DelayHeaders.TARGET_TOPIC, scenario.target, DelayHeaders.DELIVER_AT, Long.toString(due)
      };
      scenario.send("k", "far", at);
      awaitAllLater(api, 1);
      await().atMost(LONG).until(() -> System.currentTimeMillis() > due - 3_900);
      scenario.send("k", "near", at);

      inbox.awaitCount(2, LONG);
      assertThat(inbox.all()).extracting(FarMessagesIT::text).containsExactly("far", "near");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"exactly_once", "at_least_once"})
  void what_is_far_is_found_taken_back_and_moved(String guarantee) {
    // Long enough that nothing is delivered before it is moved, even on a slow machine.
    try (Scenario scenario =
        scenario()
            .guarantee(guarantee)
            .partitions(1)
            .intake("horizon", "20 seconds")
            .intake("lap", "2 seconds")) {
      Api api = new Api(scenario.bridge());
      Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters);
      for (String id : List.of("cancelled", "nearer", "further", "back", "now", "near")) {
        scenario.send("k", id, far(scenario, id, id.equals("near") ? 19_000 : 60_000));
      }
      await().atMost(LONG).until(() -> later(api) == 5);

      JsonNode seen = api.get("messages/nearer?value=true").body();
      assertThat(seen.path("state").asText()).isEqualTo("FAR");
      assertThat(seen.path("value").path("value").asText()).isEqualTo("nearer");
      assertThat(seen.path("due").asLong())
          .isBetween(System.currentTimeMillis() + 30_000, System.currentTimeMillis() + 60_000);
      assertThat(api.delete("messages/cancelled").body().path("result").asText())
          .isEqualTo("CANCELLED");
      assertThat(api.get("messages/cancelled").status()).isEqualTo(404);
      assertThat(api.delete("messages/cancelled").status()).isEqualTo(404);
      moved(api, "nearer", "PT1S");
      moved(api, "further", "PT22S");
      moved(api, "near", "PT22S");
      moved(api, "back", "PT22S");
      moved(api, "back", "PT1S");
      Api.Answer now = api.patch("messages/now", "{\"delay\":\"PT0S\"}");
      assertThat(now.body().path("result").asText()).as("%s", now).isEqualTo("MOVED");
      await().atMost(LONG).until(() -> api.get("messages/now").status() == 404);
      assertThat(world.stack.redisCommand("FLUSHALL")).isEqualTo("OK");

      await().atMost(LONG).until(() -> inbox.distinct() == 5);
      await().atMost(LONG).until(() -> later(api) == 0);
      // With at-least-once delivery, messages since the last checkpoint may repeat when Redis is
      // emptied.
      assertThat(inbox.all())
          .hasSizeLessThanOrEqualTo(guarantee.equals("exactly_once") ? 5 : 10)
          .extracting(FarMessagesIT::text)
          .containsOnly("nearer", "back", "now", "near", "further");
    }
  }

  private static void moved(Api api, String id, String delay) {
    Api.Answer answer = api.patch("messages/" + id, "{\"delay\":\"%s\"}".formatted(delay));
    assertThat(answer.body().path("result").asText()).as("%s", answer).isEqualTo("MOVED");
    long due = answer.body().path("due").asLong();
    assertThat(api.get("messages/" + id).body().path("due").asLong()).isEqualTo(due);
  }

  @Test
  void what_is_far_is_named_by_its_source_only_if_it_has_an_id() {
    try (Scenario scenario = scenario().partitions(1)) {
      Api api = new Api(scenario.bridge());
      RecordMetadata named = scenario.send("k", "named", far(scenario, "a", 60_000));
      RecordMetadata nameless = scenario.send("k", "nameless", far(scenario, null, 60_000));
      awaitAllLater(api, 2);

      String source = "messages/" + Scenario.source(named);
      JsonNode found = api.get(source + "?value=true").body();
      assertThat(found.path("id").asText()).isEqualTo("a");
      assertThat(found.at("/value/value").asText()).isEqualTo("named");
      Api.Answer unknown = api.get("messages/" + Scenario.source(nameless));
      assertThat(unknown.status()).isEqualTo(409);
      assertThat(unknown.body().path("code").asText()).isEqualTo("FAR_WITHOUT_ID");
      assertThat(api.delete(source).body().path("result").asText()).isEqualTo("CANCELLED");
      assertThat(api.get(source).status()).isEqualTo(404);

      TopicPartition intake = new TopicPartition(scenario.intake, 0);
      Scenario.get(
          world.admin.deleteRecords(Map.of(intake, RecordsToDelete.beforeOffset(-1))).all());
      Api.Answer deleted = api.get("messages/" + Scenario.source(nameless));
      assertThat(deleted.status()).isEqualTo(409);
      assertThat(deleted.body().path("code").asText()).isEqualTo("RECORD_DELETED");
    }
  }

  /** The bridge looks for new partitions every half minute, and at the later topic every minute. */
  @Test
  void a_partition_that_is_added_is_read_and_what_is_far_in_it_waits() {
    try (Scenario scenario = scenario()) {
      Api api = new Api(scenario.bridge());
      Inbox inbox = scenario.inbox(scenario.target);
      Scenario.get(
          world.admin.createPartitions(Map.of(scenario.intake, NewPartitions.increaseTo(4))).all());
      await().atMost(LONG).until(() -> world.partitions(DelayTopics.laterOf(scenario.intake)) == 4);

      scenario.send(
          Scenario.in(scenario.intake, 3, scenario.record("k", "v", far(scenario, null, 20_000))));
      await().atMost(LONG).until(() -> later(api) == 1);
      inbox.awaitCount(1, LONG);
      assertThat(inbox.all()).extracting(FarMessagesIT::text).containsExactly("v");
    }
  }

  @Test
  void what_is_far_counts_against_the_limit_of_its_intake() {
    try (Scenario scenario = world.scenario().partitions(1).withTarget()) {
      scenario.tenant(scenario.intake, "{horizon: 2 hours, lap: 1 hour, pending: 2}");
      BridgeProcess bridge = scenario.bridge();
      Api api = new Api(bridge);
      String message =
          "{\"target\":\"%s\",\"delay\":\"PT3H\",\"value\":\"x\"}".formatted(scenario.target);
      assertThat(api.post("messages", message).status()).isEqualTo(202);
      // A look while the first one goes to the later topic may have it twice; until the next look.
      await().atMost(LONG).until(() -> api.post("messages", message).status() == 202);
      awaitAllLater(api, 2);
      // The loop tells its state at the end of the turn.
      await().atMost(LONG).until(() -> bridge.health().body().contains("1 shards, 2 pending"));

      // The number of pending messages is looked up every two seconds.
      await().atMost(LONG).until(() -> api.post("messages", message).status() == 429);
      await().atMost(LONG).until(() -> api.get("messages").body().path("messages").isEmpty());
    }
  }

  @Test
  void what_was_deleted_before_its_lap_ended_is_told() {
    try (Scenario scenario =
        world
            .scenario()
            .intake("horizon", "2 hours")
            .intake("lap", "1 hour")
            .partitions(1)
            .withTarget()) {
      BridgeProcess before = scenario.bridge();
      scenario.send("k", "far", far(scenario, null, 3 * 3_600_000));
      awaitAllLater(new Api(before), 1);
      before.stop();
      TopicPartition later = new TopicPartition(DelayTopics.laterOf(scenario.intake), 0);
      Scenario.get(world.admin.deleteRecords(Map.of(later, RecordsToDelete.beforeOffset(1))).all());

      BridgeProcess bridge = scenario.launch();
      await()
          .atMost(LONG)
          .untilAsserted(
              () -> {
                assertThat(bridge.health().body())
                    .contains("/0 is OPEN: its later topic cannot be read");
                assertThat(OperationsIT.get(bridge.adminUri() + "/prometheus"))
                    .contains("delay_bridge_topic_faults 1.0");
              });
      assertThat(bridge.log()).content().contains("offsets 0 to 1 of " + later.topic() + "/0");

      bridge.stop();
      Api passing = new Api(scenario.intake("skipDeleted", "true").launch().awaitHealthy(LONG));
      await().atMost(LONG).until(() -> later(passing) == 0);
      await().atMost(LONG).until(() -> passing.get("stats").body().path("pending").asInt() == 0);
    }
  }

  @Test
  void a_forecast_of_many_is_an_estimate() {
    try (Scenario scenario = scenario().partitions(1)) {
      Api api = new Api(scenario.bridge());
      int day = 24 * 3_600_000;
      for (int i = 0; i < 8_000; i++) {
        scenario.send("k", "v", far(scenario, null, i % 4 == 0 ? day / 2 : 2 * day + day / 2));
      }
      await().atMost(LONG).until(() -> later(api) == 8_000);

      JsonNode forecast = api.get("forecast?buckets=3&width=P1D&far=true").body();
      assertThat(forecast.path("far").asInt()).isEqualTo(8_000);
      assertThat(forecast.path("sampled").asInt()).isBetween(4_000, 6_000);
      assertThat(forecast.at("/buckets/0").asInt()).isBetween(1_800, 2_200);
      assertThat(forecast.at("/buckets/1").asInt()).isZero();
      assertThat(forecast.at("/buckets/2").asInt()).isBetween(5_800, 6_200);
    }
  }

  private static String text(Inbox.Arrival arrival) {
    return new String(arrival.record().value(), StandardCharsets.UTF_8);
  }

  /** Returns the headers of a message that is due so many milliseconds later. */
  static String[] far(Scenario scenario, @Nullable String id, int delay) {
    List<String> headers =
        new ArrayList<>(
            List.of(
                DelayHeaders.TARGET_TOPIC,
                scenario.target,
                DelayHeaders.DELAY_MS,
                Integer.toString(delay)));
    if (id != null) {
      headers.addAll(List.of(DelayHeaders.ID, id));
    }
    return headers.toArray(String[]::new);
  }

  /** Waits until this many messages are in the later topic, and none in Redis. */
  private static void awaitAllLater(Api api, int count) {
    await()
        .atMost(LONG)
        .untilAsserted(
            () -> {
              assertThat(later(api)).isEqualTo(count);
              assertThat(api.get("stats").body().path("pending").asInt()).isEqualTo(count);
              JsonNode forecast = api.get("forecast?buckets=1&width=P1D&far=true").body();
              assertThat(forecast.at("/buckets/0").asInt()).isEqualTo(count);
              assertThat(forecast.path("sampled").asInt()).isEqualTo(count);
              forecast = api.get("forecast").body();
              assertThat(forecast.path("far").asInt()).isEqualTo(count);
              assertThat(forecast.path("later").asInt()).isZero();
              for (JsonNode shard : api.get("shards").body()) {
                assertThat(shard.path("far")).isEqualTo(shard.path("pending"));
                assertThat(shard.path("nextDue").isNull()).isTrue();
              }
            });
  }

  /** Returns the number of copies in the later topic, according to the checkpoints. */
  static long later(Api api) {
    long copies = 0;
    for (JsonNode shard : api.get("shards").body()) {
      String checkpoint = shard.path("frontier").asText("");
      try {
        copies += checkpoint.isEmpty() ? 0 : Checkpoint.parse(checkpoint).laps().copies();
      } catch (UnreadableException e) {
        throw new AssertionError(e);
      }
    }
    return copies;
  }
}
