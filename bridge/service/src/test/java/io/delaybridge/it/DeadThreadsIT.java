package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.stack.BridgeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A bridge in which an error ends a thread that it has not made itself. */
class DeadThreadsIT {

  private static final Duration LONG = Duration.ofMinutes(2);

  private static World world;

  @BeforeAll
  static void start() {
    world = World.shared();
  }

  /** Its clients would time out for ever. Whoever has started it starts it again. */
  @ParameterizedTest
  @CsvSource({
    "exactly_once, kafka-admin-client-thread .*",
    "exactly_once, kafka-producer-network-thread .*-loop-0-(even|odd)",
    "at_least_once, kafka-producer-network-thread .*-loop-0",
    "exactly_once, kafka-producer-network-thread .*-api",
    "exactly_once, delay-redis-timer.*",
  })
  void it_ends_and_loses_nothing(String guarantee, String thread) {
    Assassin assassin = new Assassin();
    try (Scenario scenario = scenario(assassin).guarantee(guarantee)) {
      BridgeProcess bridge = scenario.bridge();
      Api api = new Api(bridge);
      Inbox inbox = scenario.inbox(scenario.target);
      inbox.awaitOne(schedule(api, scenario, "before").body().path("source").asText(), LONG);

      assertThat(assassin.kill(thread)).isNotEmpty();
      // Wakes it.
      String during = Scenario.source(scenario.sendTo(0, "during"));
      await().atMost(LONG).until(() -> isGone(bridge, () -> schedule(api, scenario, "during")));

      assertThat(log(bridge)).containsPattern("Thread " + thread + " has died");
      bridge.start().awaitHealthy(LONG);
      assertThat(inbox.awaitOne(during, LONG).value()).isEqualTo("during");
      assertThat(inbox.of(during)).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "lettuce-.*[eE]ventLoop.*, A thread of the Redis client has died",
    "kafka-coordinator-heartbeat-thread .*, failed and restarts",
    ".*-deadletters-GlobalStreamThread, The index of dead letters is down",
  })
  void it_makes_anew_what_it_can(String thread, String said) {
    Assassin assassin = new Assassin();
    try (Scenario scenario = scenario(assassin)) {
      BridgeProcess bridge = scenario.bridge();
      Api api = new Api(bridge);
      Inbox inbox = scenario.inbox(scenario.target);

      assertThat(assassin.kill(thread)).isNotEmpty();

      await().atMost(LONG).until(() -> log(bridge).contains(said));
      bridge.awaitHealthy(LONG);
      String after = Scenario.source(scenario.sendTo(0, "after"));
      inbox.awaitOne(after, LONG);
      assertThat(api.get("messages").status()).isEqualTo(200);
      assertThat(api.get("deadletters").status()).isEqualTo(200);
    }
  }

  private static Scenario scenario(Assassin assassin) {
    return world
        .scenario()
        .partitions(1)
        .withTarget()
        .delivery("loops", "1")
        .env(assassin.environment());
  }

  /** Asks it for something that needs the thread, as long as it lives. */
  private static boolean isGone(BridgeProcess bridge, Runnable call) {
    bridge.health();
    try {
      call.run();
    } catch (UncheckedIOException e) {
      // It ends, or is gone.
      return !bridge.isAlive();
    }
    return !bridge.isAlive();
  }

  private static Api.Answer schedule(Api api, Scenario scenario, String value) {
    return api.post(
        "messages",
        "{\"target\":\"%s\",\"delay\":\"PT0S\",\"value\":\"%s\"}"
            .formatted(scenario.target, value));
  }

  private static String log(BridgeProcess bridge) {
    try {
      return Files.readString(bridge.dir().resolve("bridge.log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
