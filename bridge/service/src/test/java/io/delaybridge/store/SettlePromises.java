package io.delaybridge.store;

import static io.delaybridge.store.Samples.cancel;
import static io.delaybridge.store.Samples.message;
import static io.delaybridge.store.Samples.named;
import static io.delaybridge.store.Samples.retry;
import static io.delaybridge.store.Samples.schedule;
import static io.delaybridge.store.ShardStore.ABSENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.Due;
import io.delaybridge.store.ShardStore.Opened;
import io.delaybridge.store.ShardStore.Settled;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The data that settling removes once Kafka has the messages, and the data that must stay. */
interface SettlePromises extends StoreFixture {

  @Test
  default void whatIsBelowAKeyIsGone() {
    shard()
        .append(
            schedule(named(1, 10, "a")),
            schedule(message(2, 20)),
            schedule(message(3, 20)),
            schedule(message(4, 20)),
            schedule(named(5, 30, "b")),
            schedule(message(6, 5)));

    assertThat(shard().settleBelow(3, 100, new Due(20, 3), named(1, 10, "a"))).isEqualTo(3);

    assertThat(shard().pendingOffsets()).containsExactly(3L, 4L, 5L);
    assertThat(shard().ids()).containsExactly("b");
    assertThat(shard().open()).isEqualTo(new Opened(100, 3, 3, 1));
  }

  @Test
  default void aKeyThatNothingHasSettlesAllTheSame() {
    shard().append(schedule(message(1, 10)), schedule(message(2, 20)), schedule(message(3, 30)));

    assertThat(shard().settleBelow(1, 100, new Due(20, 0))).isEqualTo(2);
    assertThat(shard().settleBelow(1, 100, new Due(20, 3))).isEqualTo(1);
    assertThat(shard().settleBelow(1, 101, Due.NEVER)).isZero();
  }

  @Test
  default void amongManyOfOneDueTimeTheKeyIsFound() {
    Entry[] entries =
        LongStream.range(0, 1000)
            .mapToObj(offset -> schedule(message(offset, 10)))
            .toArray(Entry[]::new);
    shard().ingest(ABSENT, 1000, entries);

    for (long offset = 1; offset <= 1000; offset += 111) {
      shard().settleBelow(1, 1000, new Due(10, offset));

      assertThat(shard().take(10, 1, 1).first()).isEqualTo(keyOrNever(offset + 1));
      assertThat(shard().open().count()).isEqualTo(1000 - offset);
    }
  }

  private static Due keyOrNever(long offset) {
    return offset < 1000 ? new Due(10, offset) : Due.NEVER;
  }

  @Test
  default void aPairDoesNotSpeakOfWhatCameLater() {
    shard().append(schedule(named(1, 10, "a")));
    shard().append(schedule(message(101, 5)));

    assertThat(shard().settleBelow(1, 100, Due.NEVER, named(1, 10, "a"))).isEqualTo(2);

    assertThat(shard().pendingOffsets()).containsExactly(101L, 1L);
    assertThat(shard().ids()).containsExactly("a");
    assertThat(shard().settleBelow(1, 200, Due.NEVER)).isZero();
  }

  @Test
  default void aPairSpeaksOfAShardThatFellBack() {
    shard().append(schedule(message(1, 10)));

    assertThat(shard().settleBelow(1, 5000, Due.NEVER)).isZero();
  }

  @Test
  default void settledMessagesAreGone() {
    shard().append(schedule(message(1, 10)), schedule(message(2, 10)), schedule(message(3, 10)));

    assertThat(shard().settle(1, message(1, 10), message(3, 10))).isEqualTo(1);

    assertThat(shard().pendingOffsets()).containsExactly(2L);
    assertThat(shard().open()).isEqualTo(new Opened(100, 1, 1, 0));
  }

