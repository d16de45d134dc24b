package io.delaybridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.config.TopicsConfig;
import io.delaybridge.stack.LocalBroker;
import io.dropwizard.util.Duration;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The topics that a bridge needs, on a broker that has none of them. */
class TopicSetupIT {

  private static final java.time.Duration SOON = java.time.Duration.ofSeconds(30);

  @Test
  void knowsWhatItHasCreatedAndSeesWhatIsGone(@TempDir Path dir) throws Exception {
    try (LocalBroker broker = LocalBroker.at(dir).start();
        Admin admin =
            Admin.create(
                Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()))) {
      TopicSetup first = setup(admin);
      first.run();
      assertThat(first.created()).containsExactlyInAnyOrder("intake", "dead");
      await().atMost(SOON).until(() -> setup(admin).faultsSince().isEmpty());

      TopicSetup second = setup(admin);
      second.run();
      assertThat(second.created()).isEmpty();

      admin.deleteTopics(List.of("intake")).all().get();
      await()
          .atMost(SOON)
          .until(() -> second.faultsSince().equals(List.of("topic intake is gone")));
    }
  }

  private static TopicSetup setup(Admin admin) {
    return new TopicSetup(
        admin,
        new TopicsConfig(true, 2, -1, Duration.days(1), true),
        "dead",
        Optional.empty(),
        Map.of("intake", java.time.Duration.ofDays(7)));
  }
}
