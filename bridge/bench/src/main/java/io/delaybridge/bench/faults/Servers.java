package io.delaybridge.bench.faults;

import io.delaybridge.stack.LocalBroker;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The brokers and Redis servers of a row, and whatever stands between them and the bridges. */
interface Servers extends AutoCloseable {
  /**
   * Settings of server.properties, so that hundreds of faults fit into minutes: who is gone is
   * noticed soon, and checkpoints are compacted soon, as they would be between faults that are
   * hours apart. What a broker has to load of them when it starts is what Kafka 4.2 stumbles over:
   * see docs/guarantees.md, known holes.
   */
  Map<String, String> QUICK =
      Map.of(
          "group.min.session.timeout.ms", "1000",
          "offsets.topic.segment.bytes", "1048576",
          "log.cleaner.backoff.ms", "1000",
          "log.cleaner.min.cleanable.ratio", "0.1",
          "transaction.abort.timed.out.transaction.cleanup.interval.ms", "500");

  /** A broker with these settings. */
  static LocalBroker broker(Path dir) {
    LocalBroker broker = LocalBroker.at(dir.resolve("kafka"));
    QUICK.forEach(broker::with);
    return broker;
  }

  /** Does what starts them, one after the other; closes them if one does not start. */
  static <S extends Servers> S started(S servers, Runnable... starts) {
    try {
      List.of(starts).forEach(Runnable::run);
      return servers;
    } catch (RuntimeException e) {
      servers.close();
      throw e;
    }
  }

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
   * Brings back whatever is down, frozen or in the way; nothing where no fault leaves anything like
   * that. Called after the last injection, and before everything is expected to come to its end.
   */
  default void heal() {}

  @Override
  void close();
}
