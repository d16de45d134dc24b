package io.delaybridge.admin.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.Reason;
import io.delaybridge.shard.LoopStatus;
import io.delaybridge.shard.ShardStatus;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The metrics that Prometheus sees: dashboards and alarms depend on these names. */
class BridgeMetricsTest {

  private static final ShardId SHARD = new ShardId("delay-intake", 3);

  private long now = 5_500;
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final BridgeMetrics metrics =
      new BridgeMetrics(registry, () -> Instant.ofEpochMilli(now));

  private List<String> scrape() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.create().write(out, registry.scrape());
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void storedRecordsAreCounted() throws IOException {
    metrics.ingested(SHARD, 3);
    metrics.ingested(SHARD, 4);

    assertThat(scrape())
        .contains("delay_bridge_ingested_total{partition=\"3\",topic=\"delay-intake\"} 7.0");
  }

  @Test
  void deliveriesAreCountedByShard() throws IOException {
    metrics.delivered(SHARD, "orders", 1);
    metrics.delivered(SHARD, "invoices", 1);

    assertThat(scrape())
        .contains("delay_bridge_delivered_total{partition=\"3\",topic=\"delay-intake\"} 2.0");
  }

  @Test
  void deadLettersAreCountedByReason() throws IOException {
    metrics.deadLettered(SHARD, "orders", Reason.EXPIRED);
    metrics.deadLettered(SHARD, "orders", Reason.EXPIRED);
    metrics.deadLettered(SHARD, "orders", Reason.NO_TARGET);

    assertThat(scrape())
        .contains(
            "delay_bridge_dead_lettered_total"
                + "{partition=\"3\",reason=\"EXPIRED\",topic=\"delay-intake\"} 2.0",
            "delay_bridge_dead_lettered_total"
                + "{partition=\"3\",reason=\"NO_TARGET\",topic=\"delay-intake\"} 1.0");
  }

  @Test
  void retriesAreCountedByReason() throws IOException {
    metrics.retried(SHARD, Reason.UNKNOWN_TARGET);

    assertThat(scrape())
        .contains(
            "delay_bridge_retried_total"
                + "{partition=\"3\",reason=\"UNKNOWN_TARGET\",topic=\"delay-intake\"} 1.0");
  }

  @Test
  void bridgesThatWereGivenUpAreCounted() throws IOException {
    metrics.gaveUpPeer();

    assertThat(scrape()).contains("delay_bridge_peers_given_up_total 1.0");
  }

  @Test
  void theMemoryOfRedisIsAShare() throws IOException {
    metrics.memory(0.25);

    assertThat(scrape()).contains("delay_bridge_redis_memory_ratio 0.25");
  }

  @Test
  void theMemoryOfRedisIsNotToldAnyMoreWhenNobodyAsksForIt() throws IOException {
    metrics.memory(0.9);
    now += 30_000;
    assertThat(scrape()).contains("delay_bridge_redis_memory_ratio 0.9");
    now++;
    assertThat(scrape()).noneMatch(line -> line.startsWith("delay_bridge_redis_memory_ratio "));
  }

  @Test
  void aShardThatTwoLoopsTellOfIsOfTheOneThatTurned() throws IOException {
    ShardId id = new ShardId("delay-intake", 3);
    ShardStatus old =
        new ShardStatus(
            id,
            ShardStatus.State.OPEN,
            null,
            7,
            7,
            1_000,
            70,
            false,
            false,
            ShardStatus.Later.NONE,
            null);
    LoopStatus hangs = new LoopStatus("loop-0", LoopStatus.State.HANGS, "", 9, List.of(old));
    LoopStatus before = new LoopStatus("loop-1", LoopStatus.State.RUNNING, null, 1, List.of(old));
    LoopStatus now =
        new LoopStatus(
            "loop-2", LoopStatus.State.RUNNING, null, 2, List.of(shard(3, ShardStatus.State.OPEN)));
    metrics.observe(() -> List.of(now, hangs, before));

    assertThat(scrape())
        .contains("delay_bridge_pending{partition=\"3\",topic=\"delay-intake\"} 11.0")
        .contains("delay_bridge_loop_running{loop=\"loop-0\"} 0.0");
  }

  @Test
  void whatTheFrontierHadCoveredIsCounted() throws IOException {
    metrics.skipped(SHARD, 5);

    assertThat(scrape())
        .contains("delay_bridge_covered_skipped_total{partition=\"3\",topic=\"delay-intake\"} 5.0");
  }

  @Test
  void rebuildsAreCounted() throws IOException {
    metrics.refed(SHARD);

    assertThat(scrape())
        .contains("delay_bridge_rebuilt_total{partition=\"3\",topic=\"delay-intake\"} 1.0");
  }

