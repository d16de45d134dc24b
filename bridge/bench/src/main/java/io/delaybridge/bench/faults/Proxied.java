package io.delaybridge.bench.faults;

import io.delaybridge.stack.LocalBroker;
import io.delaybridge.stack.LocalRedis;
import io.delaybridge.stack.TcpProxy;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One broker and one Redis, which the bridges reach through proxies only. */
record Proxied(LocalBroker broker, LocalRedis redis, TcpProxy toKafka, TcpProxy toRedis)
    implements Servers {

  static Proxied start(Path dir) {
    TcpProxy toKafka = TcpProxy.to(0);
    TcpProxy toRedis = TcpProxy.to(0);
    LocalBroker broker = Servers.broker(dir).behind(toKafka);
    LocalRedis redis = LocalRedis.at(dir.resolve("redis"));
    return Servers.started(
        new Proxied(broker, redis, toKafka, toRedis),
        redis::start,
        () -> toRedis.retarget(redis.port()),
        broker::start);
  }

  @Override
  public String kafka() {
    return broker.bootstrapServers();
  }

  @Override
  public String kafkaOfBridges() {
    return "127.0.0.1:" + toKafka.port();
  }

  @Override
  public String redisOfBridges() {
    return "redis://127.0.0.1:" + toRedis.port();
  }

  @Override
  public @Nullable Object redis(String... words) {
    return redis.command(words);
  }

  @Override
  public void heal() {
    toKafka.allow();
    toRedis.allow();
  }

  @Override
  public void close() {
    try (toKafka;
        toRedis;
        redis) {
      broker.close();
    }
  }
}
