package io.delaybridge.bench.faults;

import io.delaybridge.stack.LocalBroker;
import io.delaybridge.stack.LocalCluster;
import io.delaybridge.stack.LocalRedis;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Three brokers and one Redis. Each topic is on all brokers, and a write needs two of them. */
record ThreeBrokers(LocalCluster brokers, LocalRedis redis) implements Servers {

  static final int SIZE = 3;

  static ThreeBrokers start(Path dir) {
    LocalCluster brokers = LocalCluster.at(dir.resolve("kafka"), SIZE);
    QUICK.forEach(brokers::with);
    LocalRedis redis = LocalRedis.at(dir.resolve("redis"));
    return Servers.started(new ThreeBrokers(brokers, redis), redis::start, brokers::start);
  }

  @Override
  public String kafka() {
    return brokers.bootstrapServers();
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
    for (int i = 0; i < SIZE; i++) {
      LocalBroker broker = brokers.broker(i);
      if (!broker.isAlive()) {
        broker.start();
      }
    }
  }

  @Override
  public void close() {
    try (redis) {
      brokers.close();
    }
  }
}
