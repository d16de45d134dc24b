package io.delaybridge.bench.faults;

import io.delaybridge.stack.LocalBroker;
import io.delaybridge.stack.LocalRedis;
import io.delaybridge.stack.TcpProxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One broker, a Redis and a copy of it. The bridges reach whoever is master by one address, and the
 * copy reaches its master by a link that can be cut.
 */
final class RedisPair implements Servers {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final LocalBroker broker;
  private final TcpProxy front = TcpProxy.to(0);
  private final TcpProxy link = TcpProxy.to(0);
  private LocalRedis master;
  private LocalRedis copy;

  private RedisPair(Path dir) {
    broker = Servers.broker(dir);
    // A copy that comes is served at once, and not after some seconds in which others may come.
    master = LocalRedis.at(dir.resolve("redis-1")).with("repl-diskless-sync-delay", "0");
    copy = LocalRedis.at(dir.resolve("redis-2")).with("repl-diskless-sync-delay", "0");
  }

  static RedisPair start(Path dir) {
    RedisPair servers = new RedisPair(dir);
    return Servers.started(
        servers,
        servers.master::start,
        () -> servers.front.retarget(servers.master.port()),
        servers::follow,
        servers.broker::start);
  }

  private void follow() {
    link.retarget(master.port());
    link.allow();
    copy.replicaOf(link.port()).start();
  }

  /**
   * The copy hears nothing more while the bridges go on; then the master dies and the copy takes
   * its place, and what was the master comes back as the copy.
   *
   * @param lag when the master is to die; what it answers is returned
   */
  boolean promoteLagging(BooleanSupplier lag) {
    Wait.until("the copy of Redis", LIMIT, copy::isInSync);
    link.refuse();
    boolean lagged = lag.getAsBoolean();
    LocalRedis old = master;
    old.kill();
    copy.promote();
    master = copy;
    copy = old;
    front.retarget(master.port());
    follow();
    return lagged;
  }

  @Override
  public String kafka() {
    return broker.bootstrapServers();
  }

  @Override
  public String redisOfBridges() {
    return "redis://127.0.0.1:" + front.port();
  }

  @Override
  public @Nullable Object redis(String... words) {
    return master.command(words);
  }

  @Override
  public void close() {
    LocalRedis first = master;
    LocalRedis second = copy;
    try (front;
        link;
        first;
        second) {
      broker.close();
    }
  }
}
