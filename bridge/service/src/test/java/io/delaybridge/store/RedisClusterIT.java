package io.delaybridge.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.message.ShardId;
import io.delaybridge.stack.LocalRedis;
import io.delaybridge.stack.LocalRedisCluster;
import io.delaybridge.store.ShardStore.Shard;
import io.delaybridge.store.redis.RedisAddress;
import io.delaybridge.store.redis.RedisConnection;
import io.delaybridge.store.redis.RedisShardStore;
import io.delaybridge.store.redis.RedisTls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shards that are spread over the nodes of a Redis Cluster. */
class RedisClusterIT {

  private static final int SHARDS = 24;

  @TempDir static Path dir;
  private static LocalRedisCluster cluster;

  @BeforeAll
  static void start() {
    cluster = LocalRedisCluster.at(dir, 3).start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void theFirstCommandForEachNodeIsAnswered() {
    try (RedisShardStore store = new RedisShardStore(connection(), "first")) {
      List<CompletableFuture<ShardStore.Opened>> opened =
          IntStream.range(0, SHARDS).mapToObj(i -> store.open(shard(i))).toList();

      assertThat(opened).allSatisfy(each -> assertThat(each.join().next()).isEqualTo(-1));
    }
  }

  @Test
  void aShardIsWhereItsSlotHasMovedTo() {
    try (RedisShardStore store = new RedisShardStore(connection(), "moved")) {
      Shard shard = shard(0);
      store.open(shard).join();
      store.ingest(shard, -1, 7, List.of()).join();
      int slot = cluster.slot("{moved:%s:0}".formatted(shard.id().topic()));

      cluster.move(slot, (cluster.owner(slot) + 1) % 3);

      await()
          .atMost(Duration.ofSeconds(30))
          .ignoreExceptions()
          .until(() -> store.open(shard).join().next() == 7);
    }
  }

  @Test
  void theFullestMasterCounts() {
    try (RedisConnection connection = connection()) {
      assertThat(connection.memory().use()).isZero();

      cluster.node(1).command("CONFIG", "SET", "maxmemory", "1gb");
      assertThat(connection.memory().max()).isEqualTo(1L << 30);

      cluster.node(2).command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
      assertThat(connection.memory().losesNothing()).isFalse();
    } finally {
      cluster.node(1).command("CONFIG", "SET", "maxmemory", "0");
      cluster.node(2).command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    }
  }

  /** As is a master whose replica has taken over. */
  @Test
  void aMasterThatHasNoSlotsAndIsGoneDoesNotCount() {
    String id;
    try (LocalRedis gone = LocalRedisCluster.node(dir.resolve("gone")).start()) {
      id = String.valueOf(gone.command("CLUSTER", "MYID"));
      cluster.node(0).command("CLUSTER", "MEET", "127.0.0.1", Integer.toString(gone.port()));
      awaitNodes(id, "master -");
    }
    awaitNodes(id, "master,fail -");
    try (RedisConnection connection = connection()) {
      assertThat(connection.memory().use()).isZero();
    } finally {
      IntStream.range(0, 3).forEach(i -> cluster.node(i).command("CLUSTER", "FORGET", id));
    }
  }

  /** Waits until all nodes say this of the node with that id. */
  private static void awaitNodes(String id, String flags) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                IntStream.range(0, 3)
                    .mapToObj(i -> String.valueOf(cluster.node(i).command("CLUSTER", "NODES")))
                    .allMatch(
                        nodes ->
                            nodes.lines().anyMatch(l -> l.startsWith(id) && l.contains(flags))));
  }

  private static Shard shard(int partition) {
    return new Shard(new ShardId("intake", partition), "topic-id");
  }

  private static RedisConnection connection() {
    return new RedisConnection(
        new RedisAddress(cluster.uri(), true, Duration.ofSeconds(5), RedisTls.DEFAULT));
  }
}
