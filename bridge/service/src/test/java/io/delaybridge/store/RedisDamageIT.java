package io.delaybridge.store;

import static io.delaybridge.store.Samples.message;
import static io.delaybridge.store.Samples.named;
import static io.delaybridge.store.Samples.schedule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.store.ShardStore.Named;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Damage of the keys is found before anything is written, and never leads to a wrong message. The
 * shard has the messages 1 (id a), 2 and 3, all of them due.
 */
class RedisDamageIT {

  @TempDir static Path dir;
  private static RedisServer redis;

  private ShardClient shard;
  private RawShard keys;

  @BeforeAll
  static void start() {
    redis = RedisServer.start(dir);
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @BeforeEach
  void fill() {
    shard = new ShardClient(redis.store, ShardStoreContract.newShard());
    keys = redis.keys(shard);
    shard.append(schedule(named(1, 10, "a")), schedule(message(2, 10)), schedule(message(3, 10)));
  }

  @Test
  void aMessageThatIsGone() {
    redis.raw.zrem(keys.pending(), keys.member(2));

    assertEveryOperationIsRefused();
  }

  @Test
  void aMessageThatNobodyCounted() {
    redis.raw.zadd(keys.pending(), 0, RawShard.member(10, 7, new byte[0]));

    assertEveryOperationIsRefused();
  }

  @Test
  void aShardOfTheFirstLayoutIsRefusedAndLeavesNothingBehind() {
    redis.raw.del(keys.pending());
    redis.raw.zadd(keys.key("due"), 10, offset(1));
    redis.raw.hset(keys.key("msg"), offset(1), Samples.utf8("old"));

    assertEveryOperationIsRefused();

    assertThat(shard.drop()).isEqualTo(4);
    assertThat(redis.raw.exists(keys.key("due"), keys.key("msg"))).isZero();
  }

  @Test
  void aShardOfTheSecondLayoutIsRefused() {
    for (long offset = 1; offset <= 3; offset++) {
      byte[] stored = keys.stored(offset);
      redis.raw.zrem(keys.pending(), keys.member(offset));
      redis.raw.zadd(keys.pending(), 10, concat(offset(offset), stored));
    }

    assertEveryOperationIsRefused();
  }

  /**
   * A late script of an earlier release must not accept a shard as its own, and we must not accept
   * one of that release.
   */
  @Test
  void theCheckOfAnEarlierLayoutIsAnother() throws NoSuchAlgorithmException {
    StringBuilder meta = new StringBuilder();
    for (String field : List.of("topic", "next", "seq", "count")) {
      byte[] value = redis.raw.hget(keys.meta(), Samples.utf8(field));
      meta.append(new String(value, StandardCharsets.UTF_8)).append(' ');
    }
    byte[] sha = MessageDigest.getInstance("SHA-1").digest(Samples.utf8(meta + "1"));
    String check = HexFormat.of().formatHex(sha).substring(0, 8);
    assertThat(redis.raw.hget(keys.meta(), Samples.utf8("check")))
        .isNotEqualTo(Samples.utf8(check));

    redis.raw.hset(keys.meta(), Samples.utf8("check"), Samples.utf8(check));

    assertEveryOperationIsRefused();
  }

  private static byte[] offset(long offset) {
    return ByteBuffer.allocate(Long.BYTES).putLong(offset).array();
  }

  private static byte[] concat(byte[] first, byte[] second) {
    return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
  }

  @ParameterizedTest
  @ValueSource(strings = {"pending", "meta"})
  void aKeyThatIsGone(String name) {
    redis.raw.del(keys.key(name));

    assertEveryOperationIsRefused();
  }

  @Test
  void onlyIdsAreLeft() {
    redis.raw.del(keys.pending(), keys.meta());

    assertEveryOperationIsRefused();
  }

  @ParameterizedTest
  @ValueSource(strings = {"pending", "ids", "meta", "repeats"})
  void aKeyOfAnotherType(String name) {
    redis.raw.del(keys.key(name));
    redis.raw.set(keys.key(name), Samples.utf8("text"));

    assertEveryOperationIsRefused();
  }

  @Test
  void idsOfAnotherTypeCanNotBeListed() {
    redis.raw.del(keys.ids());
    redis.raw.set(keys.ids(), Samples.utf8("text"));

    assertThatThrownBy(shard::ids).isInstanceOf(StoreException.Corrupt.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"topic", "next", "seq", "count", "check"})
  void aFieldOfTheMetaDataThatIsGone(String field) {
    redis.raw.hdel(keys.meta(), Samples.utf8(field));

    assertEveryOperationIsRefused();
  }

  @Test
  void theTopicAndThePositionThatAreGoneTogether() {
    redis.raw.hdel(keys.meta(), Samples.utf8("topic"), Samples.utf8("next"));
    redis.raw.del(keys.ids());

    assertEveryOperationIsRefused();
  }

  @ParameterizedTest
  @CsvSource({
    "next,-1",
    "next,-5",
    "next,''",
    "next,nil",
    "next,1e5",
    "next,99999999999999999999",
    "seq,-1",
    "seq,''",
    "seq,text",
    "seq,0x10",
    "seq,1.5",
    "count,''",
    "count,2",
    "count,4",
    "count,03",
    "count,3.0",
    "index,''",
    "index,3",
    "index,text",
    "far,-1",
    "far,''",
    "far,1.5"
  })
  void aFieldOfTheMetaDataThatIsNoSuchNumber(String field, String value) {
    redis.raw.hset(keys.meta(), Samples.utf8(field), Samples.utf8(value));

    assertEveryOperationIsRefused();
  }

  @ParameterizedTest
  @EnumSource
  void aShardThatIsAllButEmpty(Operation operation) {
    redis.raw.del(keys.pending(), keys.ids());
    redis.raw.hset(keys.meta(), Samples.utf8("count"), Samples.utf8("0"));
    redis.raw.hdel(keys.meta(), Samples.utf8("next"));

    assertThatThrownBy(() -> operation.run(shard)).isInstanceOf(StoreException.Corrupt.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "text", "\u0001\u00ff", "\u0002"})
  void aPayloadThatIsNoMessage(String payload) {
    keys.replace(2, RawShard.member(10, 2, Samples.utf8(payload)));

    assertTakeIsRefused();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "1234567", "1234567890123"})
  void aMemberThatHasNoKey(String member) {
    keys.replace(2, Samples.utf8(member));

    assertTakeIsRefused();
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, 100, Long.MAX_VALUE})
  void anOffsetThatTheIntakeDoesNotHaveIsNoEndOfATake(long offset) {
    keys.replace(3, RawShard.member(50, offset, keys.stored(3)));

    assertTakeIsRefused();
  }

  @Test
  void aMemberWithoutBytesIsNotTakenForTheEnd() {
    keys.replace(2, new byte[0]);

    assertThatThrownBy(() -> shard.take(0)).isInstanceOf(StoreException.Corrupt.class);
  }

  /** Otherwise each take that ends between the two would deliver the first of them. */
  @Test
  void twoMessagesWithOneKeyOfWhichOneIsTaken() {
    keys.replace(3, RawShard.member(10, 2, concat(keys.stored(2), new byte[] {1})));

    assertThatThrownBy(() -> shard.take(20, 2, 1_000)).isInstanceOf(StoreException.Corrupt.class);
    assertThat(shard.take(20, 1, 1_000).messages()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(doubles = {10, 0.5, -1, -1e300, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY})
  void aScoreThatIsNotZero(double score) {
    redis.raw.zadd(keys.pending(), score, keys.member(2));

    assertEveryOperationIsRefused();
  }

  @ParameterizedTest
  @CsvSource({
    "next,150",
    "next,0",
    "seq,7",
    "topic,other",
    "check,00000000",
    "index,0",
    "index,1",
    "index,2",
    "far,0",
    "far,1"
  })
  void aFieldOfTheMetaDataThatIsPlausibleAndWrong(String field, String value) {
    redis.raw.hset(keys.meta(), Samples.utf8(field), Samples.utf8(value));

    for (Operation operation : Operation.values()) {
      assertThatThrownBy(() -> operation.run(shard))
          .as(operation.name())
          .isInstanceOfAny(StoreException.Corrupt.class, StoreException.OtherTopic.class);
    }
  }

  @Test
  void aByteOfAPayloadThatIsChanged() {
    byte[] member = keys.member(2);
    member[member.length - 1] ^= 1;
    keys.replace(2, member);

    assertTakeIsRefused();
  }

  @Test
  void payloadsThatAreSwapped() {
    byte[] two = keys.stored(2);
    byte[] three = keys.stored(3);
    keys.replace(2, RawShard.member(10, 2, three));
    keys.replace(3, RawShard.member(10, 3, two));

    assertTakeIsRefused();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 9, 11, 20})
  void aDueTimeThatIsPlausibleAndWrong(long due) {
    keys.replace(2, RawShard.member(due, 2, keys.stored(2)));

    assertTakeIsRefused();
  }

  @Test
  void aMessageThatItsIdDoesNotName() {
    redis.raw.hdel(keys.ids(), Samples.utf8("a"));

    assertTakeIsRefused();
  }

  @Test
  void anIdThatStandsForAnotherMessage() {
    byte[] entry = redis.raw.hget(keys.ids(), Samples.utf8("a"));
    redis.raw.hset(keys.ids(), Samples.utf8("b"), entry);

    assertThatThrownBy(() -> shard.append(Samples.cancel("b")))
        .isInstanceOf(StoreException.Corrupt.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 127, 128, 256})
  void anIdOfAnyLengthIsFoundInItsMessage(int length) {
    String id = "i".repeat(length);
    shard.append(schedule(named(101, 10, id)));

    shard.append(schedule(named(201, 10, id)));
    assertThat(shard.append(Samples.cancel(id)).count()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "123456781234567812345", "12345678123456781234567"})
  void anIdThatStandsForNoOffset(String entry) {
    redis.raw.hset(keys.ids(), Samples.utf8("a"), Samples.utf8(entry));

    assertThatThrownBy(() -> shard.append(Samples.cancel("a")))
        .isInstanceOf(StoreException.Corrupt.class);
    assertThatThrownBy(() -> shard.append(schedule(named(101, 10, "a"))))
        .isInstanceOf(StoreException.Corrupt.class);
  }

  /**
   * Otherwise a copy of a cancelled message would live, or a live copy would be taken for
   * cancelled.
   */
  @ParameterizedTest
  @CsvSource({"index,0", "index,2", "index,", "far,0", "far,2", "far,"})
  void whatMetaSaysOfWhatIsFar(String field, @Nullable String value) {
    shard.recall(0, new Named("b", 50));
    shard.append(schedule(named(101, 10, "c")));
    assertThat(shard.judge(List.of(new Named("b", 50))).alive()).containsExactly(true);
    if (value == null) {
      redis.raw.hdel(keys.meta(), Samples.utf8(field));
    } else {
      redis.raw.hset(keys.meta(), Samples.utf8(field), Samples.utf8(value));
    }

    assertEveryOperationIsRefused();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "123456781234567812345", "12345678123456781234567"})
  void anIdThatStandsForNoOffsetIsNotJudged(String entry) {
    redis.raw.hset(keys.ids(), Samples.utf8("a"), Samples.utf8(entry));

    assertThatThrownBy(() -> shard.judge(List.of(new Named("a", 1))))
        .isInstanceOf(StoreException.Corrupt.class);
    assertThatThrownBy(() -> shard.recall(0, new Named("a", 1)))
        .isInstanceOf(StoreException.Corrupt.class);
  }

  @Test
  void aMessageOfAnotherIdIsNotReplacedByACopy() {
    shard.append(schedule(named(101, 10, "b")));
    byte[] entry = redis.raw.hget(keys.ids(), Samples.utf8("a"));
    redis.raw.hset(keys.ids(), Samples.utf8("b"), entry);

    assertThatThrownBy(() -> shard.recall(0, new Named("b", 150)))
        .isInstanceOf(StoreException.Corrupt.class)
        .hasMessageContaining("of another id");
  }

  private void assertEveryOperationIsRefused() {
    String before = keys.contents();
    for (Operation operation : Operation.values()) {
      assertThatThrownBy(() -> operation.run(shard))
          .as(operation.name())
          .isInstanceOf(StoreException.Corrupt.class);
    }
    assertThat(keys.contents()).isEqualTo(before);
  }

  private void assertTakeIsRefused() {
    assertThatThrownBy(() -> shard.take(20)).isInstanceOf(StoreException.Corrupt.class);
  }
}
