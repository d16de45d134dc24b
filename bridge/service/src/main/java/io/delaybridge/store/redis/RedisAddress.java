package io.delaybridge.store.redis;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The address of a Redis and how to connect to it.
 *
 * @param uri {@code redis://}, {@code rediss://}, {@code redis-sentinel://} or {@code
 *     rediss-sentinel://}; for a Cluster, several nodes separated by commas
 * @param cluster whether the server is a node of a Redis Cluster
 * @param timeout for connecting and for each command
 * @param tls for an address that asks for it
 * @param sentinel for an address of Sentinels
 */
public record RedisAddress(
    String uri, boolean cluster, Duration timeout, RedisTls tls, SentinelLogin sentinel) {

  /** An address without Sentinels that ask for a password. */
  public RedisAddress(String uri, boolean cluster, Duration timeout, RedisTls tls) {
    this(uri, cluster, timeout, tls, SentinelLogin.NONE);
  }

  /**
   * Returns why this is not an address of a Redis, without quoting any part of it; empty if it is
   * one.
   */
  public Optional<String> fault() {
    try {
      RedisURI server = servers().get(0);
      if (!server.isSsl() && !tls.equals(RedisTls.DEFAULT)) {
        return Optional.of("redis.tls is set, but this URI does not use TLS");
      }
      return server.getSentinels().isEmpty() && !sentinel.equals(SentinelLogin.NONE)
          ? Optional.of("redis.sentinel is set, but this URI does not name Sentinels")
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(
          e.getCause() instanceof URISyntaxException syntax
              ? syntax.getReason()
              : String.valueOf(e.getMessage()));
    }
  }

  /** Returns the one server, or the known nodes of a Cluster. */
  List<RedisURI> servers() {
    List<RedisURI> servers = parse(uri, cluster);
    for (RedisURI server : servers) {
      server.setTimeout(timeout);
      withoutName(server);
      for (RedisURI each : server.getSentinels()) {
        withoutName(each);
        logIn(each);
      }
    }
    return servers;
  }

  private void logIn(RedisURI each) {
    String password = sentinel.password();
    if (password != null) {
      each.setCredentialsProvider(
          RedisCredentialsProvider.from(
              () -> RedisCredentials.just(sentinel.user(), password.toCharArray())));
    }
  }

  /**
   * Stops Lettuce from telling its name with {@code CLIENT SETINFO}, which Redis knows since 7.2. A
   * user with the least rights may not use it, and cannot be given the right before 7.2.
   */
  private static void withoutName(RedisURI server) {
    server.setLibraryName("");
    server.setLibraryVersion("");
  }

  private static List<RedisURI> parse(String uri, boolean cluster) {
    return cluster
        ? RedisClusterURIUtil.toRedisURIs(URI.create(uri))
        : List.of(RedisURI.create(uri));
  }

  /** Leaves out the address, which may hold a password. */
  @Override
  public String toString() {
    return "RedisAddress[cluster=%s, tls=%s]".formatted(cluster, tls);
  }
}
