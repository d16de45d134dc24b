package io.delaybridge;

import io.delaybridge.admin.BridgeMetrics;
import io.delaybridge.admin.KafkaHealthCheck;
import io.delaybridge.admin.LoopHealthCheck;
import io.delaybridge.admin.RedisHealthCheck;
import io.delaybridge.admin.ShardsResource;
import io.delaybridge.cli.SendCommand;
import io.delaybridge.cli.TailCommand;
import io.delaybridge.store.redis.RedisConnection;
import io.dropwizard.configuration.EnvironmentVariableSubstitutor;
import io.dropwizard.configuration.SubstitutingSourceProvider;
import io.dropwizard.core.Application;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.lifecycle.Managed;
import io.prometheus.metrics.exporter.servlet.jakarta.PrometheusMetricsServlet;
import io.prometheus.metrics.instrumentation.dropwizard.DropwizardExports;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** The bridge as a Dropwizard application. Wiring only. */
public final class BridgeApplication extends Application<BridgeConfiguration> {

  /** Runs a command: {@code server}, {@code check}, {@code send} or {@code tail}. */
  public static void main(String[] args) throws Exception {
    new BridgeApplication().run(args);
  }

  @Override
  public String getName() {
    return "delay-bridge";
  }

  @Override
  public void initialize(Bootstrap<BridgeConfiguration> bootstrap) {
    bootstrap.setConfigurationSourceProvider(
        new SubstitutingSourceProvider(
            bootstrap.getConfigurationSourceProvider(), new EnvironmentVariableSubstitutor(false)));
    bootstrap.addCommand(new SendCommand());
    bootstrap.addCommand(new TailCommand());
  }

  @Override
  public void run(BridgeConfiguration config, Environment environment) {
    PrometheusRegistry registry = new PrometheusRegistry();
    BridgeMetrics metrics = new BridgeMetrics(registry);
    JvmMetrics.builder().register(registry);
    DropwizardExports.builder().dropwizardRegistry(environment.metrics()).register(registry);
    environment
        .admin()
        .addServlet("prometheus", new PrometheusMetricsServlet(registry))
        .addMapping("/prometheus");

    Bridge bridge = new Bridge(config, metrics);
    metrics.observe(bridge::status);
    RedisConnection redis =
        new RedisConnection(
            config.redis().uri(),
            config.redis().cluster(),
            config.redis().timeout().toJavaDuration());
    environment.lifecycle().manage(closing(redis));
    environment.lifecycle().manage(bridge);

    environment.healthChecks().register("kafka", new KafkaHealthCheck(bridge::brokers));
    environment.healthChecks().register("redis", new RedisHealthCheck(redis));
    for (int i = 0; i < config.delivery().loops(); i++) {
      int loop = i;
      environment
          .healthChecks()
          .register(
              "loop-" + i,
              new LoopHealthCheck(
                  () -> bridge.status().get(loop),
                  config.delivery().overdueAlarm().toJavaDuration(),
                  System::nanoTime,
                  java.time.InstantSource.system()));
    }
    environment.jersey().register(new ShardsResource(bridge::status));
    if (config.deadLetters().enabled()) {
      DeadLettersPart.add(config, environment, registry);
    }
  }

  private static Managed closing(RedisConnection redis) {
    return new Managed() {
      @Override
      public void stop() {
        redis.close();
      }
    };
  }
}
