package io.delaybridge.spring.it;

import static io.delaybridge.spring.it.Records.values;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.spring.example.Shop;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The example of docs/spring.md works as described. */
@ExtendWith(WithBridge.class)
class ExampleIT {

  @Test
  void ordersAreShippedGivenUpAndRemindedOf(Bridge bridge) {
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(Shop.class)
            .run(
                "--spring.config.location="
                    + Path.of("example", "src", "main", "resources", "application.yml").toUri(),
                "--spring.kafka.bootstrap-servers=" + bridge.bootstrapServers(),
                "--delay-bridge.retry.first-delay=200ms")) {
      assertThat(values(bridge.await("shop.orders-dlt", 1, each -> true)))
          .containsExactly("no number");
      assertThat(values(bridge.await("shop.shipped", 1, each -> true))).containsExactly("4711");
      assertThat(values(bridge.await("shop.reminders", 1, each -> true))).containsExactly("4712");
      assertThat(context.isRunning()).isTrue();
    }
  }
}
