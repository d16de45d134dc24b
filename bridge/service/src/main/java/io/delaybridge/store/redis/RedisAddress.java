package io.delaybridge.store.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
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
 */
public record RedisAddress(String uri, boolean cluster, Duration timeout, RedisTls tls) {

  /**
   * Returns why this is not an address of a Redis, without quoting any part of it; empty if it is
   * one.
   */
  public Optional<String> fault() {
    try {
      boolean encrypted = servers().get(0).isSsl();
      return encrypted || tls.equals(RedisTls.DEFAULT)
          ? Optional.empty()
          : Optional.of("redis.tls is set, but this URI does not use TLS");
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
    servers.forEach(server -> server.setTimeout(timeout));
    servers.forEach(RedisAddress::withoutName);
    return servers;
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

  SslOptions sslOptions() {
    SslOptions.Builder options = SslOptions.builder().jdkSslProvider();
    Path trust = tls.trust();
    if (trust != null) {
      options.trustManager(trust.toFile());
    }
    Path certificate = tls.certificate();
    Path key = tls.key();
    if (certificate != null && key != null) {
      options.keyManager(certificate.toFile(), key.toFile(), new char[0]);
    }
    return options.build();
  }

  /** Leaves out the address, which may hold a password. */
  @Override
  public String toString() {
    return "RedisAddress[cluster=%s, tls=%s]".formatted(cluster, tls);
  }
}
