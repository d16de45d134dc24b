package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.delaybridge.it.Inbox.Arrival;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.stack.BridgeProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares watermarks with the messages that arrive. */
class WatermarkIT {

  private static final Duration LONG = Duration.ofMinutes(2);
  private static final int MESSAGES = 1_500;
  private static final int TARGET_PARTITIONS = 4;

  private static World world;

  @BeforeAll
  static void start() {
    world = World.shared();
  }

  /**
   * An answer, by partition of the intake, and where the partitions of the target ended after it,
   * with what is in open transactions.
   */
  private record Told(JsonNode answer, Map<TopicPartition, Long> ends) {

    boolean isOut(String source, Arrival arrival) {
      String[] parts = source.split("/", -1);
      JsonNode partition = answer.path(Integer.parseInt(parts[1]));
      long due = Long.parseLong(String.valueOf(arrival.header(DelayHeaders.DUE_AT)));
      return partition.path("watermark").asLong(-1) >= due
          && partition.path("end").asLong() > Long.parseLong(parts[2]);
    }

    boolean isThere(Arrival arrival) {
      TopicPartition partition =
          new TopicPartition(arrival.record().topic(), arrival.record().partition());
      return arrival.record().offset() < ends.getOrDefault(partition, 0L);
    }
  }

  private static Told ask(Scenario scenario, Api api) {
    Api.Answer answer = api.get("watermark");
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
    Map<TopicPartition, OffsetSpec> specs = new HashMap<>();
    for (int i = 0; i < TARGET_PARTITIONS; i++) {
      specs.put(new TopicPartition(scenario.target, i), OffsetSpec.latest());
    }
    Map<TopicPartition, Long> ends = new HashMap<>();
    Scenario.get(world.admin.listOffsets(specs).all())
        .forEach((partition, end) -> ends.put(partition, end.offset()));
    return new Told(answer.body(), ends);
  }