  @Test
  default void settlingTwiceIsHarmless() {
    shard().append(schedule(named(1, 10, "a")), schedule(message(2, 10)));
    shard().settle(1, named(1, 10, "a"));

    assertThat(shard().settle(1, named(1, 10, "a"))).isEqualTo(1);

    assertThat(shard().pendingOffsets()).containsExactly(2L);
    assertThat(shard().open()).isEqualTo(new Opened(100, 1, 1, 0));
  }

  @Test
  default void settlingAMessageThatIsNotThereIsHarmless() {
    shard().append(schedule(named(1, 10, "a")));

    assertThat(shard().settle(1, message(7, 10), named(8, 10, "a"), named(9, 1, "b"))).isEqualTo(1);

    assertThat(shard().pendingOffsets()).containsExactly(1L);
    assertThat(shard().ids()).containsExactly("a");
  }

  @Test
  default void theIdOfASettledMessageIsFree() {
    shard().append(schedule(named(1, 10, "a")), schedule(named(2, 10, "b")));

    shard().settle(1, named(1, 10, "a"));

    assertThat(shard().ids()).containsExactly("b");
  }

  @Test
  default void theIdOfASettledRetryIsFree() {
    shard().append(schedule(named(1, 10, "a")));
    shard().append(schedule(retry(101, 20, "a", 1)));

    shard().settle(1, retry(101, 20, "a", 1));

    assertThat(shard().ids()).isEmpty();
  }

  @Test
  default void anIdThatLivesOnStays() {
    shard().append(schedule(named(1, 10, "a")));

    assertThat(shard().settleKeepingIds(1, named(1, 10, "a"))).isZero();

    assertThat(shard().ids()).containsExactly("a");
  }

  @Test
  default void anIdThatStandsForALaterMessageStays() {
    shard().append(schedule(named(1, 10, "a")));
    shard().append(schedule(named(101, 20, "a")));

    assertThat(shard().settle(1, named(1, 10, "a"))).isEqualTo(1);

    shard().append(cancel("a"));
    assertThat(shard().pending()).isEmpty();
  }

  @Test
  default void settlingCreatesNoShard() {
    assertThat(shard().settle(7, named(1, 10, "a"))).isZero();
    assertThat(shard().settle(7)).isZero();

    assertThat(shard().open()).isEqualTo(new Opened(ABSENT, 0, 0, 0));
    assertThat(shard().drop()).isZero();
  }

  @Test
  default void theSequenceNumberOnlyRises() {
    shard().append();
    shard().settle(9, message(1, 10));
    assertThat(shard().open().seq()).isEqualTo(9);

    shard().settle(8, message(1, 10));
    assertThat(shard().open().seq()).isEqualTo(9);

    shard().settle(10, message(1, 10));
    assertThat(shard().open().seq()).isEqualTo(10);
  }

  @Test
  default void anIngestKeepsTheSequenceNumber() {
    shard().append();
    shard().settle(9, message(1, 10));

    shard().append(schedule(message(101, 10)));

    assertThat(shard().open()).isEqualTo(new Opened(200, 9, 1, 0));
  }

  @Test
  default void settlingNothingTellsWhatIsLeftAndTakesTheSequenceNumber() {
    shard().append(schedule(message(1, 10)));

    assertThat(shard().settle(4)).isEqualTo(1);
    assertThat(shard().open().seq()).isEqualTo(4);
  }

  @Test
  default void manyMessagesAreSettledAtOnce() {
    Entry[] entries =
        LongStream.range(0, 1700)
            .mapToObj(offset -> schedule(named(offset, 10, "id-" + offset)))
            .toArray(Entry[]::new);
    shard().ingest(ABSENT, 1700, entries);
    List<Settled> most =
        LongStream.range(1, 1699)
            .mapToObj(offset -> new Settled(named(offset, 10, "id-" + offset), offset % 2 == 0))
            .toList();

    assertThat(shard().settle(3, most)).isEqualTo(2);

    assertThat(shard().pendingOffsets()).containsExactly(0L, 1699L);
    assertThat(shard().ids()).hasSize(2 + 849);
  }
}
