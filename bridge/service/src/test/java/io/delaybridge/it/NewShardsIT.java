package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.stack.BridgeProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Producers that write before the group has divided the partitions of a new intake. */
class NewShardsIT {

  private static final Duration LONG = Duration.ofMinutes(2);
  private static final int PARTITIONS = 4;

  private static World world;

  @BeforeAll
  static void start() {
    world = World.shared();
  }

  @Test
  void what_was_written_before_a_shard_is_open_is_delivered() {
    try (Scenario scenario = world.scenario().partitions(PARTITIONS).withTarget()) {
      world.createTopic(scenario.intake, PARTITIONS, Map.of("retention.ms", "-1"));
      BridgeProcess bridge;
      List<String> sources;
      try (KafkaConsumer<byte[], byte[]> holder = member(scenario)) {
        await().atMost(LONG).until(() -> holds(holder) == PARTITIONS);
        bridge = scenario.launch();
        await().atMost(LONG).until(() -> holds(holder) < PARTITIONS && isHealthy(bridge));
        assertThat(holds(holder)).isPositive();
        sources = sendToAll(scenario);
      }

      Inbox inbox = scenario.inbox(scenario.target);
      sources.forEach(source -> inbox.awaitOne(source, LONG));
      await().atMost(LONG).until(() -> isHealthy(bridge));
    }
  }

  @Test
  void what_was_there_before_the_first_bridge_is_not_delivered_unasked() {
    try (Scenario scenario = world.scenario().partitions(2).withTarget()) {
      world.createTopic(scenario.intake, 2, Map.of("retention.ms", "-1"));
      String old = Scenario.source(scenario.sendTo(0, "old"));
      BridgeProcess bridge = scenario.launch();
      await().atMost(LONG).until(() -> bridge.health().body().contains("set intake.start"));

      String fresh = Scenario.source(scenario.sendTo(1, "new"));

      Inbox inbox = scenario.inbox(scenario.target);
      inbox.awaitOne(fresh, LONG);
      assertThat(inbox.of(old)).isEmpty();
    }
  }

  private static List<String> sendToAll(Scenario scenario) {
    List<String> sources = new ArrayList<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      sources.add(Scenario.source(scenario.sendTo(partition, "early")));
    }
    return sources;
  }

  private static boolean isHealthy(BridgeProcess bridge) {
    return bridge.health().status() == 200;
  }

  /** Keeps it in the group and tells how many partitions it has. */
  private static int holds(KafkaConsumer<byte[], byte[]> member) {
    member.poll(Duration.ofMillis(100));
    return member.assignment().size();
  }

  /** A member of the bridge's group that has partitions and does nothing with them. */
  private static KafkaConsumer<byte[], byte[]> member(Scenario scenario) {
    KafkaConsumer<byte[], byte[]> member =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                world.stack.bootstrapServers(),
                ConsumerConfig.GROUP_ID_CONFIG,
                scenario.group,
                ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                CooperativeStickyAssignor.class.getName(),
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    member.subscribe(List.of(scenario.intake));
    return member;
  }
}
