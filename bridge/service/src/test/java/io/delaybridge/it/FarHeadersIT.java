package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.it.Inbox.Arrival;
import io.delaybridge.message.Spread;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import io.delaybridge.stack.BridgeProcess;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the headers of a far message ask for, after its laps. */
class FarHeadersIT {

  private static final Duration LONG = Duration.ofMinutes(2);
  private static final long DELAY_MS = 8_000;

  private static World world;

  @BeforeAll
  static void start() {
    world = World.shared();
  }

  private static Scenario scenario() {
    return world
        .scenario()
        .partitions(1)
        .intake("horizon", "4 seconds")
        .intake("lap", "1 second")
        .withTarget();
  }

  /** There is no topic for the second one, and no time for another attempt. */
  @Test
  void a_far_message_is_delivered_within_its_time_to_live_or_is_a_dead_letter() {
    try (Scenario scenario = scenario()) {
      scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters);
      RecordMetadata within = send(scenario, scenario.target, DELAY_MS, 300_000);
      RecordMetadata expired = send(scenario, "missing-" + scenario.target, DELAY_MS, 500);

      Arrival delivered = inbox.awaitOne(Scenario.source(within), LONG);
      assertThat(delivered.record().topic()).isEqualTo(scenario.target);
      assertThat(number(delivered, DelayHeaders.DUE_AT)).isEqualTo(within.timestamp() + DELAY_MS);
      assertThat(number(delivered, DelayHeaders.DELIVERED_AT))
          .isBetween(within.timestamp() + DELAY_MS, within.timestamp() + DELAY_MS + 300_000);
      assertThat(delivered.header(DelayHeaders.TTL_MS)).isNull();

      Arrival dead = inbox.awaitOne(Scenario.source(expired), LONG);
      assertThat(dead.record().topic()).isEqualTo(scenario.deadLetters);
      assertThat(dead.header(DelayHeaders.DEAD_REASON)).isEqualTo(Reason.EXPIRED.name());
      assertThat(dead.header(DelayHeaders.ATTEMPT)).isEqualTo("1");
      assertThat(number(dead, DelayHeaders.DEAD_AT))
          .isGreaterThanOrEqualTo(expired.timestamp() + DELAY_MS);
      assertThat(dead.value()).isEqualTo("v");
    }
  }

  @Test
  void a_far_message_that_expires_while_no_bridge_runs_is_a_dead_letter() {
    try (Scenario scenario = scenario()) {
      BridgeProcess before = scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters);
      // Long enough that the bridge has stopped by then, even on a slow machine.
      long delay = 2 * DELAY_MS;
      RecordMetadata within = send(scenario, scenario.target, delay, 300_000);
      RecordMetadata expired = send(scenario, scenario.target, delay, 500);
      long end = expired.timestamp() + delay + 500;
      await().atMost(LONG).until(() -> FarMessagesIT.later(new Api(before)) == 2);
      before.stop();
      await().atMost(LONG).until(() -> System.currentTimeMillis() > end);
      scenario.bridge();

      Arrival dead = inbox.awaitOne(Scenario.source(expired), LONG);
      assertThat(dead.record().topic()).isEqualTo(scenario.deadLetters);
      assertThat(dead.header(DelayHeaders.DEAD_REASON)).isEqualTo(Reason.EXPIRED.name());
      assertThat(dead.header(DelayHeaders.DEAD_DETAIL)).startsWith("its time to live ended");
      assertThat(inbox.awaitOne(Scenario.source(within), LONG).record().topic())
          .isEqualTo(scenario.target);
    }
  }

  /** The place of the request decides, or its id: not the place of a copy. */
  @Test
  void far_messages_are_spread_once() {
    try (Scenario scenario = scenario()) {
      scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target, scenario.deadLetters);
      int width = 3_000;
      long due = System.currentTimeMillis() + DELAY_MS + 2_000;
      Map<String, Long> dues = new HashMap<>();
      for (int i = 0; i < 20; i++) {
        String[] headers = {
          DelayHeaders.TARGET_TOPIC,
          scenario.target,
          DelayHeaders.DELIVER_AT,
          Long.toString(due),
          DelayHeaders.SPREAD_MS,
          Integer.toString(width),
          i % 2 == 0 ? DelayHeaders.ID : "foreign",
          "spread-" + i
        };
        String source = Scenario.source(scenario.send("k", "v", headers));
        dues.put(source, due + Spread.of(width, i % 2 == 0 ? "spread-" + i : source));
      }

      await().atMost(LONG).until(() -> inbox.distinct() == dues.size());
      assertThat(dues)
          .allSatisfy(
              (source, spread) -> {
                Arrival arrival = inbox.of(source).get(0);
                assertThat(arrival.record().topic()).isEqualTo(scenario.target);
                assertThat(number(arrival, DelayHeaders.DUE_AT))
                    .isBetween(due, due + width)
                    .isEqualTo(spread);
                assertThat(number(arrival, DelayHeaders.DELIVERED_AT))
                    .isGreaterThanOrEqualTo(spread);
              });
      Set<Long> different = new HashSet<>(dues.values());
      assertThat(different).hasSizeGreaterThan(10);
    }
  }

  /** Sends a far message that expires so many milliseconds after it is due. */
  private static RecordMetadata send(Scenario scenario, String target, long delay, long expires) {
    return scenario.send(
        "k",
        "v",
        DelayHeaders.TARGET_TOPIC,
        target,
        DelayHeaders.DELAY_MS,
        Long.toString(delay),
        DelayHeaders.TTL_MS,
        Long.toString(delay + expires));
  }

  private static long number(Arrival arrival, String header) {
    return Long.parseLong(String.valueOf(arrival.header(header)));
  }
}
