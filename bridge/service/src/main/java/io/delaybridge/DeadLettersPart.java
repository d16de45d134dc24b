package io.delaybridge;

import io.delaybridge.admin.api.DeadLettersResource;
import io.delaybridge.admin.api.ReplaysResource;
import io.delaybridge.admin.health.DeadLettersHealthCheck;
import io.delaybridge.admin.metrics.DeadLetterMetrics;
import io.delaybridge.config.DeadLettersConfig;
import io.delaybridge.deadletter.DeadLetters;
import io.delaybridge.deadletter.alarms.AlarmSettings;
import io.delaybridge.deadletter.index.DeadLetterSettings;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.lifecycle.Managed;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Adds to the application what dead letters need. Delivery runs the same without it. */
final class DeadLettersPart {

  private DeadLettersPart() {}

  /**
   * Returns the resources, none if dead letters are not indexed. Registers the rest with the
   * environment.
   */
  static List<Object> resources(
      BridgeConfiguration config,
      KafkaClients clients,
      Environment environment,
      PrometheusRegistry registry) {
    if (!config.deadLetters().enabled()) {
      return List.of();
    }
    DeadLetters deadLetters =
        new DeadLetters(settings(config), clients, InstantSource.system(), System::nanoTime);
    environment
        .lifecycle()
        .manage(
            new Managed() {
              @Override
              public void start() {
                deadLetters.start();
              }

              @Override
              public void stop() throws Exception {
                deadLetters.stop();
              }
            });
    DeadLetterMetrics.register(registry, deadLetters::status);
    environment
        .healthChecks()
        .register("deadletters", new DeadLettersHealthCheck(deadLetters::status));
    return List.of(
        new DeadLettersResource(deadLetters, config.intake().topics(), InstantSource.system()),
        new ReplaysResource(deadLetters));
  }

  private static DeadLetterSettings settings(BridgeConfiguration config) {
    DeadLettersConfig letters = config.deadLetters();
    return new DeadLetterSettings(
        config.kafka().groupId(),
        UUID.randomUUID().toString().substring(0, 8),
        config.delivery().deadLetterTopic(),
        config.marksTopic(),
        Set.copyOf(config.intake().topics()),
        config::reading,
        letters.maxIndexed(),
        letters.maxReplays(),
        new AlarmSettings(
            letters.alert().threshold(),
            letters.alert().window().toJavaDuration(),
            letters.alert().cooldown().toJavaDuration(),
            letters.alert().webhook()));
  }
}
