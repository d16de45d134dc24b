package io.delaybridge;

import io.delaybridge.admin.Caller;
import io.delaybridge.admin.api.ForecastResource;
import io.delaybridge.admin.api.MessagesResource;
import io.delaybridge.admin.api.PauseResource;
import io.delaybridge.admin.api.PauseServlet;
import io.delaybridge.admin.api.ShardsResource;
import io.delaybridge.admin.api.StatsResource;
import io.delaybridge.admin.api.WatermarkResource;
import io.delaybridge.admin.desk.Desk;
import io.delaybridge.admin.desk.FarForecast;
import io.delaybridge.admin.desk.Pauses;
import io.delaybridge.admin.desk.Waiting;
import io.delaybridge.admin.desk.Watermarks;
import io.delaybridge.admin.history.History;
import io.delaybridge.admin.history.Instances;
import io.delaybridge.admin.history.Tally;
import io.delaybridge.admin.limits.IntakeLimits;
import io.delaybridge.admin.limits.IntakeLimits.Limits;
import io.delaybridge.admin.limits.QuotaGuard;
import io.delaybridge.config.TenantConfig;
import io.delaybridge.intake.IntakeReader;
import io.delaybridge.intake.IntakeWriter;
import io.delaybridge.shard.Clocks;
import io.delaybridge.shard.Listeners;
import io.delaybridge.shard.ShardDirectory;
import io.delaybridge.store.PendingView;
import io.delaybridge.store.redis.RedisConnection;
import io.delaybridge.store.redis.RedisNoticeBoard;
import io.delaybridge.store.redis.RedisPendingView;
import io.delaybridge.store.redis.RedisShardStore;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.lifecycle.AutoCloseableManager;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sets up what the API tells and does about messages and shards. Only wires the parts together. */
final class OperatorsPart {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final BridgeConfiguration config;
  private final KafkaClients clients;
  private final Environment environment;
  private final Bridge bridge;
  private final RedisConnection redis;
  private final InstantSource clock;

  OperatorsPart(
      BridgeConfiguration config,
      KafkaClients clients,
      Environment environment,
      Bridge bridge,
      RedisConnection redis) {
    this.config = config;
    this.clients = clients;
    this.environment = environment;
    this.bridge = bridge;
    this.redis = redis;
    this.clock = bridge.clock();
  }

  /**
   * Returns the resources. Registers with the environment what has to be started and stopped with
   * them.
   */
  List<Object> resources(Tally tally, Listeners listeners) {
    PendingView view = new RedisPendingView(redis, config.redis().prefix());
    ShardDirectory directory = bridge.directory();
    IntakeWriter writer = bridge.writer();
    IntakeReader reader = bridge.reader(PATIENCE);
    environment.lifecycle().manage(new AutoCloseableManager(writer));
    environment.lifecycle().manage(new AutoCloseableManager(reader));
    Desk desk =
        new Desk(
            writer,
            reader,
            view,
            directory,
            config::reading,
            Clocks.of(clock, () -> false),
            PATIENCE);
    Waiting waiting = new Waiting(view, directory, clock);
    IntakeLimits limits = limits(desk, waiting);
    QuotaGuard guard = new QuotaGuard(limits, writer);
    listeners.add(guard);
    Pauses pauses = new Pauses(desk, directory, bridge::resume);
    Instances instances =
        new Instances(
            bridge.instance(),
            host(),
            tally,
            new RedisNoticeBoard(redis, config.redis().prefix(), clock),
            environment.getObjectMapper(),
            clock);
    History history = new History(instances, desk, waiting, clock);
    List.of(limits, guard, instances, history).forEach(environment.lifecycle()::manage);
    Watermarks watermarks = watermarks(directory, reader);
    writeProgress(watermarks);
    PauseServlet.register(environment.admin(), pauses);
    return List.of(
        new MessagesResource(desk, view, limits, config.intake().topics(), clock),
        new ForecastResource(desk, view, waiting, new FarForecast(reader), clock),
        new ShardsResource(desk, directory, view, bridge::status, clock),
        new WatermarkResource(watermarks),
        new PauseResource(pauses),
        new StatsResource(instances, history, desk, waiting, pauses));
  }

  /**
   * Makes the watermarks. The creator of the connection closes it; this view of the store does not.
   */
  private Watermarks watermarks(ShardDirectory directory, IntakeReader reader) {
    RedisShardStore store = new RedisShardStore(redis, config.redis().prefix());
    return new Watermarks(directory, store, reader, Clocks.of(clock, () -> false), PATIENCE);
  }

  private void writeProgress(Watermarks watermarks) {
    String topic = config.delivery().progressTopic();
    if (!topic.isEmpty()) {
      environment
          .lifecycle()
          .manage(
              new ProgressTopic(
                  topic,
                  watermarks,
                  bridge::status,
                  () -> clients.producer("delay-bridge-" + bridge.instance() + "-progress"),
                  environment.getObjectMapper()));
    }
  }

  private IntakeLimits limits(Desk desk, Waiting waiting) {
    Map<String, Limits> limits = new HashMap<>();
    for (String intake : config.intake().topics()) {
      TenantConfig tenant = config.tenant(intake);
      if (tenant.isLimited()) {
        limits.put(intake, new Limits(tenant.largestValue(), tenant.pending(), tenant.rate()));
      }
    }
    return new IntakeLimits(
        limits,
        () ->
            waiting.summaries(
                desk.shards(Caller.ANYONE).stream()
                    .filter(shard -> limits.containsKey(shard.topic()))
                    .toList()),
        bridge::status,
        clock);
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}
