package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.store.RedisServer;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.Vandal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The product's turn on a real Redis whose keys are damaged at random: the delivered messages are
 * the same, to the byte, as without damage. {@code -Ddamage.seeds=} sets the number of seeds,
 * {@code -Ddamage.first=} replays one.
 */
class DamagedShardIT {

  private static final int SEEDS = Integer.getInteger("damage.seeds", 300);
  private static final long FIRST = Long.getLong("damage.first", 1);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private static final int LAST = 1_000;
  private static final int TURNS = 14;
  private static final Duration PAUSE = Duration.ofMillis(300);

  @TempDir static Path dir;
  private static RedisServer redis;
  private static ShardStore shards;

  @BeforeAll
  static void start() {
    redis = RedisServer.start(dir);
    shards = redis.store(TIMEOUT);
  }

  @AfterAll
  static void stop() {
    shards.close();
    redis.close();
  }

  @Test
  void whateverIsDoneToTheKeysWhatArrivesIsRight() {
    int rebuilt = 0;
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      rebuilt += new Run(seed).run();
    }
    assertThat(rebuilt).as("rebuilds in %d runs", SEEDS).isGreaterThan(SEEDS / 2);
  }

  /** A few messages on an intake of their own, and the damage to their shard. */
  private static final class Run extends RuleTest {

    private final long seed;
    private final Random random;
    private final Vandal vandal;
    private final List<String> story = new ArrayList<>();
    private final Map<String, String> expected = new LinkedHashMap<>();
    private int number;

    Run(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
      this.vandal = new Vandal(redis, id(P0), random);
    }

    @Override
    ShardStore shards() {
      return shards;
    }

    /** Returns how often the shard was rebuilt. */
    int run() {
      vandal.wipe();
      exactlyOnce = random.nextInt(4) > 0;
      maxTakeCount = 1 + random.nextInt(6);
      SimBridge bridge = bridge("a");
      act(4 + random.nextInt(12));
      some(bridge);
      damage(1 + random.nextInt(3));
      act(random.nextInt(6));
      some(bridge);
      for (int time = 200; time <= LAST; time += 200) {
        at(time);
        some(bridge);
        damage(random.nextInt(4) == 0 ? 1 : 0);
      }
      some(bridge);
      some(bridge);
      assertThat(delivered())
          .as("seed %d: %s, %s", seed, story, status(bridge))
          .containsExactlyInAnyOrderElementsOf(expected.values());
      assertThat(dead()).as("seed %d: %s", seed, story).isEmpty();
      whatHoldsInEveryTest();
      return bridge.told.refed;
    }

    private void some(SimBridge bridge) {
      for (int i = 0; i < TURNS; i++) {
        bridge.step();
        clock.pass(PAUSE);
      }
    }

    private void damage(int times) {
      for (int i = 0; i < times; i++) {
        story.add(clock.millis() - START + " ms: " + vandal.damage());
      }
    }

    /** All messages are read before any is due. */
    private void act(int times) {
      for (int i = 0; i < times; i++) {
        String value = "value %d of seed %d".formatted(number++, seed);
        String id = random.nextInt(3) == 0 ? null : "id-" + random.nextInt(4);
        if (id != null && random.nextInt(4) == 0) {
          cancel(id);
          expected.remove(id);
        } else {
          schedule(value, 200 + 100L * random.nextInt((LAST - 200) / 100), id);
          expected.put(id == null ? value : id, value);
        }
      }
    }
  }
}
