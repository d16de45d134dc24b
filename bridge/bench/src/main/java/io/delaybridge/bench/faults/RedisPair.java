package io.delaybridge.bench.faults;

import io.delaybridge.stack.LocalBroker;
import io.delaybridge.stack.LocalRedis;
import io.delaybridge.stack.TcpProxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One broker, a Redis master and a copy of it. The bridges reach the current master through one
 * address. The copy reaches its master through a link that can be cut.
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
    // The master serves a new copy at once; by default, it waits some seconds for more of them.
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
   * Cuts the copy off while the bridges continue. Then the master dies, the copy takes its place,
   * and the old master comes back as the copy.
   *
   * @param lag waits until the master is to die; its answer is returned
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
