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
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
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
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to a Redis, a Sentinel group or a Cluster. The first command opens it, and Lettuce
 * keeps it open. While it is down, commands fail at once. Commands that were under way when it
 * broke fail and are not sent again: the loop asks Redis where it stands instead of hoping.
 */
public final class RedisConnection implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RedisConnection.class);
  private static final String MEMORY = "memory";
  private static final int MAX_QUEUED = 20_000;
  private static final Duration AGAIN_AFTER = Duration.ofMillis(200);
  private static final Duration SHUTDOWN = Duration.ofSeconds(2);

  /** The clock for time-outs and reconnects of all connections. It ticks four times a second. */
  private static final Timer TIMER =
      new HashedWheelTimer(
          new DefaultThreadFactory("delay-redis-timer", true), 250, TimeUnit.MILLISECONDS);

  private final RedisAddress address;

  /** Held by the thread that connects, gives up a connection or closes. */
  private final ReentrantLock lock = new ReentrantLock();

  // Lettuce's threads and what they share. The next three are written by the holder of the lock.
  private volatile Threads threads = new Threads();
  private ClientResources resources = threads.resources();
  private @Nullable AutoCloseable client;
  private @Nullable StatefulConnection<byte[], byte[]> connection;

  /** Written only by the holder of the lock. */
  private volatile @Nullable RedisClusterAsyncCommands<byte[], byte[]> commands;

  private @Nullable RedisException refused;
  private long refusedAt;
  private long connectedAt;

  /** Makes the threads of one client, and knows whether one of them has ended. */
  private static final class Threads {

    private volatile boolean ended;

    ClientResources resources() {
      // Soon finds a Redis that came back; the default would wait up to half a minute.
      return ClientResources.builder()
          .reconnectDelay(Delay.constant(Duration.ofMillis(200)))
          .timer(TIMER)
          .threadFactoryProvider(this::factory)
          .build();
    }

    private ThreadFactory factory(String pool) {
      ThreadFactory plain = new DefaultThreadFactory(pool, true);
      return work ->
          plain.newThread(
              () -> {
                try {
                  work.run();
                } finally {
                  ended = true;
                }
              });
    }
  }

  /** Opens nothing yet. */
  public RedisConnection(RedisAddress address) {
    this.address = address;
  }

  /** Connects if necessary. Throws a RedisException if that fails, or timed out a moment ago. */
  RedisClusterAsyncCommands<byte[], byte[]> commands() {
    RedisClusterAsyncCommands<byte[], byte[]> known = commands;
    return known == null || threads.ended ? connected() : known;
  }

  /** Never waits, so Lettuce's own threads may call it. Throws RedisException if not connected. */
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
      if (threads.ended) {
        makeAnew();
      }
      RedisClusterAsyncCommands<byte[], byte[]> known = commands;
      return known == null ? connect() : known;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Replaces the client. An {@link Error} ends a thread of Lettuce, and then its connections are
   * silent for ever, without being closed.
   */
  private void makeAnew() {
    LOG.error("A thread of the Redis client has died: the bridge makes a new client");
    AutoCloseable old = client;
    ClientResources left = resources;
    connection = null;
    commands = null;
    client = null;
    threads = new Threads();
    resources = threads.resources();
    if (old instanceof AbstractRedisClient redis) {
      var unused = redis.shutdownAsync(0, SHUTDOWN.toMillis(), TimeUnit.MILLISECONDS);
    }
    var unused = left.shutdown(0, SHUTDOWN.toMillis(), TimeUnit.MILLISECONDS);
  }

  private RedisClusterAsyncCommands<byte[], byte[]> connect() {
    RedisException before = refused;
    if (before != null && System.nanoTime() - refusedAt < AGAIN_AFTER.toNanos()) {
      // A server that hangs costs one time-out, not one for each shard.
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
   * Must be called for each failure. A server that is read-only, or does not answer, may have been
   * the master before. The address may lead to another server by now, but nobody has closed this
   * connection, and it can take a quarter of an hour until the network does. So the next command
   * opens a new connection. A Cluster looks for its masters by itself.
   */
  void failed(Throwable failure) {
    // Lettuce's own threads call this. They must not wait, because connecting and closing need
    // them.
    if (isForsaken(failure) && lock.tryLock()) {
      try {
        StatefulConnection<byte[], byte[]> old = connection;
        if (old != null && !isYoungerThan(failure)) {
          LOG.warn(
              "The bridge connects to Redis again, because the server is read-only or silent: {}",
              failure.getMessage());
          connection = null;
          commands = null;
          var unused = old.closeAsync();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * A command that times out was sent that long ago, perhaps on a connection that has been closed
   * since.
   */
  private boolean isYoungerThan(Throwable failure) {
    return failure instanceof RedisCommandTimeoutException
        && System.nanoTime() - connectedAt < address.timeout().toNanos();
  }

  private boolean isForsaken(Throwable failure) {
    return String.valueOf(failure.getMessage()).contains("READONLY ")
        || (failure instanceof RedisCommandTimeoutException && !address.cluster());
  }

  /** As {@link #askMemory}, but waits for the answer. Throws StoreException. */
  public RedisMemory memory() {
    Answers.commands(this);
    return Objects.requireNonNull(Answers.await(this, askMemory()));
  }

  /**
   * Returns what Redis reports about its memory; for a Cluster, about the master that is nearest to
   * its limit. A master without slots is not asked: one whose replica has taken over stays in the
   * list of nodes, even if it is gone.
   */
  CompletableFuture<RedisMemory> askMemory() {
    if (commands() instanceof RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster) {
      return cluster
          .nodes(node -> node.is(NodeFlag.UPSTREAM) && !node.getSlots().isEmpty())
          .commands()
          .info(MEMORY)
          .thenApply(all -> RedisMemory.worst(all.stream().map(RedisMemory::parse).toList()))
          .toCompletableFuture();
    }
    return commands().info(MEMORY).thenApply(RedisMemory::parse).toCompletableFuture();
  }

  /** Sends a question that one server answers and that needs the least rights. */
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
   * Connects to the masters before there are any commands. Otherwise the first command for a node
   * would open the connection to it, and be rejected because there is none yet.
   */
  private static void reachMasters(StatefulRedisClusterConnection<byte[], byte[]> cluster) {
    for (RedisClusterNode node : cluster.getPartitions()) {
      if (!node.getSlots().isEmpty()) {
        reach(cluster, node.getUri());
      }
    }
  }

  /** A node that does not answer does not affect the others. */
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
        // Otherwise each connection begins with a command that is not among the least rights: Redis
        // before 7.0 logs each as refused.
        .maintNotificationsConfig(MaintNotificationsConfig.disabled())
        .timeoutOptions(TimeoutOptions.enabled(address.timeout()))
        .sslOptions(address.tls().options())
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
        // Not shutdown(): it waits forever for a connection whose server hangs.
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
      LOG.warn("A connection to Redis did not close cleanly: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
