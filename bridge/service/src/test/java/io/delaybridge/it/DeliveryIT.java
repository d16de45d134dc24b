package io.delaybridge.it;

import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole path, without faults. */
class DeliveryIT {

  private static World world;

  @BeforeAll
  static void start() {
    world = World.shared();
  }

  @ParameterizedTest
  @ValueSource(strings = {"exactly_once", "at_least_once"})
  void a_hundred_thousand_messages_each_arrive_once_on_time_and_unchanged(String guarantee) {
    try (Scenario scenario = world.scenario().guarantee(guarantee).withTarget()) {
      String second = scenario.target + "-b";
      world.createTopic(second, 2, java.util.Map.of());
      scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target, second);
      Load load = new Load(scenario).send(100_000, 20_000, scenario.target, second);
      inbox.awaitCount(load.size(), Duration.ofSeconds(90));
      load.check(inbox, 1);
    }
  }
}
