package io.delaybridge.store;

import static io.delaybridge.store.Samples.message;
import static io.delaybridge.store.Samples.named;
import static io.delaybridge.store.Samples.schedule;
import static io.delaybridge.store.ShardStore.ABSENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.schemas.Reason;
import io.delaybridge.schemas.StoredHeader;
import io.delaybridge.schemas.StoredMessage;
import io.delaybridge.store.ShardStore.Opened;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Promises about a shard as a whole: its owner, its integrity, its ids, its end. */
interface ShardPromises extends StoreFixture {

  @ParameterizedTest
  @EnumSource
  default void aShardOfAnotherTopicIsRefused(Operation operation) {
    shard().append(schedule(named(1, 10, "a")));

    assertThatThrownBy(() -> operation.run(shard().ofTopic("topic-2")))
        .isInstanceOf(StoreException.OtherTopic.class)
        .hasMessageContainingAll("topic-1", "topic-2", shard().shard().id().toString());

    assertThat(shard().open()).isEqualTo(new Opened(100, 0, 1, 1));
    assertThat(shard().pending()).containsExactly(named(1, 10, "a"));
  }

  @ParameterizedTest
  @EnumSource
  default void aDamagedShardIsRefusedUntilItIsDropped(Operation operation) {
    shard().append(schedule(named(1, 10, "a")), schedule(message(2, 10)));
    damage(shard());

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> operation.run(shard()))
          .isInstanceOf(StoreException.Corrupt.class)
          .hasMessageContaining(shard().shard().id().toString());
    }

    shard().drop();
    assertThat(shard().open().next()).isEqualTo(ABSENT);
  }

  @Test
  default void nothingIsLeftOfADroppedShard() {
    shard().append(schedule(named(1, 10, "a")));
    shard().settle(7);

    assertThat(shard().drop()).isEqualTo(3);

    assertThat(shard().open()).isEqualTo(new Opened(ABSENT, 0, 0, 0));
    assertThat(shard().ids()).isEmpty();
    assertThat(shard().drop()).isZero();
  }

  @Test
  default void aShardThatWasDroppedCanBelongToAnotherTopic() {
    shard().append(schedule(named(1, 10, "a")));
    ShardClient anew = shard().ofTopic("topic-2");

    anew.drop();
    anew.append(schedule(message(2, 10)));

    assertThat(anew.pendingOffsets()).containsExactly(2L);
  }

  @Test
  default void droppingAShardDoesNotTouchTheOthers() {
    ShardClient other = shard().ofPartition(1_000_000 + shard().shard().id().partition());
    shard().append(schedule(named(1, 10, "a")));
    other.append(schedule(named(1, 10, "a")));

    other.drop();

    assertThat(shard().pendingOffsets()).containsExactly(1L);
    assertThat(shard().ids()).containsExactly("a");
  }

  @Test
  default void thePagesTogetherHaveEveryId() {
    Entry[] entries =
        LongStream.range(0, 2000)
            .mapToObj(offset -> schedule(named(offset, 10, "id-" + offset)))
            .toArray(Entry[]::new);
    shard().ingest(ABSENT, 2000, entries);

    assertThat(shard().ids())
        .containsExactlyInAnyOrderElementsOf(
            LongStream.range(0, 2000).mapToObj(offset -> "id-" + offset).toList());
  }

  @Test
  default void aShardThatIsAbsentHasNoIds() {
    assertThat(shard().ids()).isEmpty();
    assertThat(shard().sweep("a")).isZero();
    assertThat(shard().drop()).isZero();
  }

  @Test
  default void onlyIdsThatNameNothingAreSwept() {
    shard().append(schedule(named(1, 10, "dangling")), schedule(named(2, 10, "pending")));
    shard().settleKeepingIds(1, named(1, 10, "dangling"));

    assertThat(shard().sweep("dangling", "pending", "unknown")).isEqualTo(1);

    assertThat(shard().ids()).containsExactly("pending");
    assertThat(shard().pendingOffsets()).containsExactly(2L);
    assertThat(shard().sweep("dangling", "pending", "unknown")).isZero();
  }

  @Test
  default void nothingIsSweptInAShardThatIsNotFedThatFar() {
    shard().append(schedule(named(1, 10, "dangling")));
    shard().settleKeepingIds(1, named(1, 10, "dangling"));

    assertThat(shard().sweepFedTo(101, "dangling")).isZero();
    assertThat(shard().sweepFedTo(1000, "dangling")).isZero();
    assertThat(shard().sweepFedTo(100, "dangling")).isEqualTo(1);
  }

  @Test
  default void everyPartOfAMessageComesBackByteForByte() {
    byte[] every = new byte[256];
    for (int i = 0; i < every.length; i++) {
      every[i] = (byte) i;
    }
    byte[] none = {};
    List<StoredHeader> headers =
        List.of(
            new StoredHeader("binary", every),
            new StoredHeader("empty", none),
            new StoredHeader("null", null),
            new StoredHeader("", every),
            new StoredHeader("binary", none));
    StoredMessage[] contents = {
      new StoredMessage(
          every,
          every,
          headers,
          3,
          7,
          99,
          12,
          null,
          null,
          null,
          0,
          StoredMessage.NEAR,
          StoredMessage.SELF),
      new StoredMessage(
          none,
          null,
          List.of(),
          1,
          0,
          StoredMessage.NO_EXPIRY,
          StoredMessage.SELF,
          null,
          null,
          null,
          0,
          StoredMessage.NEAR,
          StoredMessage.SELF),
      new StoredMessage(
          null,
          none,
          headers,
          1,
          0,
          Long.MIN_VALUE,
          0,
          Reason.INVALID_SPREAD,
          "détail",
          null,
          0,
          StoredMessage.NEAR,
          StoredMessage.SELF),
    };
    List<DelayedMessage> messages =
        LongStream.range(0, contents.length)
            .mapToObj(offset -> new DelayedMessage(new Due(10, offset), contents[(int) offset]))
            .toList();

    shard().append(messages.stream().map(Samples::schedule).toArray(Entry[]::new));

    assertThat(shard().pending()).isEqualTo(messages);
    assertThat(Arrays.equals(shard().pending().get(0).content().value(), every)).isTrue();
  }

  @Test
  default void theShareOfMemoryInUseIsAShare() {
    assertThat(ShardClient.await(shard().store().memoryUse())).isBetween(0.0, 1.0);
  }
}
