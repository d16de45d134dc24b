package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.delaybridge.it.Inbox.Arrival;
import io.delaybridge.schemas.DelayHeaders;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.NewPartitions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A message goes to the partition that it names, by whichever way. Its key is for another one. */
class TargetPartitionIT {

  private static final Duration LONG = Duration.ofMinutes(2);
  private static final String KEY = "k";
  private static final int OF_THE_KEY = 0;

  private static World world;
  private static Scenario scenario;
  private static Inbox inbox;
  private static Api api;

  @BeforeAll
  static void start() {
    world = World.shared();
    scenario =
        world
            .scenario()
            .partitions(1)
            .intake("horizon", "4 seconds")
            .intake("lap", "1 second")
            .delivery("retry", "{maxAttempts: 100, firstBackoff: 200ms, maxBackoff: 1s}")
            .withTarget();
    api = new Api(scenario.bridge());
    inbox = scenario.inbox(scenario.target);
  }

  @AfterAll
  static void stop() {
    scenario.close();
  }

  /** Sends a message for this partition and returns its source. */
  private static String send(String target, int partition, String... more) {
    String[] headers = new String[more.length + 4];
    headers[0] = DelayHeaders.TARGET_TOPIC;
    headers[1] = target;
    headers[2] = DelayHeaders.TARGET_PARTITION;
    headers[3] = Integer.toString(partition);
    System.arraycopy(more, 0, headers, 4, more.length);
    return Scenario.source(scenario.send(KEY, "v", headers));
  }

  private static void assertArrived(Arrival arrival, int partition) {
    assertThat(arrival.record().partition()).isEqualTo(partition);
    assertThat(arrival.header(DelayHeaders.TARGET_PARTITION)).isNull();
  }

  @Test
  void a_near_message_goes_to_its_partition_and_one_that_names_none_to_that_of_its_key() {
    String third = send(scenario.target, 3, DelayHeaders.DELAY_MS, "100");
    String free =
        Scenario.source(
            scenario.send(
                KEY,
                "v",
                DelayHeaders.TARGET_TOPIC,
                scenario.target,
                DelayHeaders.DELAY_MS,
                "100"));

    assertArrived(inbox.awaitOne(third, LONG), 3);
    assertArrived(inbox.awaitOne(free, LONG), OF_THE_KEY);
  }

  @Test
  void a_far_message_goes_to_its_partition_after_its_laps() {
    String source = send(scenario.target, 2, DelayHeaders.DELAY_MS, "8000");

    assertArrived(inbox.awaitOne(source, LONG), 2);
  }

  @Test
  void every_occurrence_goes_to_the_partition_of_the_message() {
    String source =
        send(
            scenario.target,
            1,
            DelayHeaders.DELAY_MS,
            "100",
            DelayHeaders.ID,
            "often",
            DelayHeaders.EVERY,
            "PT1S",
            DelayHeaders.COUNT,
            "3");

    await().atMost(LONG).until(() -> inbox.of(source).size() == 3);
    assertThat(inbox.of(source)).allSatisfy(arrival -> assertArrived(arrival, 1));
  }

  @Test
  void a_message_waits_for_a_partition_that_its_target_is_given_later() {
    String target = scenario.target + "-grows";
    world.createTopic(target, 1, Map.of());
    String source = send(target, 2, DelayHeaders.DELAY_MS, "0", DelayHeaders.ID, "early");
    await().atMost(LONG).until(() -> pending("early").path("attempt").asInt() > 1);
    assertThat(pending("early").path("targetPartition").asInt()).isEqualTo(2);

    Scenario.get(world.admin.createPartitions(Map.of(target, NewPartitions.increaseTo(3))).all());

    await().atMost(LONG).until(() -> world.partitions(target) == 3);
    assertArrived(scenario.inbox(target).awaitOne(source, LONG), 2);
  }

  private static JsonNode pending(String id) {
    return api.get("messages/" + id).body();
  }

  @Test
  void a_replay_goes_to_the_partition_of_the_message() {
    String target = scenario.target + "-comes";
    String source = send(target, 3, DelayHeaders.DELAY_MS, "0", DelayHeaders.MAX_ATTEMPTS, "1");
    await().atMost(LONG).until(() -> api.get("deadletters/" + source).status() == 200);
    world.createTopic(target, 4, Map.of());
    Inbox replays = scenario.inbox(target);

    // A bridge may take the topic for missing for a second more, and tries again then.
    String replayed =
        api.post(
                "deadletters/" + source + "/replay",
                "{\"headers\": {\"delay-max-attempts\": \"20\"}}")
            .body()
            .path("source")
            .asText();

    assertArrived(replays.awaitOne(replayed, LONG), 3);
  }
}
