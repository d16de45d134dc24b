package io.delaybridge.bench.faults;

import io.delaybridge.stack.LocalBroker;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The brokers and Redis servers of a row, and anything between them and the bridges. */
interface Servers extends AutoCloseable {
  /**
   * Settings of server.properties that let hundreds of faults fit into minutes. The brokers notice
   * missing members soon. They compact checkpoints soon, as they would between faults that are
   * hours apart. The checkpoints that a broker must load when it starts trigger a problem in Kafka
   * 4.2: see docs/guarantees.md, known holes.
   */
  Map<String, String> QUICK =
      Map.of(
          "group.min.session.timeout.ms", "1000",
          "offsets.topic.segment.bytes", "1048576",
          "log.cleaner.backoff.ms", "1000",
          "log.cleaner.min.cleanable.ratio", "0.1",
          "transaction.abort.timed.out.transaction.cleanup.interval.ms", "500");

  /** Returns a broker with these settings. */
  static LocalBroker broker(Path dir) {
    LocalBroker broker = LocalBroker.at(dir.resolve("kafka"));
    QUICK.forEach(broker::with);
    return broker;
  }

  /** Runs the start actions one after the other; closes the servers if one of them fails. */
  static <S extends Servers> S started(S servers, Runnable... starts) {
    try {
      List.of(starts).forEach(Runnable::run);
      return servers;
    } catch (RuntimeException e) {
      servers.close();
      throw e;
    }
  }

  /** Returns the bootstrap servers for the load and the checker; no fault stands in between. */
  String kafka();

  /** Returns the bootstrap servers for the bridges. */
  default String kafkaOfBridges() {
    return kafka();
  }

  /** Returns the Redis URI for the bridges, in the format of {@code redis.uri}. */
  String redisOfBridges();

  /** Returns whether {@link #redisOfBridges} is a node of a Redis Cluster. */
  default boolean isRedisCluster() {
    return false;
  }

  /**
   * Sends a command to the Redis server that has the key, which is the second word.
   *
   * @return a String, a Long, a List of replies, or null
   */
  @Nullable Object redis(String... words);

  /**
   * Restores everything that is down, frozen or blocked; does nothing where no fault leaves such a
   * state. The runner calls it after the last injection, before it waits for the remaining
   * messages.
   */
  default void heal() {}

  @Override
  void close();
}
