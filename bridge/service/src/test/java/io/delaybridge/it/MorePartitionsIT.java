package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.delaybridge.it.Api.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewPartitions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An intake that gets more partitions while messages with ids are pending. */
class MorePartitionsIT {

  private static final Duration LONG = Duration.ofMinutes(2);
  private static final int BEFORE = 2;
  private static final int AFTER = 4;

  private static World world;

  @BeforeAll
  static void start() {
    world = World.shared();
  }

  private static Scenario scenario() {
    return world
        .scenario()
        .partitions(BEFORE)
        .withTarget()
        .kafka("consumer", "{session.timeout.ms: 6000, metadata.max.age.ms: 1000}")
        .intake("longestDelay", "7 days")
        .intake("horizon", "0s");
  }

  @Test
  void what_the_api_schedules_again_replaces_what_is_pending_in_another_partition() {
    try (Scenario scenario = scenario()) {
      Api api = new Api(scenario.bridge());
      Inbox inbox = scenario.inbox(scenario.target);
      List<String> ids = IntStream.range(0, 20).mapToObj(i -> "order-" + i).toList();
      ids.forEach(id -> schedule(api, scenario, id, "before", "PT1H"));
      grow(scenario, api);

      ids.forEach(id -> schedule(api, scenario, id, "after", "PT1S"));

      inbox.awaitCount(ids.size(), LONG);
      for (String id : ids) {
        await().atMost(LONG).until(() -> api.get("messages/" + id).status() == 404);
      }
      assertThat(api.get("messages").body().path("messages")).isEmpty();
      assertThat(inbox.all()).extracting(Inbox.Arrival::value).containsOnly("after");
    }
  }

  private static void schedule(Api api, Scenario scenario, String id, String value, String delay) {
    Answer answer =
        api.post(
            "messages",
            "{\"target\":\"%s\",\"delay\":\"%s\",\"id\":\"%s\",\"value\":\"%s\"}"
                .formatted(scenario.target, delay, id, value));
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(202);
  }

  /** Waits until the added partitions are read. */
  private static void grow(Scenario scenario, Api api) {
    Scenario.get(
        world
            .admin
            .createPartitions(Map.of(scenario.intake, NewPartitions.increaseTo(AFTER)))
            .all());
    await().atMost(LONG).until(() -> isOpen(api.get("shards").body()));
  }

  private static boolean isOpen(JsonNode shards) {
    return shards.size() == AFTER
        && IntStream.range(0, AFTER)
            .allMatch(i -> shards.get(i).path("state").asText().equals("OPEN"));
  }
}
