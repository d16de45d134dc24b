package io.delaybridge.store;

import static io.delaybridge.store.Samples.cancel;
import static io.delaybridge.store.Samples.far;
import static io.delaybridge.store.Samples.message;
import static io.delaybridge.store.Samples.named;
import static io.delaybridge.store.Samples.schedule;
import static io.delaybridge.store.ShardStore.ABSENT;
import static io.delaybridge.store.ShardStore.NOT_OWNER;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.store.ShardStore.Index;
import io.delaybridge.store.ShardStore.Named;
import io.delaybridge.store.ShardStore.Opened;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract on a real Redis, and the promises about its keys. */
class RedisShardStoreIT extends ShardStoreContract {

  @TempDir static Path dir;
  private static RedisServer redis;

  @BeforeAll
  static void start() {
    redis = RedisServer.start(dir);
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @Override
  ShardStore store() {
    return redis.store;
  }

  @Override
  public void damage(ShardClient shard) {
    RawShard keys = redis.keys(shard);
    redis.raw.zrem(keys.pending(), keys.member(shard.pendingOffsets().get(0)));
  }

  @Test
  void aShardIsThreeKeysWithOneHashTagThatNeverExpire() {
    redis.process.command("FLUSHALL");
    shard().append(schedule(named(1, 10, "a")), schedule(message(2, 10)));
    shard().append(cancel("a"), schedule(named(101, 20, "b")));
    shard().settle(3, message(2, 10));

    String tag = "{bridge:delay-intake:" + shard().shard().id().partition() + "}";
    RawShard keys = redis.keys(shard());
    assertThat(redis.raw.keys("*"))
        .extracting(String::new)
        .containsExactlyInAnyOrder(tag + ":pending", tag + ":ids", tag + ":meta");
    assertThat(redis.raw.keys("*"))
        .allSatisfy(key -> assertThat(redis.raw.pttl(key)).isEqualTo(-1));
    byte[] member = keys.member(101);
    assertThat(member).startsWith(RawShard.member(20, 101, new byte[0]));
    assertThat(redis.raw.zscore(keys.pending(), member)).isZero();
    assertThat(redis.raw.hget(keys.ids(), Samples.utf8("b"))).hasSize(22);
    assertThat(redis.raw.hgetall(keys.meta()).keySet())
        .extracting(String::new)
        .containsExactlyInAnyOrder("topic", "next", "seq", "count", "check", "owner");
  }

  /**
   * A sweep that its owner sent before it opened the shard again must not take place afterwards.
   */
  @Test
  void aShardThatIsOpenedAgainHasAnotherOwner() {
    shard().append(schedule(message(1, 10)));
    byte[] meta = redis.keys(shard()).meta();
    byte[] before = redis.raw.hget(meta, Samples.utf8("owner"));

    shard().open();

    assertThat(redis.raw.hget(meta, Samples.utf8("owner"))).isNotEqualTo(before);
  }

  @Test
  void whatIsFarIsAnEntryWithAKeyThatNoMessageHas() {
    shard().append(schedule(far(258, 5, 900, "a")));
    shard().settleKeepingIds(1, far(258, 5, 900, "a"));
    shard().recall(0, new Named("b", 3, 17));

    RawShard keys = redis.keys(shard());
    assertThat(entry(keys, "a")).isEqualTo("0000000000000102ffffffffffff7fffffffffffffff");
    assertThat(entry(keys, "b")).isEqualTo("0000000000000003ffffffffffff0000000000000011");
    assertThat(meta(keys, "index")).isEqualTo("1");
    assertThat(meta(keys, "far")).isEqualTo("2");

    shard().append(cancel("b", 359));
    assertThat(entry(keys, "b")).isEqualTo("00000000000001670000000000000000000000000167");
    shard().complete(0);
    assertThat(meta(keys, "index")).isEqualTo("2");
    assertThat(meta(keys, "far")).isEqualTo("1");
  }

  private static String entry(RawShard keys, String id) {
    return HexFormat.of().formatHex(redis.raw.hget(keys.ids(), Samples.utf8(id)));
  }

  private static String meta(RawShard keys, String field) {
    return new String(redis.raw.hget(keys.meta(), Samples.utf8(field)), StandardCharsets.UTF_8);
  }

  @Test
  void onlyWhoOpenedTheShardLastRecallsAndCompletesItsIndex() {
    shard().open();
    shard().recall(ABSENT, 7, false, List.of());
    try (ShardStore other = redis.store(Duration.ofSeconds(10))) {
      ShardClient second = new ShardClient(other, shard().shard());
      assertThat(second.recall(7, 7, true, List.of())).isEqualTo(ABSENT);
      second.open();

      assertThat(shard().recall(7, 7, true, List.of())).isEqualTo(ABSENT);
      assertThat(second.recall(7, 7, true, List.of())).isEqualTo(7);
      assertThat(shard().complete(7)).isFalse();
      assertThat(second.complete(7)).isTrue();
      assertThat(shard().complete(7)).isTrue();
    }
  }

  /** What a former owner settles late says nothing about a shard that is fed again. */
  @Test
  void onlyWhoOpenedTheShardLastRaisesTheSequenceNumber() {
    shard().append(schedule(message(1, 10)));
    try (ShardStore other = redis.store(Duration.ofSeconds(10))) {
      ShardClient second = new ShardClient(other, shard().shard());
      assertThat(second.open().seq()).isZero();

      assertThat(shard().settle(5, message(1, 10))).isZero();
      shard().place(6);
      assertThat(second.open().seq()).isZero();

      second.settle(7);
      assertThat(second.open().seq()).isEqualTo(7);
    }
  }

  /** Redis may have forgotten who opened the shard last. That one knows more than the owner. */
  @Test
  void nothingIsSweptOnceSomebodyElseHasWritten() {
    shard().append(schedule(named(1, 10, "dangling")));
    shard().settleKeepingIds(1, named(1, 10, "dangling"));
    try (ShardStore other = redis.store(Duration.ofSeconds(10))) {
      ShardClient second = new ShardClient(other, shard().shard());
      second.settle(0);
      assertThat(shard().sweep("dangling")).isEqualTo(NOT_OWNER);
      assertThat(second.sweep("dangling")).isEqualTo(NOT_OWNER);

      long next = shard().open().next();
      second.ingest(next, next + 1, schedule(message(next, 10)));
      assertThat(shard().sweep("dangling")).isEqualTo(NOT_OWNER);

      shard().settle(2);
      assertThat(shard().open().seq()).as("it is still the owner").isEqualTo(2);
      assertThat(shard().sweep("dangling")).isOne();
    }
  }

  @Test
  void copiesOfManyPagesAreRecalledByARedisThatKnowsNoScript() {
    Named[] copies =
        IntStream.range(0, 1700).mapToObj(i -> new Named("id-" + i, i)).toArray(Named[]::new);
    redis.process.command("SCRIPT", "FLUSH");

    assertThat(shard().recall(7, copies)).isEqualTo(7);

    redis.process.command("SCRIPT", "FLUSH");
    assertThat(shard().open()).isEqualTo(new Opened(7, 0, 0, 1700, Index.RECALLED, 1700));
    assertThat(shard().judge(List.of(copies)).alive()).hasSize(1700).doesNotContain(false);
  }

  @Test
  void scriptsThatRedisHasForgottenAreGivenToItAgain() {
    for (Operation operation : Operation.values()) {
      redis.process.command("SCRIPT", "FLUSH");
      operation.run(shard());
    }

    redis.process.command("SCRIPT", "FLUSH");
    assertThat(shard().append(schedule(message(1, 10))).applied()).isTrue();
    redis.process.command("SCRIPT", "FLUSH");
    assertThat(shard().settle(1, message(1, 10))).isZero();
  }

  @Test
  void aBatchOfManyPartsIsStoredWholeByARedisThatKnowsNoScript() {
    Entry[] entries =
        LongStream.range(0, 1700)
            .mapToObj(offset -> schedule(message(offset, 10)))
            .toArray(Entry[]::new);
    shard().ingest(ShardStore.ABSENT, 0);
    redis.process.command("SCRIPT", "FLUSH");

    assertThat(shard().ingest(0, 1700, entries).count()).isEqualTo(1700);
    assertThat(shard().pending()).hasSize(1700);
  }

  @Test
  void memoryInUseIsMeasuredAgainstTheLimit() {
    redis.process.command("CONFIG", "SET", "maxmemory", "10gb");
    try {
      assertThat(ShardClient.await(store().memoryUse())).isGreaterThan(0).isLessThan(0.5);
    } finally {
      redis.process.command("CONFIG", "SET", "maxmemory", "0");
    }
  }
}