  @Test
  void latenessFallsIntoBucketsThatArePartOfTheScrape() throws IOException {
    metrics.delivered(SHARD, "orders", 1);
    metrics.delivered(SHARD, "orders", 40);
    metrics.delivered(SHARD, "orders", 8_000_000);

    assertThat(scrape())
        .contains(
            "delay_bridge_lateness_seconds_bucket{target=\"orders\",le=\"0.001\"} 1",
            "delay_bridge_lateness_seconds_bucket{target=\"orders\",le=\"0.02\"} 1",
            "delay_bridge_lateness_seconds_bucket{target=\"orders\",le=\"0.05\"} 2",
            "delay_bridge_lateness_seconds_bucket{target=\"orders\",le=\"7200.0\"} 2",
            "delay_bridge_lateness_seconds_bucket{target=\"orders\",le=\"+Inf\"} 3",
            "delay_bridge_lateness_seconds_count{target=\"orders\"} 3");
  }

  @Test
  void turnsAreTimedInSeconds() throws IOException {
    metrics.turned("loop-1", 1_500_000_000L);

    assertThat(scrape())
        .contains(
            "delay_bridge_turn_seconds_bucket{loop=\"loop-1\",le=\"1.0\"} 0",
            "delay_bridge_turn_seconds_bucket{loop=\"loop-1\",le=\"2.0\"} 1",
            "delay_bridge_turn_seconds_sum{loop=\"loop-1\"} 1.5");
  }

  @Test
  void targetsBeyondTheTwoHundredthShareOneLabel() throws IOException {
    for (int i = 0; i < 203; i++) {
      metrics.delivered(SHARD, "target-" + i, 1);
    }
    metrics.delivered(SHARD, "target-0", 1);

    List<String> counts =
        scrape().stream()
            .filter(line -> line.startsWith("delay_bridge_lateness_seconds_count"))
            .toList();
    assertThat(counts)
        .hasSize(201)
        .contains(
            "delay_bridge_lateness_seconds_count{target=\"target-0\"} 2",
            "delay_bridge_lateness_seconds_count{target=\"target-199\"} 1",
            "delay_bridge_lateness_seconds_count{target=\"(other)\"} 3");
  }

  private static LoopStatus loop(String name, ShardStatus... shards) {
    return new LoopStatus(name, LoopStatus.State.RUNNING, null, 0, List.of(shards));
  }

  private static ShardStatus shard(int partition, ShardStatus.State state) {
    return new ShardStatus(
        new ShardId("delay-intake", partition),
        state,
        null,
        11,
        2,
        1_000,
        77,
        false,
        false,
        ShardStatus.Later.NONE,
        null);
  }

  @Test
  void theStateOfEachShardIsReadAtEachScrape() throws IOException {
    List<LoopStatus> loops = new ArrayList<>();
    metrics.observe(() -> loops);
    assertThat(scrape()).noneMatch(line -> line.startsWith("delay_bridge_pending{"));

    loops.add(loop("loop-0", shard(3, ShardStatus.State.OPEN)));
    assertThat(scrape())
        .contains(
            "delay_bridge_pending{partition=\"3\",topic=\"delay-intake\"} 11.0",
            "delay_bridge_overdue{partition=\"3\",topic=\"delay-intake\"} 2.0",
            "delay_bridge_oldest_overdue_seconds{partition=\"3\",topic=\"delay-intake\"} 4.5",
            "delay_bridge_stored_offset{partition=\"3\",topic=\"delay-intake\"} 77.0");
  }

  @Test
  void whatIsFarIsToldAndHowLongItsLapIsOver() throws IOException {
    metrics.observe(
        () ->
            List.of(loop("loop-0", far(0, 9, 1_000), far(1, 4, 5_501), far(2, 0, Long.MAX_VALUE))));

    assertThat(scrape())
        .contains(
            "delay_bridge_pending{partition=\"0\",topic=\"delay-intake\"} 11.0",
            "delay_bridge_far{partition=\"0\",topic=\"delay-intake\"} 9.0",
            "delay_bridge_far{partition=\"2\",topic=\"delay-intake\"} 0.0",
            "delay_bridge_lap_behind_seconds{partition=\"0\",topic=\"delay-intake\"} 4.5",
            "delay_bridge_lap_behind_seconds{partition=\"1\",topic=\"delay-intake\"} 0.0",
            "delay_bridge_lap_behind_seconds{partition=\"2\",topic=\"delay-intake\"} 0.0");
  }

