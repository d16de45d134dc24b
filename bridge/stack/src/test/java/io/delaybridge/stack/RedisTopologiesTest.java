package io.delaybridge.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Setups with more than one Redis. */
class RedisTopologiesTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir Path dir;

  @Test
  void aCopyThatLagsLosesWhatItWasNotTold() {
    try (LocalRedis master = LocalRedis.at(dir.resolve("master")).start();
        TcpProxy link = TcpProxy.to(master.port());
        LocalRedis copy = LocalRedis.at(dir.resolve("copy")).replicaOf(link.port()).start()) {
      await().atMost(LIMIT).until(copy::isInSync);
      master.command("SET", "key", "old");
      await().atMost(LIMIT).until(() -> "old".equals(copy.command("GET", "key")));

      link.refuse();
      master.command("SET", "key", "new");
      master.kill();
      copy.promote();

      assertThat(copy.command("GET", "key")).isEqualTo("old");
      assertThat(copy.command("SET", "key", "newer")).isEqualTo("OK");
    }
  }

  @Test
  void aSlotMovesWithItsKeys() {
    try (LocalRedisCluster cluster = LocalRedisCluster.at(dir, 3).start()) {
      int slot = cluster.slot("{tag}");
      int from = cluster.owner(slot);
      int to = (from + 1) % 3;
      for (int i = 0; i < 250; i++) {
        cluster.node(from).command("SET", "{tag}" + i, "value");
      }

      cluster.move(slot, to);

      assertThat(cluster.owner(slot)).isEqualTo(to);
      assertThat(cluster.node(to).command("CLUSTER", "COUNTKEYSINSLOT", Integer.toString(slot)))
          .isEqualTo(250L);
      assertThatThrownBy(() -> cluster.node(from).command("GET", "{tag}0"))
          .hasMessageContaining("MOVED " + slot);
    }
  }

  @Test
  void sentinelsPutTheCopyInThePlaceOfTheMaster() {
    try (LocalSentinels group = LocalSentinels.at(dir).start()) {
      LocalRedis first = group.master();
      first.command("SET", "key", "value");
      assertThat(first.command("WAIT", "1", "10000")).isEqualTo(1L);

      LocalRedis next = group.failover();

      assertThat(next).isNotSameAs(first);
      assertThat(next.command("GET", "key")).isEqualTo("value");
      assertThat(next.command("SET", "key", "newer")).isEqualTo("OK");
    }
  }
}
