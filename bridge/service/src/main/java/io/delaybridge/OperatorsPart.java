package io.delaybridge;

import io.delaybridge.admin.Desk;
import io.delaybridge.admin.ForecastResource;
import io.delaybridge.admin.History;
import io.delaybridge.admin.Instances;
import io.delaybridge.admin.MessagesResource;
import io.delaybridge.admin.PauseResource;
import io.delaybridge.admin.PauseTask;
import io.delaybridge.admin.Pauses;
import io.delaybridge.admin.ShardsResource;
import io.delaybridge.admin.StatsResource;
import io.delaybridge.admin.Tally;
import io.delaybridge.intake.IntakeWriter;
import io.delaybridge.shard.ShardDirectory;
import io.delaybridge.store.PendingView;
import io.delaybridge.store.redis.RedisConnection;
import io.delaybridge.store.redis.RedisNoticeBoard;
import io.delaybridge.store.redis.RedisPendingView;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.lifecycle.Managed;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** What the API tells and does about messages and shards. Wiring only. */
final class OperatorsPart {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private OperatorsPart() {}

  /** The resources; what has to be started and stopped with them is given to the environment. */
  static List<Object> resources(
      BridgeConfiguration config,
      Environment environment,
      Bridge bridge,
      Tally tally,
      RedisConnection redis) {
    InstantSource clock = InstantSource.system();
    PendingView view = new RedisPendingView(redis, config.redis().prefix());
    ShardDirectory directory = bridge.directory();
    IntakeWriter writer = bridge.writer();
    long longestDelay = config.intake().longestDelay().toMilliseconds();
    Desk desk =
        new Desk(writer, view, directory, intake -> longestDelay, System::nanoTime, PATIENCE);
    Pauses pauses = new Pauses(desk, directory);
    Instances instances =
        new Instances(
            bridge.instance(),
            host(),
            tally,
            new RedisNoticeBoard(redis, config.redis().prefix(), clock),
            environment.getObjectMapper(),
            clock);
    History history = new History(instances, desk, view, clock);
    environment.lifecycle().manage(closing(writer));
    environment.lifecycle().manage(instances);
    environment.lifecycle().manage(history);
    environment.admin().addTask(PauseTask.pause(pauses));
    environment.admin().addTask(PauseTask.resume(pauses));
    return List.of(
        new MessagesResource(desk, view, config.intake().topics(), clock),
        new ForecastResource(desk, view, clock),
        new ShardsResource(desk, directory, view, bridge::status, clock),
        new PauseResource(pauses),
        new StatsResource(instances, history, desk, view, pauses, clock));
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }

  private static Managed closing(IntakeWriter writer) {
    return new Managed() {
      @Override
      public void stop() {
        writer.close();
      }
    };
  }
}
