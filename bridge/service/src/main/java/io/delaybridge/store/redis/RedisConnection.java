package io.delaybridge.store.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
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
  private static final int MAX_QUEUED = 20_000;
  private static final Duration SHUTDOWN = Duration.ofSeconds(2);

  private final RedisURI uri;
  private final boolean cluster;
  private final Duration timeout;

  // A Redis that came back is found soon; the default would wait up to half a minute.
  private final ClientResources resources =
      ClientResources.builder().reconnectDelay(Delay.constant(Duration.ofMillis(200))).build();
  private @Nullable AutoCloseable client;
  private @Nullable StatefulConnection<byte[], byte[]> connection;
  private @Nullable RedisClusterAsyncCommands<byte[], byte[]> commands;

  /**
   * @param uri {@code redis://}, {@code rediss://} or {@code redis-sentinel://}
   * @param cluster true if the server is a node of a Redis Cluster
   * @param timeout for connecting and for each command
   */
  public RedisConnection(String uri, boolean cluster, Duration timeout) {
    this.uri = RedisURI.create(uri);
    this.uri.setTimeout(timeout);
    this.cluster = cluster;
    this.timeout = timeout;
  }

  /** Throws IllegalArgumentException if it is not an address of a Redis. */
  public static void checkUri(String uri) {
    RedisURI.create(uri);
  }

  /** Connects if it never was. Throws a RedisException if that fails. */
  synchronized RedisClusterAsyncCommands<byte[], byte[]> commands() {
    if (commands == null) {
      commands = cluster ? connectCluster() : connectSingle();
    }
    return commands;
  }

  /** What Redis says of its memory; on a Cluster, one node's. Throws RedisException. */
  public RedisMemory memory() {
    return RedisMemory.parse(
        LettuceFutures.awaitOrCancel(
            commands().info("memory"), timeout.toNanos(), TimeUnit.NANOSECONDS));
  }

  private RedisClusterAsyncCommands<byte[], byte[]> connectSingle() {
    RedisClient redis =
        client instanceof RedisClient known ? known : RedisClient.create(resources, uri);
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
            : RedisClusterClient.create(resources, uri);
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
    return opened.async();
  }

  private ClientOptions.Builder options(ClientOptions.Builder builder) {
    return builder
        .autoReconnect(true)
        .replayFilter(command -> true)
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .requestQueueSize(MAX_QUEUED)
        .timeoutOptions(TimeoutOptions.enabled(timeout))
        .socketOptions(SocketOptions.builder().connectTimeout(timeout).keepAlive(true).build());
  }

  @Override
  public synchronized void close() {
    if (connection != null) {
      connection.close();
    }
    if (client instanceof AbstractRedisClient redis) {
      redis.shutdown(Duration.ZERO, SHUTDOWN);
    }
    if (!resources
        .shutdown(0, SHUTDOWN.toMillis(), TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(SHUTDOWN.toMillis())) {
      LOG.warn("The threads of the Redis client did not end in time");
    }
  }
}
