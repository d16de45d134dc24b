package io.delaybridge;

import io.delaybridge.admin.Ticker;
import io.delaybridge.admin.api.Api;
import io.delaybridge.admin.api.DashboardServlet;
import io.delaybridge.admin.api.HealthResource;
import io.delaybridge.admin.api.OpenApiResource;
import io.delaybridge.admin.api.WhoamiResource;
import io.delaybridge.admin.health.ClockHealthCheck;
import io.delaybridge.admin.health.KafkaHealthCheck;
import io.delaybridge.admin.health.LoopHealthCheck;
import io.delaybridge.admin.health.ProbeServlet;
import io.delaybridge.admin.health.Readiness;
import io.delaybridge.admin.health.RedisHealthCheck;
import io.delaybridge.admin.history.Tally;
import io.delaybridge.admin.metrics.BridgeMetrics;
import io.delaybridge.cli.LostBytes;
import io.delaybridge.cli.SendCommand;
import io.delaybridge.cli.TailCommand;
import io.delaybridge.cli.TokenCommand;
import io.delaybridge.shard.Listeners;
import io.delaybridge.shard.LoopStatus;
import io.delaybridge.store.redis.RedisConnection;
import io.dropwizard.configuration.ConfigurationException;
import io.dropwizard.configuration.SubstitutingSourceProvider;
import io.dropwizard.core.Application;
import io.dropwizard.core.cli.CheckCommand;
import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.ServerCommand;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.jetty.SslReload;
import io.dropwizard.lifecycle.AutoCloseableManager;
import io.prometheus.metrics.exporter.servlet.jakarta.PrometheusMetricsServlet;
import io.prometheus.metrics.instrumentation.dropwizard.DropwizardExports;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import net.sourceforge.argparse4j.inf.Namespace;

/** The bridge as a Dropwizard application. Only wires the parts together. */
public final class BridgeApplication extends Application<BridgeConfiguration> {

  private static final Duration TOPIC_RULES_EVERY = Duration.ofMinutes(1);
  private static final Duration KEY_STORES_EVERY = Duration.ofSeconds(5);

  /** Runs a command: {@code server}, {@code check}, {@code send}, {@code tail} or {@code token}. */
  public static void main(String[] args) throws Exception {
    Optional<String> lost = LostBytes.ofThisProcess().inArguments(args);
    if (lost.isPresent()) {
      System.err.println("delay-bridge: " + lost.get());
      System.exit(1);
    }
    new BridgeApplication().run(args);
  }

  @Override
  public String getName() {
    return "delay-bridge";
  }

  @Override
  protected void addDefaultCommands(Bootstrap<BridgeConfiguration> bootstrap) {
    bootstrap.addCommand(new Serve(this));
    bootstrap.addCommand(new CheckCommand<>(this));
  }

  /**
   * Reports a file that is missing or may not be read in one line, because the stack trace adds
   * nothing.
   */
  private static final class Serve extends ServerCommand<BridgeConfiguration> {

    Serve(BridgeApplication application) {
      super(application);
    }

    @Override
    public void onError(Cli cli, Namespace namespace, Throwable failure) {
      if (failure instanceof IOException || failure instanceof ConfigurationException) {
        cli.getStdErr().println(failure.getMessage());
      } else {
        super.onError(cli, namespace, failure);
      }
    }
  }

  @Override
  public void initialize(Bootstrap<BridgeConfiguration> bootstrap) {
    BridgeConfiguration.strict(bootstrap.getObjectMapper());
    bootstrap.setConfigurationSourceProvider(
        new LegibleSource(
            new SubstitutingSourceProvider(
                bootstrap.getConfigurationSourceProvider(), new Variables(System::getenv)),
            LostBytes.ofThisProcess()));
    bootstrap.addCommand(new SendCommand());
    bootstrap.addCommand(new TailCommand());
    bootstrap.addCommand(new TokenCommand());
  }

