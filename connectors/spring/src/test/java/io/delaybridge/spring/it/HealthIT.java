package io.delaybridge.spring.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** The health of the application shows whether the intake can be reached. */
@ExtendWith(WithBridge.class)
class HealthIT {

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {}

  @Test
  void itIsUpWithAnIntakeAndDownWithoutOne(Bridge bridge) {
    try (ConfigurableApplicationContext context = bridge.run(Application.class)) {
      assertThat(Indicator.health(context)).startsWith("UP").contains("intake=delay-intake");
    }
    for (int start = 1; start <= 2; start++) {
      try (ConfigurableApplicationContext context =
          bridge.run(Application.class, "delay-bridge.intake=no-such-intake")) {
        assertThat(Indicator.health(context))
            .as("it does not create the topic, start %d", start)
            .startsWith("DOWN")
            .contains("intake=no-such-intake", "UnknownTopicOrPartition");
      }
    }
  }
}
