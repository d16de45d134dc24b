package io.delaybridge.bench.faults;

import org.jspecify.annotations.Nullable;

/** The brokers and Redis servers of a row, and whatever stands between them and the bridges. */
interface Servers extends AutoCloseable {

  /** Where the load and the checker find Kafka; no fault stands in between. */
  String kafka();

  /** Where the bridges find Kafka. */
  default String kafkaOfBridges() {
    return kafka();
  }

  /** Where the bridges find Redis: a URI as {@code redis.uri} takes it. */
  String redisOfBridges();

  /** True if that is a node of a Redis Cluster. */
  default boolean isRedisCluster() {
    return false;
  }

  /**
   * Sends a command to the Redis that has the key, which is the second word.
   *
   * @return a String, a Long, a List of replies, or null
   */
  @Nullable Object redis(String... words);

  /**
   * Brings back whatever is down, frozen or in the way. Called after the last injection, and before
   * everything is expected to come to its end.
   */
  void heal();

  @Override
  void close();
}
