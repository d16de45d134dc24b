package io.delaybridge.config;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.delaybridge.store.redis.RedisConnection;
import io.dropwizard.util.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How to reach Redis.
 *
 * @param uri {@code redis://}, {@code rediss://} or {@code redis-sentinel://}, with password and
 *     database where needed
 * @param cluster true if the server is a node of a Redis Cluster
 * @param prefix first part of every key
 * @param timeout for connecting and for each command
 * @param highWaterMark share of Redis' memory limit above which the intake pauses
 */
public record RedisConfig(
    String uri, boolean cluster, String prefix, Duration timeout, double highWaterMark) {

  /** Defaults and checks. */
  @JsonCreator
  public static RedisConfig of(
      @JsonProperty("uri") @Nullable String uri,
      @JsonProperty("cluster") @Nullable Boolean cluster,
      @JsonProperty("prefix") @Nullable String prefix,
      @JsonProperty("timeout") @Nullable Duration timeout,
      @JsonProperty("highWaterMark") @Nullable Double highWaterMark) {
    String address = Check.text("redis.uri", uri, "redis://127.0.0.1:6379");
    try {
      RedisConnection.checkUri(address);
    } catch (IllegalArgumentException e) {
      // The value is left out: it may hold a password.
      throw new IllegalArgumentException(
          "redis.uri is not valid ("
              + e.getMessage()
              + "), allowed: redis://host:port,"
              + " rediss://host:port or redis-sentinel://host:port,host:port#master",
          e);
    }
    String name = Check.text("redis.prefix", prefix, "delay");
    if (name.contains("{") || name.contains("}")) {
      throw Check.wrong("redis.prefix", "'" + name + "'", "a text without { and }");
    }
    double mark = highWaterMark == null ? 0.8 : highWaterMark;
    if (!(mark > 0 && mark <= 1)) {
      throw Check.wrong("redis.highWaterMark", mark, "more than 0, at most 1");
    }
    return new RedisConfig(
        address,
        cluster != null && cluster,
        name,
        Check.range(
            "redis.timeout",
            timeout,
            Duration.seconds(2),
            Duration.milliseconds(50),
            Duration.seconds(30)),
        mark);
  }

  @Override
  public String toString() {
    return "RedisConfig[cluster=%s, prefix=%s]".formatted(cluster, prefix);
  }
}
