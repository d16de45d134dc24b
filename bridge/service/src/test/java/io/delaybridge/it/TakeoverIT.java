package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.stack.BridgeProcess;
import io.delaybridge.stack.LocalBroker;
import io.delaybridge.stack.LocalRedis;
import io.delaybridge.stack.Stack;
import io.delaybridge.stack.TcpProxy;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One of two bridges fails, in each possible way. The other one takes over its shards long before
 * Kafka would notice. docs/benchmarks has the figures for an idle machine.
 */
class TakeoverIT {

  private static final Duration LONG = Duration.ofMinutes(2);
  private static final int MESSAGES = 20;
  private static final int EVERY_MS = 100;
  private static final int MAX_DELAY_MS = 1_000;

  /** Much longer than a message may be late here, so waiting for the session fails the test. */
  private static final String SESSION = "{session.timeout.ms: 45000}";

  private static final String TRANSACTIONS = "{transaction.timeout.ms: 60000}";
  private static final long MOST_LATE_MS = 15_000;

  private static TcpProxy toKafka;
  private static TcpProxy toRedis;
  private static World world;

  @BeforeAll
  static void start() {
    Path dir = World.directory();
    toKafka = TcpProxy.to(0);
    LocalRedis redis = LocalRedis.at(dir.resolve("redis"));
    world =
        World.over(dir, Stack.start(LocalBroker.at(dir.resolve("kafka")).behind(toKafka), redis));
    toRedis = TcpProxy.to(redis.port());
  }

  @AfterAll
  static void stop() {
    world.close();
    toKafka.close();
    toRedis.close();
  }

  /** A fault of one of two bridges, and the actions before its end. */
  private record Event(Runnable begins, Runnable ends) {}

  @ParameterizedTest
  @CsvSource({"exactly_once,1", "at_least_once,3"})
  void a_bridge_is_killed(String guarantee, int most) throws Exception {
    try (Scenario scenario = scenario(guarantee)) {
      BridgeProcess victim = scenario.bridge();
      passes(scenario, new Event(victim::kill, () -> {}), most);
    }
  }

  @ParameterizedTest
  @CsvSource({"exactly_once,1", "at_least_once,3"})
  void a_bridge_is_frozen_and_comes_back(String guarantee, int most) throws Exception {
    try (Scenario scenario = scenario(guarantee)) {
      BridgeProcess victim = scenario.bridge();
      passes(scenario, new Event(victim::pause, victim::resume), most);
    }
  }

  @Test
  void a_bridge_is_cut_off_from_redis() throws Exception {
    try (Scenario scenario = scenario("exactly_once")) {
      scenario.redis("uri", "redis://127.0.0.1:" + toRedis.port());
      BridgeProcess victim = scenario.bridge();
      scenario.redis("uri", world.stack.redisUri());
      passes(
          scenario,
          new Event(toRedis::refuse, () -> unhealthyUntil(victim, "edis", toRedis::allow)),
          1);
    }
  }

  @Test
  void a_bridge_is_cut_off_from_kafka() throws Exception {
    try (Scenario scenario = scenario("exactly_once")) {
      scenario.kafka("bootstrapServers", "127.0.0.1:" + toKafka.port());
      BridgeProcess victim = scenario.bridge();
      scenario.kafka("bootstrapServers", world.stack.bootstrapServers());
      passes(
          scenario,
          new Event(toKafka::refuse, () -> unhealthyUntil(victim, "kafka", toKafka::allow)),
          1);
    }
  }

  private static void unhealthyUntil(BridgeProcess bridge, String about, Runnable mended) {
    assertThat(bridge.health().status()).isNotEqualTo(200);
    assertThat(bridge.health().body()).contains(about);
    mended.run();
    bridge.awaitHealthy(LONG);
  }

  private static Scenario scenario(String guarantee) {
    return world
        .scenario()
        .guarantee(guarantee)
        .kafka("consumer", SESSION)
        .kafka("producer", TRANSACTIONS)
        .withTarget();
  }

  /** The first bridge has all shards when the second one joins. */
  private static void passes(Scenario scenario, Event event, int mostPerMessage) throws Exception {
    Shards.awaitSome(scenario.bridge());
    Inbox inbox = scenario.inbox(scenario.target);
    Load load = new Load(scenario);
    try (SteadyLoad sending =
        new SteadyLoad(EVERY_MS, () -> load.send(MESSAGES, MAX_DELAY_MS, scenario.target))) {
      inbox.awaitCount(MESSAGES * 10, LONG);

      event.begins.run();
      inbox.awaitCount(MESSAGES * 60, LONG);
      event.ends.run();
      inbox.awaitCount(MESSAGES * 80, LONG);

      sending.end();
      await().atMost(LONG).until(() -> inbox.distinct() == load.size());
      load.check(inbox, mostPerMessage);
      long latest = latest(inbox);
      System.out.printf("%,d messages, the latest %,d ms late%n", load.size(), latest);
      assertThat(latest).as("most lateness, ms").isLessThan(MOST_LATE_MS);
    }
  }

  private static long latest(Inbox inbox) {
    return inbox.all().stream()
        .mapToLong(
            arrival ->
                arrival.at() - Long.parseLong(String.valueOf(arrival.header(DelayHeaders.DUE_AT))))
        .max()
        .orElseThrow();
  }
}
