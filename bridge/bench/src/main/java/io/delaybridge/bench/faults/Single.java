package io.delaybridge.bench.faults;

import io.delaybridge.stack.LocalBroker;
import io.delaybridge.stack.LocalRedis;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One broker and one Redis. */
record Single(LocalBroker broker, LocalRedis redis) implements Servers {

  static Single start(Path dir) {
    LocalBroker broker = Servers.broker(dir);

    LocalRedis redis =
        LocalRedis.at(dir.resolve("redis"))
            // The end of the file must be the last write.
            .with("auto-aof-rewrite-percentage", "0");
    return Servers.started(new Single(broker, redis), redis::start, broker::start);
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
