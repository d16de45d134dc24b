package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.it.Inbox.Arrival;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.DelayTopics;
import io.delaybridge.shard.Checkpoint;
import io.delaybridge.shard.Checkpoint.UnreadableException;
import io.delaybridge.shard.Laps;
import io.delaybridge.stack.StackSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Far messages outlive their records in the intake. The broker deletes these as it would after
 * days, only after seconds.
 */
class FarRetentionIT {

  private static final Duration LONG = Duration.ofMinutes(2);
  private static final int PARTITIONS = 2;
  private static final int MESSAGES = 200;

  /** So long that everything before the last step is over while they are far. */
  private static final int DELAY_MS = 75_000;

  /** The horizon, and time enough to feed an empty Redis with what came in last. */
  private static final int RETENTION_MS = 12_000;

  private static World world;

  private final Map<String, Expected> expected = new HashMap<>();

  private record Expected(String value, long due) {}

  @BeforeAll
  static void start() {
    world =
        World.start(
            StackSettings.NONE
                .kafka("log.initial.task.delay.ms", "500")
                .kafka("log.retention.check.interval.ms", "500"));
  }

  @AfterAll
  static void stop() {
    world.close();
  }

  @ParameterizedTest
  @CsvSource({"exactly_once,1", "at_least_once,4"})
  void what_is_far_outlives_its_record_and_the_record_of_its_cancel(String guarantee, int most) {
    try (Scenario scenario =
        world
            .scenario()
            .partitions(PARTITIONS)
            .intake("horizon", "4 seconds")
            .intake("lap", "1 second")
            .withTarget()
            .guarantee(guarantee)) {
      Api api = new Api(scenario.bridge());
      // Not before the start: the bridge wants at least the minutes of topics.outage, and says so.
      deleteSoon(scenario.intake);
      Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters);
      sendAll(scenario);
      for (String id : List.of("cancelled", "replaced", "hurried")) {
        scenario.send(id, "old", FarMessagesIT.far(scenario, id, DELAY_MS));
      }
      awaitNoRecords(scenario.intake);
      await().atMost(LONG).until(() -> copies(scenario) == MESSAGES + 3);
      awaitLaps(scenario, 2);

      scenario.send(
          "cancelled", null, DelayHeaders.OP, DelayHeaders.OP_CANCEL, DelayHeaders.ID, "cancelled");
      replace(scenario, "replaced", DELAY_MS - 15_000);
      replace(scenario, "hurried", 1_000);
      passEachPartition(scenario);
      inbox.awaitCount(1, LONG);
      emptyRedis();
      await().atMost(LONG).until(() -> inbox.distinct() == 1 + PARTITIONS);
      awaitNoRecords(scenario.intake);
      awaitLaps(scenario, 1);

      // Neither Redis nor the intake has anything of the cancel now, or of the replacements.
      emptyRedis();
      awaitLaps(scenario, 2);
      assertThat(copies(scenario)).isEqualTo(MESSAGES + 1);
      assertThat(inbox.distinct()).as("what is not far any more").isEqualTo(1 + PARTITIONS);

      await().atMost(LONG).until(() -> inbox.distinct() >= expected.size());
      await().atMost(LONG).until(() -> api.get("stats").body().path("pending").asInt(-1) == 0);
      assertThat(copies(scenario)).isZero();
      check(scenario, inbox, most);
    }
  }

  /** Sends far messages, every other one with an id, without waiting for each. */
  private void sendAll(Scenario scenario) {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      String[] headers = FarMessagesIT.far(scenario, i % 2 == 0 ? "id-" + i : null, DELAY_MS + i);
      sent.add(world.producer.send(scenario.record("stays-" + i, "stays-" + i, headers)));
    }
    for (int i = 0; i < MESSAGES; i++) {
      expect("stays-" + i, DELAY_MS + i, Scenario.get(sent.get(i)));
    }
  }

  /** Sends messages that come home soon, so that transactions leave their markers in the intake. */
  private void passEachPartition(Scenario scenario) {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      String value = "passes-" + partition;
      ProducerRecord<byte[], byte[]> record =
          scenario.record(null, value, FarMessagesIT.far(scenario, null, 6_000));
      RecordMetadata sent = scenario.send(Scenario.in(scenario.intake, partition, record));
      expect(value, 6_000, sent);
    }
  }

  private void replace(Scenario scenario, String id, int delay) {
    expect("new", delay, scenario.send(id, "new", FarMessagesIT.far(scenario, id, delay)));
  }

  private void expect(String value, int delay, RecordMetadata sent) {
    expected.put(Scenario.source(sent), new Expected(value, sent.timestamp() + delay));
  }

  private void check(Scenario scenario, Inbox inbox, int most) {
    assertThat(inbox.all().stream().map(Arrival::source).collect(Collectors.toSet()))
        .isEqualTo(expected.keySet());
    assertThat(expected)
        .allSatisfy(
            (source, message) ->
                assertThat(inbox.of(source))
                    .hasSizeBetween(1, most)
                    .allSatisfy(
                        arrival -> {
                          assertThat(arrival.record().topic()).isEqualTo(scenario.target);
                          assertThat(arrival.value()).isEqualTo(message.value);
                          assertThat(arrival.header(DelayHeaders.DUE_AT))
                              .isEqualTo(Long.toString(message.due));
                          assertThat(arrival.record().timestamp())
                              .isGreaterThanOrEqualTo(message.due);
                        }));
  }

  private static void emptyRedis() {
    assertThat(world.stack.redisCommand("FLUSHALL")).isEqualTo("OK");
  }

  private static void deleteSoon(String topic) {
    Collection<AlterConfigOp> changes =
        Stream.of(
                new ConfigEntry("retention.ms", Integer.toString(RETENTION_MS)),
                new ConfigEntry("segment.ms", "100"))
            .map(entry -> new AlterConfigOp(entry, AlterConfigOp.OpType.SET))
            .toList();
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    Scenario.get(world.admin.incrementalAlterConfigs(Map.of(resource, changes)).all());
  }

  /** Waits until retention has deleted every record of every partition. */
  private static void awaitNoRecords(String topic) {
    await()
        .atMost(LONG)
        .untilAsserted(
            () -> {
              Map<TopicPartition, Long> ends = offsets(topic, OffsetSpec.latest());
              assertThat(ends.values()).doesNotContain(0L);
              assertThat(offsets(topic, OffsetSpec.earliest())).isEqualTo(ends);
            });
  }

  /** Waits until every copy that is in the later topic now was judged, so many times. */
  private static void awaitLaps(Scenario scenario, int laps) {
    String later = DelayTopics.laterOf(scenario.intake);
    for (int i = 0; i < laps; i++) {
      Map<TopicPartition, Long> ends = offsets(later, OffsetSpec.latest());
      await()
          .atMost(LONG)
          .untilAsserted(
              () ->
                  assertThat(laps(scenario))
                      .hasSize(PARTITIONS)
                      .allSatisfy(
                          (partition, now) ->
                              assertThat(now.judged())
                                  .isGreaterThanOrEqualTo(
                                      ends.get(new TopicPartition(later, partition)))));
    }
  }

  private static Map<TopicPartition, Long> offsets(String topic, OffsetSpec spec) {
    Map<TopicPartition, OffsetSpec> asked =
        IntStream.range(0, PARTITIONS)
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .collect(Collectors.toMap(partition -> partition, partition -> spec));
    Map<TopicPartition, ListOffsetsResultInfo> found =
        Scenario.get(world.admin.listOffsets(asked).all());
    return found.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().offset()));
  }

  private static long copies(Scenario scenario) {
    return laps(scenario).values().stream().mapToLong(Laps::copies).sum();
  }

  /** Returns what the checkpoints say about each partition of the later topic. */
  private static Map<Integer, Laps> laps(Scenario scenario) {
    Map<Integer, Laps> laps = new HashMap<>();
    scenario
        .committed()
        .forEach(
            (partition, committed) -> {
              try {
                laps.put(partition.partition(), Checkpoint.parse(committed.metadata()).laps());
              } catch (UnreadableException e) {
                throw new AssertionError(e);
              }
            });
    return laps;
  }
}
