package io.delaybridge.config;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.delaybridge.store.redis.RedisAddress;
import io.delaybridge.store.redis.RedisTls;
import io.delaybridge.store.redis.SentinelLogin;
import io.dropwizard.util.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the connection to Redis.
 *
 * @param uri {@code redis://}, {@code rediss://} or {@code redis-sentinel://}, with password and
 *     database where needed
 * @param cluster whether the server is a node of a Redis Cluster
 * @param prefix first part of every key
 * @param timeout for connecting and for each command
 * @param tls for an address with {@code rediss}
 * @param sentinel for an address of Sentinels
 * @param highWaterMark share of Redis' memory limit above which the intake pauses
 */
public record RedisConfig(
    String uri,
    boolean cluster,
    String prefix,
    Duration timeout,
    double highWaterMark,
    RedisTls tls,
    SentinelLogin sentinel) {

  private static final String FORMS =
      "redis://host:port; redis-sentinel://host:port,host:port#master; redis://host:port,host:port"
          + " for a cluster; rediss:// or rediss-sentinel:// for TLS";

  /** Defaults and checks. */
  @JsonCreator
  public static RedisConfig of(
      @JsonProperty("uri") @Nullable String uri,
      @JsonProperty("cluster") @Nullable Boolean cluster,
      @JsonProperty("prefix") @Nullable String prefix,
      @JsonProperty("timeout") @Nullable Duration timeout,
      @JsonProperty("highWaterMark") @Nullable Double highWaterMark,
      @JsonProperty("tls") @Nullable RedisTls tls,
      @JsonProperty("sentinel") @Nullable SentinelLogin sentinel) {
    String address = Check.text("redis.uri", uri, "redis://127.0.0.1:6379");
    String name = Check.text("redis.prefix", prefix, "delay");
    if (name.contains("{") || name.contains("}")) {
      throw Check.wrong("redis.prefix", "'" + name + "'", "a text without { and }");
    }
    double mark = highWaterMark == null ? 0.8 : highWaterMark;
    if (!(mark > 0 && mark <= 1)) {
      throw Check.wrong("redis.highWaterMark", mark, "more than 0, at most 1");
    }
    RedisConfig config =
        new RedisConfig(
            address,
            cluster != null && cluster,
            name,
            Check.range(
                "redis.timeout",
                timeout,
                Duration.seconds(2),
                Duration.milliseconds(50),
                Duration.seconds(30)),
            mark,
            tls == null ? RedisTls.DEFAULT : tls,
            sentinel == null ? SentinelLogin.NONE : sentinel);
    config.checkAddress();
    return config;
  }

  /** The message leaves out the address and the cause, because they may hold a password. */
  private void checkAddress() {
    Optional<String> fault = address().fault();
    if (fault.isPresent()) {
      throw new IllegalArgumentException(
          "redis.uri is not valid (%s), allowed: %s".formatted(fault.get(), FORMS));
    }
  }

  /** Returns the same as an address, for the code that connects. */
  public RedisAddress address() {
    return new RedisAddress(uri, cluster, timeout.toJavaDuration(), tls, sentinel);
  }

  @Override
  public String toString() {
    return "RedisConfig[cluster=%s, prefix=%s]".formatted(cluster, prefix);
  }
}
