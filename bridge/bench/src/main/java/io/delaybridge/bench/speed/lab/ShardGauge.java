package io.delaybridge.bench.speed.lab;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** A gauge of the state of a bridge in Redis, with one connection and a few commands. */
public final class ShardGauge implements AutoCloseable {

  private static final long ASK_EVERY_MS = 5;

  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  private final List<String> tags;

  /** Creates a gauge of the bridge with this prefix. */
  public ShardGauge(String redisUri, String prefix, String intake, int partitions) {
    client = RedisClient.create(redisUri);
    connection = client.connect();
    tags =
        IntStream.range(0, partitions)
            .mapToObj(p -> "{" + prefix + ":" + intake + ":" + p + "}")
            .toList();
  }

  /** Returns the number of stored intake offsets, over all partitions. */
  public long stored() {
    return sum("next");
  }

  /** Returns the number of messages in Redis, as the scripts count them. */
  public long pending() {
    return sum("count");
  }

  /**
   * Waits until that many offsets are stored; the span is from the first observed growth to the
   * last.
   */
  public Span awaitStored(long until, Duration limit) {
    Growth seen = Growth.await(this::stored, until, ASK_EVERY_MS, limit, "stored");
    return new Span(seen.last() - seen.first() + 1, seen.firstMs(), seen.lastMs());
  }

  /** Waits until Redis holds no message. */
  public void awaitEmpty(Duration limit) {
    awaitPending(0, limit);
  }

  /** Waits until Redis holds no more messages than that. */
  public void awaitPending(long most, Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (pending() > most) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "%d messages are in Redis, expected %d".formatted(pending(), most));
      }
      Lab.pause(ASK_EVERY_MS);
    }
  }

  /** Returns the sum of a field over all shards; a shard with nothing stored has no such key. */
  private long sum(String field) {
    return tags.stream()
        .map(tag -> connection.async().hmget(tag + ":meta", "topic", field))
        .toList()
        .stream()
        .map(Lab::get)
        .filter(meta -> meta.get(0).hasValue())
        .mapToLong(
            meta ->
                Long.parseLong(
                    meta.get(1)
                        .getValueOrElseThrow(
                            () -> new IllegalStateException("meta has no '" + field + "'"))))
        .sum();
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}
