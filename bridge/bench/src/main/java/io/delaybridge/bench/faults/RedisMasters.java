package io.delaybridge.bench.faults;

import io.delaybridge.stack.LocalBroker;
import io.delaybridge.stack.LocalRedisCluster;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One broker and a Redis Cluster of three masters. */
record RedisMasters(LocalBroker broker, LocalRedisCluster redis) implements Servers {

  static final int SIZE = 3;

  static RedisMasters start(Path dir) {
    LocalBroker broker = Servers.broker(dir);
    LocalRedisCluster redis = LocalRedisCluster.at(dir.resolve("redis"), SIZE);
    return Servers.started(new RedisMasters(broker, redis), redis::start, broker::start);
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
  public boolean isRedisCluster() {
    return true;
  }

  @Override
  public @Nullable Object redis(String... words) {
    return redis.node(redis.owner(redis.slot(words[1]))).command(words);
  }

  @Override
  public void close() {
    try (redis) {
      broker.close();
    }
  }
}
