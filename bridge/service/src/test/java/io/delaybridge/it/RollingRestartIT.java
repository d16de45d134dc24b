package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.stack.BridgeProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three bridges are stopped and started again, one after the other, as an upgrade does it. */
@Tag("topology")
class RollingRestartIT {

  private static final Duration LONG = Duration.ofMinutes(2);
  private static final int BRIDGES = 3;
  private static final int PARTITIONS = 9;
  private static final int EVERY_MS = 100;
  private static final int MESSAGES = 30;
  private static final int MAX_DELAY_MS = 3_000;

  /**
   * Longer than a message may be late here. The test therefore fails if a stopping bridge does not
   * hand over its shards, and they move only when its session ends.
   */
  private static final int SESSION_MS = 45_000;

  private static final long MOST_LATE_MS = 20_000;

  @Test
  void a_rolling_restart_under_load_neither_loses_nor_repeats_and_hands_shards_over()
      throws Exception {
    try (World world = World.start();
        Scenario scenario = world.scenario().partitions(PARTITIONS).withTarget()) {
      scenario
          .delivery("loops", "1")
          .kafka("consumer", "{session.timeout.ms: %d}".formatted(SESSION_MS));
      List<BridgeProcess> bridges = new ArrayList<>();
      for (int i = 0; i < BRIDGES; i++) {
        bridges.add(scenario.bridge());
      }
      bridges.forEach(Shards::awaitSome);
      Inbox inbox = scenario.inbox(scenario.target);
      Load load = new Load(scenario);
      long begin;
      long end;
      try (SteadyLoad sending =
          new SteadyLoad(EVERY_MS, () -> load.send(MESSAGES, MAX_DELAY_MS, scenario.target))) {
        inbox.awaitCount(MESSAGES * 20, LONG);
        begin = System.currentTimeMillis();
        for (int i = 0; i < BRIDGES; i++) {
          bridges.get(i).stop();
          bridges.add(scenario.bridge());
          Shards.awaitSome(bridges.get(BRIDGES + i));
        }
        end = System.currentTimeMillis();
        sending.end();
      }
      await().atMost(LONG).until(() -> inbox.distinct() == load.size());
      load.check(inbox, 1);
      List<Long> before = lateness(inbox, 0, begin);
      List<Long> during = lateness(inbox, begin, end);
      System.out.printf(
          "Rolling restart of %d bridges in %.1f s, %,d messages/s. Lateness as a consumer sees it:"
              + " before: %s; meanwhile: %s.%n",
          BRIDGES,
          (end - begin) / 1_000.0,
          MESSAGES * 1_000 / EVERY_MS,
          describe(before),
          describe(during));
      assertThat(at(during, 0.99)).as("p99 of the lateness, ms").isLessThan(MOST_LATE_MS);
      bridges.subList(BRIDGES, 2 * BRIDGES).forEach(BridgeProcess::stop);
      assertThat(scenario.warnings()).as("of orderly starts and stops").isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"exactly_once", "at_least_once"})
  void a_bridge_that_joins_and_one_that_leaves_warn_of_nothing(String guarantee) {
    try (World world = World.start();
        Scenario scenario = world.scenario().guarantee(guarantee).withTarget()) {
      BridgeProcess first = scenario.bridge();
      Shards.awaitSome(first);
      BridgeProcess second = scenario.bridge();
      Shards.awaitSome(second);
      Inbox inbox = scenario.inbox(scenario.target);
      Load load = new Load(scenario).send(MESSAGES, MAX_DELAY_MS, scenario.target);
      first.stop();
      await().atMost(LONG).until(() -> inbox.distinct() == load.size());
      second.stop();
      assertThat(scenario.warnings()).isEmpty();
    }
  }

  /** The lateness of messages due in this time, in milliseconds, sorted. */
  private static List<Long> lateness(Inbox inbox, long from, long to) {
    return inbox.all().stream()
        .map(
            arrival ->
                new long[] {Long.parseLong(arrival.header(DelayHeaders.DUE_AT)), arrival.at()})
        .filter(times -> times[0] >= from && times[0] < to)
        .map(times -> times[1] - times[0])
        .sorted()
        .toList();
  }

  private static String describe(List<Long> sorted) {
    return "p50 %d ms, p99 %d ms, most %d ms (%,d messages)"
        .formatted(at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1), sorted.size());
  }

  private static long at(List<Long> sorted, double share) {
    return sorted.get((int) Math.ceil(share * sorted.size()) - 1);
  }
}