  @Override
  public void run(BridgeConfiguration config, Environment environment)
      throws IOException, InterruptedException {
    DeadThreads dead = new DeadThreads(DeadThreads.exit());
    dead.watchOwn();
    environment.healthChecks().register("threads", dead);
    KafkaClients clients = new KafkaClients(config.kafka(), dead::watch);
    PrometheusRegistry registry = new PrometheusRegistry();
    ApiShell shell = new ApiShell(config.api(), config.getServerFactory(), environment, registry);
    BridgeMetrics metrics = new BridgeMetrics(registry, InstantSource.system());
    JvmMetrics.builder().register(registry);
    DropwizardExports.builder().dropwizardRegistry(environment.metrics()).register(registry);
    environment
        .admin()
        .addServlet("prometheus", new PrometheusMetricsServlet(registry))
        .addMapping("/prometheus");

    Tally tally = new Tally();
    Listeners listeners = new Listeners(metrics, tally);
    RedisConnection redis = new RedisConnection(config.redis().address());
    // Of their own: a sign that waits behind a large page is late, and lateness looks like death.
    RedisConnection signs = new RedisConnection(config.redis().address());
    Bridge bridge = new Bridge(config, clients, signs, listeners, metrics::gaveUpPeer);
    metrics.observe(bridge::status);
    metrics.observeClock(bridge.clock()::status);
    probe(environment, "/live", "alive", bridge::lost);
    environment.lifecycle().manage(new AutoCloseableManager(redis));
    environment.lifecycle().manage(new AutoCloseableManager(signs));
    environment.lifecycle().manage(bridge);
    TopicRuleWatch watch = new TopicRuleWatch(bridge.topicRules(), registry);
    environment.lifecycle().manage(new Ticker("delay-topic-rules", TOPIC_RULES_EVERY, watch));

    checkHealth(config, environment, bridge, redis);
    readKeyStoresAgain(config, environment);
    List<Object> resources = new ArrayList<>();
    resources.add(new WhoamiResource(config.intake().topics(), config.api().tokens() != null));
    resources.add(new HealthResource(environment.healthChecks(), System::nanoTime));
    resources.add(new OpenApiResource());
    resources.addAll(
        new OperatorsPart(config, clients, environment, bridge, redis).resources(tally, listeners));
    resources.addAll(DeadLettersPart.resources(config, clients, environment, registry));
    shell.install(Api.complete(resources));
    DashboardServlet.register(environment.servlets());
    // The last one is stopped first: nothing that may take long comes before the loops.
    environment.lifecycle().manage(new AutoCloseableManager(bridge::leave));
  }

  private static void checkHealth(
      BridgeConfiguration config, Environment environment, Bridge bridge, RedisConnection redis) {
    KafkaHealthCheck kafka = new KafkaHealthCheck(bridge::brokers);
    RedisHealthCheck store = new RedisHealthCheck(redis);
    environment.healthChecks().register("kafka", kafka);
    environment.healthChecks().register("redis", store);
    List<Supplier<LoopStatus>> loops = new ArrayList<>();
    for (int i = 0; i < config.delivery().loops(); i++) {
      int loop = i;
      loops.add(() -> bridge.status().get(loop));
      environment
          .healthChecks()
          .register(
              "loop-" + i,
              new LoopHealthCheck(
                  loops.get(i), config.delivery().overdueAlarm().toJavaDuration(), bridge.clock()));
    }
    environment.healthChecks().register("clock", new ClockHealthCheck(bridge.clock()::status));
    probe(environment, "/ready", "ready", new Readiness(kafka, store, loops));
  }

  private static void probe(
      Environment environment, String path, String well, Supplier<List<String>> problems) {
    environment.admin().addServlet(path, new ProbeServlet(well, problems)).addMapping(path);
  }

  private static void readKeyStoresAgain(BridgeConfiguration config, Environment environment) {
    KeyStores keyStores = new KeyStores(config.getServerFactory());
    if (keyStores.any()) {
      environment
          .lifecycle()
          .addServerLifecycleListener(server -> keyStores.of(server.getBeans(SslReload.class)));
      environment.lifecycle().manage(new Ticker("delay-key-stores", KEY_STORES_EVERY, keyStores));
    }
  }
}