  private static ShardStatus far(int partition, long copies, long lapEnds) {
    return new ShardStatus(
        new ShardId("delay-intake", partition),
        ShardStatus.State.OPEN,
        null,
        2,
        0,
        Long.MAX_VALUE,
        77,
        false,
        false,
        new ShardStatus.Later(copies, lapEnds),
        null);
  }

  @Test
  void copiesThatWereJudgedAreCountedByOutcome() throws IOException {
    metrics.judged(SHARD, 3, 2, 0);
    metrics.judged(SHARD, 1, 0, 0);

    assertThat(scrape())
        .contains(judged("home") + " 4.0", judged("again") + " 2.0", judged("dropped") + " 0.0");
  }

  private static String judged(String outcome) {
    return "delay_bridge_judged_total{outcome=\"%s\",partition=\"3\",topic=\"delay-intake\"}"
        .formatted(outcome);
  }

  @Test
  void nothingIsOverdueWhereNothingIsDueOrPending() throws IOException {
    ShardId first = new ShardId("delay-intake", 0);
    ShardId second = new ShardId("delay-intake", 1);
    metrics.observe(
        () ->
            List.of(
                loop(
                    "loop-0",
                    new ShardStatus(
                        first,
                        ShardStatus.State.OPEN,
                        null,
                        5,
                        0,
                        5_501,
                        77,
                        false,
                        false,
                        ShardStatus.Later.NONE,
                        null),
                    new ShardStatus(
                        second,
                        ShardStatus.State.OPEN,
                        null,
                        0,
                        0,
                        1_000,
                        77,
                        false,
                        false,
                        ShardStatus.Later.NONE,
                        null))));

    assertThat(scrape())
        .contains(
            "delay_bridge_oldest_overdue_seconds{partition=\"0\",topic=\"delay-intake\"} 0.0",
            "delay_bridge_oldest_overdue_seconds{partition=\"1\",topic=\"delay-intake\"} 0.0");
  }

  @Test
  void loopsThatBeganAnewAreCounted() throws IOException {
    metrics.beganAnew("loop-1");
    metrics.beganAnew("loop-1");

    assertThat(scrape()).contains("delay_bridge_loop_restarts_total{loop=\"loop-1\"} 2.0");
  }

  @Test
  void aShardIsOpenUnlessItIsClosedOrStopped() throws IOException {
    metrics.observe(
        () ->
            List.of(
                loop(
                    "loop-0", shard(0, ShardStatus.State.OPEN), shard(1, ShardStatus.State.PAUSED)),
                loop(
                    "loop-1",
                    shard(2, ShardStatus.State.CLOSED),
                    shard(3, ShardStatus.State.STOPPED))));

    assertThat(scrape())
        .contains(
            "delay_bridge_shard_open{partition=\"0\",topic=\"delay-intake\"} 1.0",
            "delay_bridge_shard_open{partition=\"1\",topic=\"delay-intake\"} 1.0",
            "delay_bridge_shard_open{partition=\"2\",topic=\"delay-intake\"} 0.0",
            "delay_bridge_shard_open{partition=\"3\",topic=\"delay-intake\"} 0.0",
            "delay_bridge_shard_intake_paused{partition=\"0\",topic=\"delay-intake\"} 0.0",
            "delay_bridge_shard_intake_paused{partition=\"1\",topic=\"delay-intake\"} 1.0");
  }

  @Test
  void aLoopThatDoesNotTurnIsSeen() throws IOException {
    metrics.observe(
        () ->
            List.of(
                loop("loop-0"),
                new LoopStatus("loop-1", LoopStatus.State.FAILED, "broken", 0, List.of())));

    assertThat(scrape())
        .contains(
            "delay_bridge_loop_running{loop=\"loop-0\"} 1.0",
            "delay_bridge_loop_running{loop=\"loop-1\"} 0.0");
  }

  @Test
  void aShardThatIsFedAgainIsSeen() throws IOException {
    metrics.observe(() -> List.of(loop("loop-0", rebuilding(0, true), rebuilding(1, false))));

    assertThat(scrape())
        .contains(
            "delay_bridge_shard_rebuilding{partition=\"0\",topic=\"delay-intake\"} 1.0",
            "delay_bridge_shard_rebuilding{partition=\"1\",topic=\"delay-intake\"} 0.0");
  }

  private static ShardStatus rebuilding(int partition, boolean rebuilding) {
    return new ShardStatus(
        new ShardId("delay-intake", partition),
        ShardStatus.State.OPEN,
        null,
        0,
        0,
        Long.MAX_VALUE,
        77,
        rebuilding,
        false,
        ShardStatus.Later.NONE,
        null);
  }
}
