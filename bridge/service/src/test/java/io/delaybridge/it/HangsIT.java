package io.delaybridge.it;

import static org.awaitility.Awaitility.await;

import io.delaybridge.stack.BridgeProcess;
import io.delaybridge.stack.Server;
import java.nio.file.Files;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that keeps its connections but does not answer: no loop may wait for it silently. */
class HangsIT {

  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Pattern RESTARTS =
      Pattern.compile("delay_bridge_loop_restarts_total\\{.*} ([0-9]+)");
  private static final Pattern HUNG =
      Pattern.compile("Loop loop-[0-9]+ hangs and is interrupted: no turn for");
  private static World world;

  @BeforeAll
  static void start() {
    world = World.start();
  }

  @AfterAll
  static void stop() {
    world.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"kafka", "redis"})
  void a_loop_that_waits_for_a_frozen_server_is_noticed_and_begins_anew(String frozen) {
    Server server = frozen.equals("kafka") ? world.stack.kafka() : world.stack.redis();
    try (Scenario scenario =
        world
            .scenario()
            .delivery("turn", "{longest: 2 seconds}")
            // Longer than a turn may take, shorter than the timeout of a health request.
            .redis("timeout", "4 seconds")
            .withTarget()) {
      BridgeProcess bridge = scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target);
      Load load = new Load(scenario).send(3_000, 8_000, scenario.target);
      inbox.awaitCount(load.size() / 10, LONG);

      server.pause();
      try {
        await().atMost(LONG).until(() -> HUNG.matcher(Files.readString(bridge.log())).find());
        await().atMost(LONG).until(() -> restarts(bridge) > 0);
      } finally {
        server.resume();
      }

      await().atMost(LONG).until(() -> inbox.distinct() == load.size());
      await().atMost(LONG).until(() -> bridge.health().status() == 200);
      load.check(inbox, 1);
    }
  }

  /** Returns how often loops of this bridge have restarted. */
  static int restarts(BridgeProcess bridge) {
    Matcher metric = RESTARTS.matcher(OperationsIT.get(bridge.adminUri() + "/prometheus"));
    int restarts = 0;
    while (metric.find()) {
      restarts += Integer.parseInt(metric.group(1));
    }
    return restarts;
  }
}
