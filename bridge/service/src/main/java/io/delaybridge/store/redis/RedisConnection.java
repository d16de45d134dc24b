package io.delaybridge.store.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timer;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to a Redis, a Sentinel group or a Cluster. Opened with the first command and kept
 * open by Lettuce. While it is down, commands fail at once; what was under way when it broke fails
 * and is not sent again: the loop asks Redis where it stands instead of hoping.
 */
public final class RedisConnection implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RedisConnection.class);
  private static final String MEMORY = "memory";
  private static final int MAX_QUEUED = 20_000;
  private static final Duration AGAIN_AFTER = Duration.ofMillis(200);
  private static final Duration SHUTDOWN = Duration.ofSeconds(2);

  /** One clock for time-outs and reconnects of all connections: it ticks four times a second. */
  private static final Timer TIMER =
      new HashedWheelTimer(
          new DefaultThreadFactory("delay-redis-timer", true), 250, TimeUnit.MILLISECONDS);

  private final RedisAddress address;

  /** Of whoever connects, gives up a connection or closes. */
  private final ReentrantLock lock = new ReentrantLock();

  // A Redis that came back is found soon; the default would wait up to half a minute.
  private final ClientResources resources =
      ClientResources.builder()
          .reconnectDelay(Delay.constant(Duration.ofMillis(200)))
          .timer(TIMER)
          .build();
  private @Nullable AutoCloseable client;
  private @Nullable StatefulConnection<byte[], byte[]> connection;

  /** Written by whoever has the lock. */
  private volatile @Nullable RedisClusterAsyncCommands<byte[], byte[]> commands;

  private @Nullable RedisException refused;
  private long refusedAt;
  private long connectedAt;

  /** Opens nothing yet. */
  public RedisConnection(RedisAddress address) {
    this.address = address;
  }

  /** Connects if need be. Throws a RedisException if that fails, or just timed out. */
  RedisClusterAsyncCommands<byte[], byte[]> commands() {
    RedisClusterAsyncCommands<byte[], byte[]> known = commands;
    return known == null ? connected() : known;
  }

  /** Never waits, so it is for Lettuce's own threads. Throws a RedisException if there is none. */
  RedisClusterAsyncCommands<byte[], byte[]> commandsIfConnected() {
    RedisClusterAsyncCommands<byte[], byte[]> known = commands;
    if (known == null) {
      throw new RedisException("the connection was closed");
    }
    return known;
  }

  private RedisClusterAsyncCommands<byte[], byte[]> connected() {
    lock.lock();
    try {
      RedisClusterAsyncCommands<byte[], byte[]> known = commands;
      return known == null ? connect() : known;
    } finally {
      lock.unlock();
    }
  }

  private RedisClusterAsyncCommands<byte[], byte[]> connect() {
    RedisException before = refused;
    if (before != null && System.nanoTime() - refusedAt < AGAIN_AFTER.toNanos()) {
      // A server that hangs costs a time-out; not one for each shard.
      throw before;
    }
    long begun = System.nanoTime();
    try {
      RedisClusterAsyncCommands<byte[], byte[]> opened =
          address.cluster() ? connectCluster() : connectSingle();
      connectedAt = System.nanoTime();
      refused = null;
      commands = opened;
      return opened;
    } catch (RedisException e) {
      refusedAt = System.nanoTime();
      refused = refusedAt - begun > AGAIN_AFTER.toNanos() ? e : null;
      throw e;
    }
  }

  /**
   * To be told of each failure. A server that only reads, or does not answer, may have been the
   * master once: the address may lead to another one by now, but nobody has closed this connection,
   * and it can take a quarter of an hour until the network does. So it is made anew with the next
   * command. A Cluster looks for its masters by itself.
   */
  void failed(Throwable failure) {
    // Lettuce's own threads call this, and to connect or close needs them: they must not wait.
    if (isForsaken(failure) && lock.tryLock()) {
      try {
        StatefulConnection<byte[], byte[]> old = connection;
        if (old != null && !isYoungerThan(failure)) {
          LOG.warn("Redis is looked for anew: {}", failure.getMessage());
          connection = null;
          commands = null;
          var unused = old.closeAsync();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** What times out was sent that long ago: perhaps on a connection that was closed since. */
  private boolean isYoungerThan(Throwable failure) {
    return failure instanceof RedisCommandTimeoutException
        && System.nanoTime() - connectedAt < address.timeout().toNanos();
  }

  private boolean isForsaken(Throwable failure) {
    return String.valueOf(failure.getMessage()).contains("READONLY ")
        || (failure instanceof RedisCommandTimeoutException && !address.cluster());
  }

  /** As {@link #askMemory}, and waits for it. Throws StoreException. */
  public RedisMemory memory() {
    Answers.commands(this);
    return Objects.requireNonNull(Answers.await(this, askMemory()));
  }

  /** What Redis says of its memory; of a Cluster, the master that is nearest to its limit. */
  CompletableFuture<RedisMemory> askMemory() {
    if (commands() instanceof RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster) {
      return cluster
          .upstream()
          .commands()
          .info(MEMORY)
          .thenApply(all -> RedisMemory.worst(all.stream().map(RedisMemory::parse).toList()))
          .toCompletableFuture();
    }
    return commands().info(MEMORY).thenApply(RedisMemory::parse).toCompletableFuture();
  }

  /** Any question that one server answers, within the least rights. */
  CompletableFuture<String> askAny() {
    return commands().info(MEMORY).toCompletableFuture();
  }

  private RedisClusterAsyncCommands<byte[], byte[]> connectSingle() {
    RedisClient redis =
        client instanceof RedisClient known
            ? known
            : new AsyncRedisClient(resources, address.servers().get(0));
    client = redis;
    redis.setOptions(options(ClientOptions.builder()).build());
    StatefulRedisConnection<byte[], byte[]> opened = redis.connect(ByteArrayCodec.INSTANCE);
    connection = opened;
    return opened.async();
  }

  private RedisClusterAsyncCommands<byte[], byte[]> connectCluster() {
    RedisClusterClient redis =
        client instanceof RedisClusterClient known
            ? known
            : RedisClusterClient.create(resources, address.servers());
    client = redis;
    ClusterClientOptions.Builder builder = ClusterClientOptions.builder();
    options(builder);
    redis.setOptions(
        builder
            .topologyRefreshOptions(
                ClusterTopologyRefreshOptions.builder()
                    .enablePeriodicRefresh(Duration.ofSeconds(10))
                    .build())
            .build());
    StatefulRedisClusterConnection<byte[], byte[]> opened = redis.connect(ByteArrayCodec.INSTANCE);
    connection = opened;
    reachMasters(opened);
    return opened.async();
  }

  /**
   * A node is connected to with the first command for it, and that command is rejected, as there is
   * no connection yet. So it is done before there are any.
   */
  private static void reachMasters(StatefulRedisClusterConnection<byte[], byte[]> cluster) {
    for (RedisClusterNode node : cluster.getPartitions()) {
      if (!node.getSlots().isEmpty()) {
        reach(cluster, node.getUri());
      }
    }
  }

  /** One that is away is no fault of the others. */
  private static void reach(
      StatefulRedisClusterConnection<byte[], byte[]> cluster, RedisURI address) {
    try {
      cluster.getConnection(address.getHost(), address.getPort());
    } catch (RedisException e) {
      LOG.warn(
          "Redis at {}:{} does not answer: {}",
          address.getHost(),
          address.getPort(),
          e.getMessage());
    }
  }

  private ClientOptions.Builder options(ClientOptions.Builder builder) {
    return builder
        .autoReconnect(true)
        .replayFilter(command -> true)
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .requestQueueSize(MAX_QUEUED)
        // Else each connection begins with a command that is none of the least rights: Redis before
        // 7.0 logs each as refused.
        .maintNotificationsConfig(MaintNotificationsConfig.disabled())
        .timeoutOptions(TimeoutOptions.enabled(address.timeout()))
        .sslOptions(address.sslOptions())
        .socketOptions(
            SocketOptions.builder().connectTimeout(address.timeout()).keepAlive(true).build());
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (connection != null) {
        connection.close();
      }
      if (client instanceof AbstractRedisClient redis) {
        // Not shutdown(): that waits for ever for a connection whose server hangs.
        awaitEnd(redis.shutdownAsync(0, SHUTDOWN.toMillis(), TimeUnit.MILLISECONDS));
      }
    } finally {
      lock.unlock();
    }
    if (!resources
        .shutdown(0, SHUTDOWN.toMillis(), TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(SHUTDOWN.toMillis())) {
      LOG.warn("The threads of the Redis client did not end in time");
    }
  }

  private static void awaitEnd(CompletableFuture<Void> end) {
    try {
      end.get(2 * SHUTDOWN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("A connection to Redis could not be closed in good order: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