  @ParameterizedTest
  @ValueSource(strings = {"exactly_once", "at_least_once"})
  void what_is_told_to_be_out_is_there_in_a_rebuild_an_outage_and_a_pause(String guarantee) {
    try (Scenario scenario =
        world
            .scenario()
            .guarantee(guarantee)
            .partitions(3)
            .intake("horizon", "4 seconds")
            .intake("lap", "1 second")
            .withTarget()) {
      BridgeProcess first = scenario.bridge();
      BridgeProcess second = scenario.bridge();
      Api api = new Api(second);
      Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters);
      Load load = new Load(scenario).send(MESSAGES, 15_000, scenario.target);
      List<Told> told = new ArrayList<>();

      askUntil(scenario, api, told, () -> inbox.distinct() >= MESSAGES / 5);
      assertThat(world.stack.redisCommand("FLUSHALL")).isEqualTo("OK");
      askUntil(scenario, api, told, () -> inbox.distinct() >= MESSAGES / 3);
      first.kill();
      second.kill();
      load.send(MESSAGES / 3, 8_000, scenario.target);
      second.start();
      Api anew = new Api(second.awaitHealthy(LONG));
      askUntil(scenario, anew, told, () -> inbox.distinct() >= load.size() / 2);
      assertThat(anew.put("pause").status()).isEqualTo(200);
      load.send(10, 0, scenario.target);
      told.add(ask(scenario, anew));
      assertThat(anew.delete("pause").status()).isEqualTo(200);
      askUntil(scenario, anew, told, () -> inbox.distinct() >= load.size());

      check(told, inbox);
    }
  }

  private static void askUntil(
      Scenario scenario, Api api, List<Told> told, Callable<Boolean> enough) {
    await()
        .atMost(LONG)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              told.add(ask(scenario, api));
              return enough.call();
            });
  }

  private static void check(List<Told> told, Inbox inbox) {
    List<String> faults = new ArrayList<>();
    int out = 0;
    int pending = 0;
    for (Told each : told) {
      for (String source : inbox.all().stream().map(Arrival::source).distinct().toList()) {
        List<Arrival> arrivals = inbox.of(source);
        if (!each.isOut(source, arrivals.get(0))) {
          pending++;
        } else {
          out++;
          if (arrivals.stream().noneMatch(each::isThere)) {
            faults.add("%s was not out when this was told: %s".formatted(source, each.answer));
          }
        }
      }
    }
    assertThat(faults).as("of %d answers", told.size()).isEmpty();
    assertThat(out).isGreaterThan(MESSAGES);
    assertThat(pending).isGreaterThan(MESSAGES);
  }

  @Test
  void it_goes_on_while_nothing_is_due_and_stands_still_before_what_is_paused() {
    try (Scenario scenario = world.scenario().partitions(1).withTarget()) {
      Api api = new Api(scenario.bridge());
      Inbox inbox = scenario.inbox(scenario.target);
      long asked = System.currentTimeMillis();
      assertThat(watermark(api)).isGreaterThanOrEqualTo(asked);
      send(scenario, 3_600_000);
      long askedAgain = System.currentTimeMillis();
      assertThat(watermark(api)).isGreaterThanOrEqualTo(askedAgain);

      assertThat(api.put("pause").status()).isEqualTo(200);
      RecordMetadata paused = send(scenario, 0);
      assertThat(watermark(api)).isEqualTo(paused.timestamp() - 1);
      assertThat(world.stack.redisCommand("FLUSHALL")).isEqualTo("OK");
      assertThat(watermark(api)).isEqualTo(paused.timestamp() - 1);

      assertThat(api.delete("pause").status()).isEqualTo(200);
      inbox.awaitOne(Scenario.source(paused), LONG);
      long out = System.currentTimeMillis();
      await().atMost(LONG).until(() -> watermark(api) >= out);
    }
  }

  @Test
  void nothing_is_told_while_there_is_something_that_nobody_can_read() throws Exception {
    try (Scenario scenario = world.scenario().partitions(1).withTarget()) {
      Api api = new Api(scenario.bridge());
      try (Producer<byte[], byte[]> producer = world.transactional(scenario.intake)) {
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(scenario.intake, new byte[0])).get();
        JsonNode partition = api.get("watermark").body().path(0);
        assertThat(partition.path("watermark").isNull()).isTrue();
        assertThat(partition.path("end").asLong()).isEqualTo(1);
        producer.abortTransaction();
      }
      long asked = System.currentTimeMillis();
      assertThat(watermark(api)).isGreaterThanOrEqualTo(asked);
    }
  }

  @Test
  void what_is_told_is_also_written_to_a_topic_by_whoever_has_the_shard() throws Exception {
    try (Scenario scenario = world.scenario().partitions(2).withTarget()) {
      String topic = scenario.intake + "-progress";
      scenario.delivery("progressTopic", topic);
      BridgeProcess first = scenario.bridge();
      BridgeProcess second = scenario.bridge();
      Inbox progress = scenario.inbox(topic);
      Inbox inbox = scenario.inbox(scenario.target);
      inbox.awaitOne(Scenario.source(send(scenario, 0)), LONG);
      awaitProgress(scenario, progress, System.currentTimeMillis());

      first.kill();
      RecordMetadata pending = send(scenario, 3_600_000);
      awaitProgress(scenario, progress, System.currentTimeMillis());
      assertThat(second.isAlive()).isTrue();

      ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
      assertThat(
              Scenario.get(world.admin.describeConfigs(List.of(resource)).all())
                  .values()
                  .iterator()
                  .next()
                  .get("cleanup.policy")
                  .value())
          .isEqualTo("compact");
      JsonNode last = last(progress, "%s/%d".formatted(scenario.intake, pending.partition()));
      assertThat(last.path("intake").asText()).isEqualTo(scenario.intake);
      assertThat(last.path("partition").asInt()).isEqualTo(pending.partition());
      await()
          .atMost(LONG)
          .until(
              () ->
                  last(progress, "%s/%d".formatted(scenario.intake, pending.partition()))
                          .path("end")
                          .asLong()
                      > pending.offset());
    }
  }

  /** Waits until each partition is known to be out up to this instant. */
  private static void awaitProgress(Scenario scenario, Inbox progress, long instant) {
    await()
        .atMost(LONG)
        .until(
            () ->
                last(progress, scenario.intake + "/0").path("watermark").asLong() >= instant
                    && last(progress, scenario.intake + "/1").path("watermark").asLong()
                        >= instant);
  }

  private static JsonNode last(Inbox progress, String key) throws IOException {
    byte[] last = "{}".getBytes(StandardCharsets.UTF_8);
    for (Arrival arrival : progress.all()) {
      last = key.equals(text(arrival.record().key())) ? arrival.record().value() : last;
    }
    return new ObjectMapper().readTree(last);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static long watermark(Api api) {
    JsonNode partition = api.get("watermark").body().path(0);
    assertThat(partition.path("watermark").isNumber()).as("%s", partition).isTrue();
    return partition.path("watermark").asLong();
  }

  private static RecordMetadata send(Scenario scenario, long delay) {
    return scenario.send(
        null,
        "v",
        DelayHeaders.TARGET_TOPIC,
        scenario.target,
        DelayHeaders.DELAY_MS,
        Long.toString(delay));
  }
}
