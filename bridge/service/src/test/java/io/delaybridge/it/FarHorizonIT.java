package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.it.Inbox.Arrival;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.DelayTopics;
import io.delaybridge.stack.BridgeProcess;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;

/**
 * The horizon is changed while messages are pending. Each time, a bridge with the new one and a
 * bridge with the old one share the partitions for a while, as in a rollout.
 */
class FarHorizonIT {

  private static final Duration LONG = Duration.ofMinutes(2);
  private static final int EVERY_MS = 100;
  private static final int MESSAGES = 10;
  private static final int MAX_DELAY_MS = 5_000;

  /** Beyond every horizon, and after the end of the test. */
  private static final int DISTANT_MS = 90 * 60_000;

  private final World world = World.shared();
  private final Scenario scenario =
      world.scenario().partitions(3).withTarget().intake("longestDelay", "2 hours");
  private final String named = scenario.target + "-named";
  private final Deque<BridgeProcess> bridges = new ArrayDeque<>();

  @Test
  void it_is_set_made_longer_made_shorter_and_taken_away_and_each_message_arrives_once()
      throws Exception {
    world.createTopic(named, 1, Map.of());
    Load load = new Load(scenario);
    try (scenario) {
      horizon("0 seconds", "1 second");
      bridges.add(scenario.bridge());
      Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters);
      Inbox withIds = scenario.inbox(named);
      try (SteadyLoad sending =
          new SteadyLoad(EVERY_MS, () -> load.send(MESSAGES, MAX_DELAY_MS, scenario.target))) {
        send("near", DISTANT_MS);

        horizon("2 seconds", "1 second");
        roll(() -> {});
        sendFar("cancelled", "replaced", "stays");

        // The lap is half of that, as for an operator who sets only the horizon.
        horizon("1 hour", "");
        keepForEver(DelayTopics.laterOf(scenario.intake));
        roll(this::cancel);
        sendFar("longer");
        // What is not far under this horizon does not wait for a lap under this one.
        await().atMost(LONG).until(() -> FarMessagesIT.later(api()) == 3);
        assertThat(state("stays")).isEqualTo("FAR");

        horizon("2 seconds", "1 second");
        roll(() -> send("replaced", MAX_DELAY_MS));
        sendFar("last");

        horizon("0 seconds", "1 second");
        roll(() -> {});
        await().atMost(LONG).until(() -> FarMessagesIT.later(api()) == 0);
        sending.end();
      }
      withIds.awaitCount(1, LONG);
      assertThat(withIds.all()).extracting(Arrival::value).containsExactly("replaced");
      List.of("near", "stays", "longer", "last").forEach(this::moveToNow);

      await().atMost(LONG).until(() -> inbox.distinct() == load.size());
      await().atMost(LONG).until(() -> api().get("stats").body().path("pending").asInt(-1) == 0);
      load.check(inbox, 1);
      assertThat(withIds.all())
          .extracting(Arrival::value)
          .containsExactlyInAnyOrder("replaced", "near", "stays", "longer", "last");
    }
  }

  private void horizon(String horizon, String lap) {
    scenario.intake("horizon", horizon).intake("lap", lap);
  }

  /** Adds a bridge with the present configuration, and stops the other one. */
  private void roll(Runnable between) {
    bridges.add(scenario.bridge());
    Shards.awaitSome(bridges.getLast());
    between.run();
    bridges.remove().stop();
  }

  private void keepForEver(String topic) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    AlterConfigOp change =
        new AlterConfigOp(new ConfigEntry("retention.ms", "-1"), AlterConfigOp.OpType.SET);
    Scenario.get(world.admin.incrementalAlterConfigs(Map.of(resource, List.of(change))).all());
  }

  private void sendFar(String... ids) {
    for (String id : ids) {
      send(id, DISTANT_MS);
      await().atMost(LONG).until(() -> state(id).equals("FAR"));
    }
  }

  private void send(String id, int delay) {
    scenario.send(
        id,
        id,
        DelayHeaders.ID,
        id,
        DelayHeaders.TARGET_TOPIC,
        named,
        DelayHeaders.DELAY_MS,
        Integer.toString(delay));
  }

  private void cancel() {
    scenario.send(
        "cancelled", null, DelayHeaders.ID, "cancelled", DelayHeaders.OP, DelayHeaders.OP_CANCEL);
  }

  /** It may have been moved although the answer did not come in time. */
  private void moveToNow(String id) {
    await()
        .atMost(LONG)
        .until(
            () -> {
              Api.Answer answer = api().patch("messages/" + id, "{\"delay\":\"PT0S\"}");
              return answer.status() == 200 || answer.status() == 404;
            });
  }

  private String state(String id) {
    return api().get("messages/" + id).body().path("state").asText();
  }

  private Api api() {
    return new Api(bridges.getLast());
  }
}
