package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.stack.BridgeProcess;
import io.delaybridge.stack.LocalRedis;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Crashes and losses. For exactly-once delivery, the quick selection of bridge/bench in the same
 * build kills bridges and empties Redis, and {@link RollingRestartIT} starts and stops bridges.
 */
class FaultsIT {

  // At-least-once delivery may repeat messages since the last checkpoint, once per fault.
  private static final int REPEATS = 4;
  private static final Duration LONG = Duration.ofMinutes(2);

  private static World world;

  @BeforeAll
  static void start() {
    world = World.start();
  }

  @AfterAll
  static void stop() {
    world.close();
  }

  @Test
  void a_bridge_that_is_killed_and_started_again_loses_nothing() {
    try (Scenario scenario = world.scenario().guarantee("at_least_once").withTarget()) {
      BridgeProcess bridge = scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target);
      Load load = new Load(scenario).send(20_000, 10_000, scenario.target);
      for (int kill = 1; kill <= 2; kill++) {
        inbox.awaitCount(load.size() * kill / 4, LONG);
        bridge.kill();
        bridge = scenario.launch();
      }
      inbox.awaitCount(load.size(), LONG);
      await().atMost(LONG).until(() -> inbox.distinct() == load.size());
      load.check(inbox, REPEATS);
    }
  }

  @Test
  void a_second_bridge_that_joins_and_leaves_changes_nothing() {
    try (Scenario scenario = world.scenario().guarantee("at_least_once").withTarget()) {
      scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target);
      Load load = new Load(scenario).send(20_000, 12_000, scenario.target);
      inbox.awaitCount(load.size() / 5, LONG);
      BridgeProcess second = scenario.bridge();
      inbox.awaitCount(load.size() * 3 / 5, LONG);
      second.stop();
      await().atMost(LONG).until(() -> inbox.distinct() == load.size());
      load.check(inbox, REPEATS);
    }
  }

  @Test
  void everything_is_delivered_although_redis_is_emptied() {
    try (Scenario scenario = world.scenario().guarantee("at_least_once").withTarget()) {
      scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target);
      Load load = new Load(scenario).send(20_000, 6_000, scenario.target);
      for (int flush = 1; flush <= 2; flush++) {
        inbox.awaitCount(load.size() * flush / 4, LONG);
        assertThat(world.stack.redisCommand("FLUSHALL")).isEqualTo("OK");
      }
      await().atMost(LONG).until(() -> inbox.distinct() == load.size());
      load.check(inbox, REPEATS);
    }
  }

  @ParameterizedTest
  @CsvSource({"exactly_once,1", "at_least_once," + REPEATS})
  void everything_is_delivered_although_redis_is_put_back_to_an_older_copy(
      String guarantee, int most) {
    LocalRedis redis = world.localRedis();
    try (Scenario scenario = world.scenario().guarantee(guarantee).withTarget()) {
      scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target);
      Load load = new Load(scenario).send(10_000, 8_000, scenario.target);
      inbox.awaitCount(load.size() / 4, LONG);
      Path copy = world.dir.resolve("older");
      redis.stop();
      redis.copyData(copy);
      redis.restart();
      load.send(10_000, 6_000, scenario.target);
      inbox.awaitCount(load.size() / 2, LONG);
      redis.stop();
      redis.restoreData(copy);
      redis.restart();
      await().atMost(LONG).until(() -> inbox.distinct() == load.size());
      load.check(inbox, most);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"kafka", "redis"})
  void a_bridge_stays_up_while_a_server_is_away_and_goes_on_by_itself(String name) {
    try (Scenario scenario = world.scenario().guarantee("exactly_once").withTarget()) {
      BridgeProcess bridge = scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target);
      Load load = new Load(scenario).send(5_000, 22_000, scenario.target);
      inbox.awaitCount(load.size() / 10, LONG);
      io.delaybridge.stack.Server server =
          name.equals("kafka") ? world.stack.kafka() : world.stack.redis();
      server.kill();
      long back = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      await().atMost(LONG).until(() -> bridge.health().status() == 500);
      assertThat(bridge.health().body()).contains("\"" + name + "\":{\"healthy\":false");
      await().atMost(LONG).until(() -> System.nanoTime() > back);
      assertThat(bridge.isAlive()).isTrue();
      server.restart();
      await().atMost(LONG).until(() -> inbox.distinct() == load.size());
      load.check(inbox, 1);
      await().atMost(LONG).until(() -> bridge.health().status() == 200);
    }
  }

  @Test
  void pending_messages_survive_an_orderly_restart_and_redis_is_empty_at_the_end() {
    try (Scenario scenario = world.scenario().withTarget()) {
      BridgeProcess bridge = scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target);
      Load load = new Load(scenario).send(1_000, 6_000, scenario.target);
      bridge.stop();
      scenario.bridge();
      inbox.awaitCount(load.size(), LONG);
      load.check(inbox, 1);
      await()
          .atMost(LONG)
          .untilAsserted(
              () ->
                  assertThat(
                          String.valueOf(
                              world.stack.redisCommand(
                                  "KEYS", "{" + scenario.prefix + ":*:pending")))
                      .isEqualTo("[]"));
      assertThat(String.valueOf(world.stack.redisCommand("KEYS", "*rehearsal*"))).isEqualTo("[]");
    }
  }

  @Test
  void a_damaged_batch_of_the_intake_stops_its_shard_and_no_other() throws IOException {
    World.requireFiles();
    try (Scenario scenario = world.scenario().partitions(2).delivery("loops", "1").withTarget()) {
      BridgeProcess bridge = scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target);
      bridge.pause();
      String good = Scenario.source(scenario.sendTo(0, "good"));
      String bad = Scenario.source(scenario.sendTo(0, "bad"));
      damage(scenario.intake + "-0");
      String beside = Scenario.source(scenario.sendTo(1, "beside"));
      bridge.resume();

      inbox.awaitOne(good, LONG);
      inbox.awaitOne(beside, LONG);
      await()
          .atMost(LONG)
          .until(() -> bridge.health().body().contains("cannot be read at offset 1"));
      inbox.awaitOne(Scenario.source(scenario.sendTo(1, "later")), LONG);
      assertThat(inbox.of(bad)).isEmpty();
      assertThat(HangsIT.restarts(bridge)).isZero();
    }
  }

  /** As after a broker without replicas loses its last writes together with its machine. */
  @Test
  void an_intake_that_was_truncated_and_has_grown_again_stops_its_shard() throws Exception {
    World.requireFiles();
    try (Scenario scenario =
        world.scenario().partitions(1).delivery("checkpointEvery", "1s").withTarget()) {
      BridgeProcess bridge = scenario.bridge();
      String[] inAnHour = {
        DelayHeaders.TARGET_TOPIC, scenario.target, DelayHeaders.DELAY_MS, "3600000"
      };
      scenario.send("k", "kept", inAnHour);
      Path log = log(scenario.intake + "-0");
      long kept = Files.size(log);
      scenario.send("k", "lost", inAnHour);
      await().atMost(LONG).until(() -> committed(scenario) == 2);
      bridge.kill();
      world.stack.kafka().kill();
      try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
        file.setLength(kept);
      }
      world.stack.kafka().restart();
      Inbox inbox = scenario.inbox(scenario.target);
      scenario.sendTo(0, "in the place of the lost one");
      RecordMetadata behind = scenario.sendTo(0, "behind it");
      assertThat(behind.offset()).isEqualTo(2);

      BridgeProcess next = scenario.launch();

      await().atMost(LONG).until(() -> next.health().body().contains("it was truncated"));
      assertThat(inbox.distinct()).isZero();
    }
  }

  /** A marker has its own epoch, even if no record has it. */
  @Test
  void a_transaction_that_ends_under_another_leader_is_no_truncation() {
    try (Scenario scenario =
            world.scenario().partitions(1).delivery("checkpointEvery", "1s").withTarget();
        Producer<byte[], byte[]> producer = world.transactional(scenario.intake)) {
      BridgeProcess bridge = scenario.bridge();
      producer.initTransactions();
      producer.beginTransaction();
      Scenario.get(
          producer.send(
              scenario.record(
                  "k",
                  "v",
                  DelayHeaders.TARGET_TOPIC,
                  scenario.target,
                  DelayHeaders.DELAY_MS,
                  "1")));
      world.stack.kafka().kill();
      world.stack.kafka().restart();
      producer.commitTransaction();
      await().atMost(LONG).until(() -> committed(scenario) == 2);
      bridge.kill();

      scenario.bridge();

      Inbox inbox = scenario.inbox(scenario.target);
      inbox.awaitOne(scenario.intake + "/0/0", LONG);
      inbox.awaitOne(Scenario.source(scenario.sendTo(0, "behind it")), LONG);
    }
  }

  private static long committed(Scenario scenario) {
    OffsetAndMetadata offset = scenario.committed().get(new TopicPartition(scenario.intake, 0));
    return offset == null ? -1 : offset.offset();
  }

  private static Path log(String partition) {
    return world.dir.resolve("kafka/data").resolve(partition).resolve("0".repeat(20) + ".log");
  }

  /** Flips the last bit that the partition has on disk, which is in a header of the last record. */
  private static void damage(String partition) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(log(partition).toFile(), "rw")) {
      file.seek(file.length() - 1);
      int last = file.read();
      file.seek(file.length() - 1);
      file.write(last ^ 1);
    }
  }
}
