package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.it.Bottle.Expected;
import io.delaybridge.stack.BridgeProcess;
import io.delaybridge.stack.LocalRedis;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** This bridge on what an earlier version left behind in Kafka and in Redis. */
class UpgradeIT {

  private static final Duration SOON = Duration.ofSeconds(60);

  /** The state of Redis. */
  enum Redis {
    AS_IT_WAS,
    OLDER,
    EMPTY
  }

  /**
   * An earlier layout is rebuilt from Kafka, so there is no difference in what is left of it.
   *
   * @param rebuilt how many of the two shards are read from the intake again: those whose keys have
   *     an earlier layout, or are gone
   */
  @ParameterizedTest
  @CsvSource({
    "v1, AS_IT_WAS, 2",
    "v2, AS_IT_WAS, 2",
    "v3, AS_IT_WAS, 2",
    "v4, AS_IT_WAS, 2",
    "v5, AS_IT_WAS, 0",
    "v5, OLDER, 0",
    "v5, EMPTY, 2",
    "v6, AS_IT_WAS, 0",
    "v6, OLDER, 0",
    "v6, EMPTY, 2"
  })
  void everything_that_an_earlier_version_had_taken_in_arrives_once(
      String version, Redis redis, int rebuilt) throws IOException {
    Path dir = directory();
    Bottle.open(version, dir);
    List<Expected> expected = Bottle.expected(dir);
    spoil(dir, redis);
    try (World world = World.at(dir, Bottle.STACK);
        Scenario scenario = Bottle.scenario(world)) {
      world.createTopic(Bottle.LATE, 1, Map.of());
      BridgeProcess bridge = scenario.bridge();
      Api api = new Api(bridge);
      assertThat(api.get("pause").body().path("paused").get(0).asText())
          .isEqualTo(scenario.intake + "/1");
      assertThat(api.delete("pause").status()).isEqualTo(200);

      await().atMost(SOON).until(() -> api.get("stats").body().path("pending").asInt() == 0);

      Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters, Bottle.LATE);
      inbox.awaitCount(expected.size(), SOON);
      assertThat(inbox.all()).map(UpgradeIT::seen).containsExactlyInAnyOrderElementsOf(expected);
      assertThat(rebuilt(bridge)).isEqualTo(rebuilt);
    }
  }

  /**
   * Data that it does not see would be rebuilt from Kafka, and nothing would test how it is read.
   */
  @ParameterizedTest
  @MethodSource("versions")
  void the_oldest_Redis_that_is_supported_reads_what_an_earlier_version_had_in_it(String version)
      throws IOException {
    Path dir = directory();
    Bottle.open(version, dir);
    for (String data : List.of("redis/data", Bottle.OLDER)) {
      try (LocalRedis oldest = LocalRedis.at(dir.resolve("oldest")).embedded()) {
        oldest.restoreData(dir.resolve(data));
        oldest.start();
        assertThat(oldest.command("DBSIZE")).as(data).isNotEqualTo(0L);
      }
    }
  }

  static Stream<String> versions() throws IOException, URISyntaxException {
    URL earlier = Objects.requireNonNull(UpgradeIT.class.getResource("/earlier"));
    try (Stream<Path> files = Files.list(Path.of(earlier.toURI()))) {
      return files
          .map(file -> file.getFileName().toString().replace(".zip", ""))
          .sorted()
          .toList()
          .stream();
    }
  }

  private static int rebuilt(BridgeProcess bridge) {
    return (int)
        OperationsIT.get(bridge.adminUri() + "/prometheus")
            .lines()
            .filter(line -> line.startsWith("delay_bridge_rebuilt_total{") && line.endsWith(" 1.0"))
            .count();
  }

  private static Expected seen(Inbox.Arrival arrival) {
    byte[] value = arrival.record().value();
    return new Expected(
        arrival.source(),
        arrival.record().topic(),
        value == null ? "null" : HexFormat.of().formatHex(value));
  }

  private static Path directory() throws IOException {
    Path parent = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
    return Files.createTempDirectory(parent, "upgrade");
  }

  private static void spoil(Path dir, Redis redis) throws IOException {
    if (redis != Redis.AS_IT_WAS) {
      Path data = dir.resolve("redis").resolve("data");
      try (Stream<Path> files = Files.walk(data)) {
        for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
      if (redis == Redis.OLDER) {
        Files.move(dir.resolve(Bottle.OLDER), data);
      }
    }
  }
}
