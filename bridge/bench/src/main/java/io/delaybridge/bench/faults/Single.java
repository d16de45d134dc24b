package io.delaybridge.bench.faults;

import io.delaybridge.stack.LocalBroker;
import io.delaybridge.stack.LocalRedis;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One broker and one Redis. */
record Single(LocalBroker broker, LocalRedis redis) implements Servers {

  static Single start(Path dir) {
    LocalBroker broker = Brokers.quick(LocalBroker.at(dir.resolve("kafka")));
    LocalRedis redis =
        LocalRedis.at(dir.resolve("redis"))
            // The end of the file is to be what was written last.
            .with("auto-aof-rewrite-percentage", "0");
    Single servers = new Single(broker, redis);
    try {
      redis.start();
      broker.start();
      return servers;
    } catch (RuntimeException e) {
      servers.close();
      throw e;
    }
  }

  @Override
  public String kafka() {
    return broker.bootstrapServers();
  }

  @Override
  public String redisOfBridges() {
    return redis.uri();
  }

  @Override
  public @Nullable Object redis(String... words) {
    return redis.command(words);
  }

  @Override
  public void heal() {
    if (!redis.isAlive()) {
      redis.start();
    }
    if (!broker.isAlive()) {
      broker.start();
    }
  }

  @Override
  public void close() {
    try (redis) {
      broker.close();
    }
  }
}
