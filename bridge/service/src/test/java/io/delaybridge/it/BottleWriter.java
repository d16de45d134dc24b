package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.delaybridge.it.Bottle.Expected;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.DelayTopics;
import io.delaybridge.stack.BridgeProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Runs the current bridge and writes its data, for {@link UpgradeIT} of later versions: with one of
 * each kind of stored message and checkpoint. Run once for a format; a bottle is never rewritten.
 */
final class BottleWriter {

  private static final Duration SOON = Duration.ofSeconds(60);

  /** Longer than this takes to run. */
  private static final String PENDING = "PT1M";

  /** Beyond {@link Bottle#HORIZON}; its copy does not come home while this runs. */
  private static final String FAR = "PT10M";

  private final Scenario scenario;
  private final List<Expected> expected = new ArrayList<>();

  private BottleWriter(Scenario scenario) {
    this.scenario = scenario;
  }

  /**
   * Writes one bottle.
   *
   * @param args the file to write; it must not exist
   */
  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[0]).toAbsolutePath();
    if (Files.exists(file)) {
      throw new IllegalArgumentException(file + " exists; a bottle is never written again");
    }
    // Each Redis reads what the oldest one writes.
    System.setProperty("redis.binary", "embedded");
    Path dir = Files.createTempDirectory("bottle");
    try (World world = World.at(dir, Bottle.STACK)) {
      BottleWriter writer = new BottleWriter(Bottle.scenario(world));
      writer.run(dir);
      Files.write(
          dir.resolve(Bottle.EXPECTED), writer.expected.stream().map(Expected::line).toList());
    }
    Bottle.close(dir, file);
  }

  private void run(Path dir) {
    String later = DelayTopics.laterOf(scenario.intake);
    for (String topic : List.of(scenario.intake, later, scenario.target, scenario.deadLetters)) {
      scenario.world.createTopic(topic, 2, Map.of("retention.ms", "-1"));
    }
    BridgeProcess bridge = scenario.bridge();
    try {
      Api api = new Api(bridge);
      messages(api);
      far(api);
      scenario.world.localRedis().copyData(dir.resolve(Bottle.OLDER));
      deliver();
      paused(api);
      awaitCheckpoint(api);
    } finally {
      bridge.kill();
    }
  }

  private void messages(Api api) {
    expect(scenario.target, pending(0, "plain"));
    expect(scenario.target, pending(1, null));
    expect(scenario.target, pending(1, "", "empty", "", DelayHeaders.MAX_ATTEMPTS, "5"));
    expect(scenario.target, pending(0, "lives", DelayHeaders.TTL_MS, "630720000000"));
    expect(scenario.target, pending(0, "spread", DelayHeaders.SPREAD_MS, "1000"));
    pending(0, "cancelled", DelayHeaders.ID, "a");
    send(0, null, DelayHeaders.ID, "a", DelayHeaders.OP, "cancel");
    pending(0, "replaced", DelayHeaders.ID, "b");
    expect(scenario.target, pending(0, "replacement", DelayHeaders.ID, "b"));
    expect(scenario.deadLetters, send(0, "no time", DelayHeaders.TARGET_TOPIC, scenario.target));
    expect(
        Bottle.LATE,
        send(1, "tried", DelayHeaders.TARGET_TOPIC, Bottle.LATE, DelayHeaders.DELAY_MS, "0"));
    Sent moved = pending(1, "moved", DelayHeaders.ID, "c");
    expect(scenario.target, moved);
    assertThat(api.patch("messages/" + moved.source, "{\"delay\":\"PT1M\"}").status())
        .isEqualTo(200);
    await().atMost(SOON).until(() -> api.get("stats").body().path("pending").asInt() == 8);
  }

  private void far(Api api) {
    expect(scenario.target, far(0, "far"));
    far(0, "far cancelled", DelayHeaders.ID, "d");
    send(0, null, DelayHeaders.ID, "d", DelayHeaders.OP, "cancel");
    far(1, "far replaced", DelayHeaders.ID, "e");
    expect(scenario.target, far(1, "far replacement", DelayHeaders.ID, "e"));
    far(1, "far moved", DelayHeaders.ID, "f");
    await().atMost(SOON).until(() -> api.get("forecast").body().path("far").asInt() == 5);
    assertThat(api.patch("messages/f", "{\"delay\":\"" + FAR + "\"}").status()).isEqualTo(200);
    String moved = api.get("messages/f").body().path("source").asText();
    expect(scenario.target, new Sent(moved, "far moved"));
    await().atMost(SOON).until(() -> api.get("forecast").body().path("far").asInt() == 6);
  }

  private void deliver() {
    Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters);
    for (int i = 0; i < 6; i++) {
      Sent sent =
          send(
              i % 2,
              "early",
              DelayHeaders.TARGET_TOPIC,
              scenario.target,
              DelayHeaders.DELAY_MS,
              "1");
      expect(scenario.target, sent);
      inbox.awaitOne(sent.source, SOON);
    }
    inbox.close();
  }

  private void paused(Api api) {
    assertThat(api.put("shards/" + scenario.intake + "/1/pause").status()).isEqualTo(200);
    expect(scenario.target, pending(1, "while paused"));
  }

  /** Waits until everything sent is behind a checkpoint, so that the result is deterministic. */
  private void awaitCheckpoint(Api api) {
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              Map<TopicPartition, OffsetAndMetadata> committed = scenario.committed();
              for (JsonNode shard : api.get("shards").body()) {
                TopicPartition partition =
                    new TopicPartition(scenario.intake, shard.path("partition").asInt());
                assertThat(committed.get(partition))
                    .extracting(OffsetAndMetadata::offset)
                    .isEqualTo(shard.path("end").asLong());
              }
            });
  }

  private record Sent(String source, @Nullable String value) {}

  private Sent pending(int partition, @Nullable String value, String... headers) {
    return send(partition, value, with(headers, DelayHeaders.DELAY_DURATION, PENDING));
  }

  private Sent far(int partition, String value, String... headers) {
    return send(partition, value, with(headers, DelayHeaders.DELAY_DURATION, FAR));
  }

  private String[] with(String[] headers, String... delay) {
    return Stream.of(new String[] {DelayHeaders.TARGET_TOPIC, scenario.target}, delay, headers)
        .flatMap(Stream::of)
        .toArray(String[]::new);
  }

  private Sent send(int partition, @Nullable String value, String... headers) {
    ProducerRecord<byte[], byte[]> record = scenario.record("k", value, headers);
    return new Sent(
        Scenario.source(
            scenario.send(
                new ProducerRecord<>(
                    record.topic(),
                    partition,
                    record.timestamp(),
                    record.key(),
                    record.value(),
                    record.headers()))),
        value);
  }

  private void expect(String topic, Sent sent) {
    expected.add(new Expected(sent.source, topic, hex(sent.value)));
  }

  private static String hex(@Nullable String value) {
    return value == null
        ? "null"
        : HexFormat.of().formatHex(value.getBytes(StandardCharsets.UTF_8));
  }
}
