package io.delaybridge.store;

import static io.delaybridge.store.Samples.cancel;
import static io.delaybridge.store.Samples.covered;
import static io.delaybridge.store.Samples.malformed;
import static io.delaybridge.store.Samples.message;
import static io.delaybridge.store.Samples.named;
import static io.delaybridge.store.Samples.retry;
import static io.delaybridge.store.Samples.schedule;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The purposes of an id: replacing and cancelling. */
interface ReplacementPromises extends StoreFixture {

  @ParameterizedTest
  @ValueSource(longs = {5, 10, 90})
  default void aSecondMessageOfAnIdReplacesTheFirstEarlierOrLater(long due) {
    shard().append(schedule(named(1, 10, "a")));

    assertThat(shard().append(schedule(named(101, due, "a"))).count()).isEqualTo(1);

    assertThat(shard().pending()).containsExactly(named(101, due, "a"));
  }

  @Test
  default void ofManyMessagesOfAnIdInOneBatchTheLastStays() {
    shard().append(schedule(named(1, 10, "a")));

    shard()
        .append(
            schedule(named(101, 30, "a")),
            schedule(message(102, 20)),
            schedule(named(103, 20, "a")),
            schedule(named(104, 40, "a")));

    assertThat(shard().pendingOffsets()).containsExactly(102L, 104L);
  }

  @Test
  default void aCancellationRemovesTheMessageOfItsId() {
    shard().append(schedule(named(1, 10, "a")), schedule(named(2, 10, "b")));

    assertThat(shard().append(cancel("a")).count()).isEqualTo(1);

    assertThat(shard().pending()).containsExactly(named(2, 10, "b"));
    assertThat(shard().ids()).containsExactly("b");
  }

  @Test
  default void aCancellationOfAnUnknownIdChangesNothing() {
    shard().append(schedule(named(1, 10, "a")), schedule(message(2, 10)));

    assertThat(shard().append(cancel("unknown"), cancel("A")).count()).isEqualTo(2);

    assertThat(shard().pendingOffsets()).containsExactly(1L, 2L);
  }

  @Test
  default void aCancellationInTheBatchOfItsMessageRemovesIt() {
    shard().append(schedule(named(1, 10, "a")), schedule(message(2, 10)), cancel("a"));

    assertThat(shard().pendingOffsets()).containsExactly(2L);
    assertThat(shard().ids()).isEmpty();
  }

  @Test
  default void anIdMayBeScheduledAgainAfterItsCancellationInTheSameBatch() {
    shard().append(schedule(named(1, 10, "a")));

    shard().append(cancel("a"), schedule(named(101, 5, "a")));

    assertThat(shard().pending()).containsExactly(named(101, 5, "a"));
    shard().append(cancel("a"));
    assertThat(shard().pending()).isEmpty();
  }

  @Test
  default void aMalformedRequestHasNoId() {
    shard().append(schedule(named(1, 10, "a")));

    shard().append(schedule(malformed(101, 5, "a")), cancel("a"));

    assertThat(shard().pending()).containsExactly(malformed(101, 5, "a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "a b\n", "ключ", "\uD83D\uDE00", "\0", "OK", "s", "12345678"})
  default void anyTextMayBeAnId(String id) {
    shard().append(schedule(named(1, 10, id)), schedule(named(2, 10, id + id)));

    assertThat(shard().ids()).containsExactlyInAnyOrder(id, id + id);
    shard().append(schedule(named(101, 5, id)), cancel(id + id));
    assertThat(shard().pending()).containsExactly(named(101, 5, id));
  }

  @Test
  default void aCoveredMessageIsNotStored() {
    assertThat(shard().append(covered(message(1, 10)), covered(named(2, 10, "a"))).count())
        .isZero();

    assertThat(shard().pending()).isEmpty();
  }

  @Test
  default void aCoveredMessageReplacesThePendingOneOfItsId() {
    shard().append(schedule(named(1, 10, "a")), schedule(named(2, 10, "b")));

    shard().append(covered(named(101, 5, "a")));

    assertThat(shard().pendingOffsets()).containsExactly(2L);
  }

  @Test
  default void aCoveredMessageIsWhatItsIdStandsForFromThenOn() {
    shard().append(schedule(named(1, 10, "a")));

    shard().append(covered(named(101, 5, "a")));

    shard().append(schedule(retry(201, 20, "a", 1)), schedule(retry(202, 30, "a", 101)));
    assertThat(shard().pendingOffsets()).containsExactly(202L);
  }
}
