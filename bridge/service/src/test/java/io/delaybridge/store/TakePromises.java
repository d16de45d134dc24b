package io.delaybridge.store;

import static io.delaybridge.store.Samples.message;
import static io.delaybridge.store.Samples.named;
import static io.delaybridge.store.Samples.schedule;
import static io.delaybridge.store.Samples.sized;
import static io.delaybridge.store.ShardStore.ABSENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.schemas.StoredMessageCodec;
import io.delaybridge.store.ShardStore.Taken;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages that a take returns, their order and number, and its statements about the rest. */
interface TakePromises extends StoreFixture {

  /** The last due time that can be asked for: the end of the year 9999. */
  long LAST = 253_402_300_799_999L;

  @Test
  default void aShardThatIsAbsentHasNothing() {
    assertThat(shard().take(LAST)).isEqualTo(new Taken(ABSENT, List.of(), Due.NEVER, 0, 0));
  }

  @Test
  default void aShardWithoutMessagesKnowsItsPosition() {
    shard().append();

    assertThat(shard().take(LAST)).isEqualTo(new Taken(100, List.of(), Due.NEVER, 0, 0));
  }

  @Test
  default void messagesComeInTheOrderOfTheirDueTimes() {
    shard()
        .append(
            schedule(message(1, LAST)),
            schedule(message(2, 0)),
            schedule(message(3, 1_700_000_000_000L)),
            schedule(message(4, 999)),
            schedule(message(5, 1_699_999_999_999L)),
            schedule(message(6, 1000)));

    assertThat(shard().take(LAST).messages())
        .containsExactly(
            message(2, 0),
            message(4, 999),
            message(6, 1000),
            message(5, 1_699_999_999_999L),
            message(3, 1_700_000_000_000L),
            message(1, LAST));
  }

  @Test
  default void messagesOfOneDueTimeComeInTheOrderOfTheirOffsets() {
    List<Long> offsets =
        List.of(
            0L,
            9L,
            10L,
            127L,
            128L,
            255L,
            256L,
            65_535L,
            65_536L,
            1L << 31,
            1L << 32,
            (1L << 40) - 1,
            1L << 40,
            (1L << 40) + 1,
            (1L << 53) + 1,
            (1L << 53) + 2,
            // The bytes of this one are the text "12345678".
            0x3132_3334_3536_3738L,
            Long.MAX_VALUE - 2,
            Long.MAX_VALUE - 1);
    Entry[] entries =
        offsets.stream().map(offset -> schedule(message(offset, 10))).toArray(Entry[]::new);

    shard().ingest(ABSENT, Long.MAX_VALUE, entries);

    assertThat(shard().pendingOffsets()).isEqualTo(offsets);
    Taken head = shard().take(10, 17, Integer.MAX_VALUE);
    assertThat(head.next()).isEqualTo(Long.MAX_VALUE);
    assertThat(head.first()).isEqualTo(new Due(10, Long.MAX_VALUE - 2));
  }

  @Test
  default void aMessageIsNotReturnedBeforeItIsDue() {
    shard().append(schedule(message(1, 50)), schedule(message(2, 40)));

    assertThat(shard().take(39)).isEqualTo(new Taken(100, List.of(), new Due(40, 2), 2, 0));
    assertThat(shard().take(40))
        .isEqualTo(new Taken(100, List.of(message(2, 40)), new Due(50, 1), 2, 1));
    assertThat(shard().take(49).messages()).containsExactly(message(2, 40));
    assertThat(shard().take(50))
        .isEqualTo(new Taken(100, List.of(message(2, 40), message(1, 50)), Due.NEVER, 2, 2));
  }

  @ParameterizedTest
  @CsvSource({"0,0", "1,1", "2,2", "31,31", "32,32", "33,33", "64,64", "65,65", "99,70"})
  default void noMoreThanTheGivenNumberIsReturned(int maxCount, int expected) {
    fill(70, 10);

    Taken taken = shard().take(20, maxCount, Integer.MAX_VALUE);

    assertThat(taken.messages())
        .extracting(DelayedMessage::offset)
        .isEqualTo(LongStream.range(0, expected).boxed().toList());
    assertThat(taken.first()).isEqualTo(expected == 70 ? Due.NEVER : new Due(10, expected));
    assertThat(taken.count()).isEqualTo(70);
    assertThat(taken.overdue()).isEqualTo(70);
  }

  @Test
  default void theFirstNotReturnedMayBeOneThatIsNotDue() {
    shard().append(schedule(message(1, 10)), schedule(message(2, 90)));

    assertThat(shard().take(20, 1, 1000).first()).isEqualTo(new Due(90, 2));
    assertThat(shard().take(20, 5, 1000).first()).isEqualTo(new Due(90, 2));
  }

  @Test
  default void aTakeOfNothingStillTellsWhatIsFirst() {
    shard().append(schedule(message(1, 10)), schedule(message(2, 5)));

    assertThat(shard().take(20, 0, 1000)).isEqualTo(new Taken(100, List.of(), new Due(5, 2), 2, 2));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 31, 32, 33, 50, 64, 69, 70})
  default void noMoreThanTheGivenBytesAreReturned(int expected) {
    fill(70, 10);
    int each = StoredMessageCodec.encode(sized(0, 10, 200).content(), 10, 0).length;

    for (int maxBytes : new int[] {expected * each, expected * each + each - 1}) {
      Taken taken = shard().take(20, 1000, maxBytes);

      assertThat(taken.messages()).hasSize(expected);
      assertThat(taken.first()).isEqualTo(expected == 70 ? Due.NEVER : new Due(10, expected));
      assertThat(taken.overdue()).isEqualTo(70);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1000, 1_000_000})
  default void oneMessageIsReturnedHoweverLarge(int maxBytes) {
    DelayedMessage large = sized(1, 10, 3_000_000);
    shard().append(schedule(large), schedule(message(2, 10)), schedule(message(3, 10)));

    assertThat(shard().take(20, 5, maxBytes))
        .isEqualTo(new Taken(100, List.of(large), new Due(10, 2), 3, 3));
  }

  @Test
  default void aLargeMessageWaitsForTheNextTake() {
    DelayedMessage large = sized(2, 10, 100_000);
    shard().append(schedule(message(1, 10)), schedule(large), schedule(message(3, 10)));

    Taken taken = shard().take(20, 5, 1000);

    assertThat(taken.messages()).containsExactly(message(1, 10));
    assertThat(taken.first()).isEqualTo(large.key());
  }

  @Test
  default void aTakeChangesNothing() {
    shard().append(schedule(named(1, 10, "a")), schedule(message(2, 20)), schedule(message(3, 90)));
    ShardStore.Opened before = shard().open();

    Taken taken = shard().take(50, 1, 1000);

    assertThat(shard().take(50, 1, 1000)).isEqualTo(taken);
    assertThat(shard().open()).isEqualTo(before);
    assertThat(shard().pendingOffsets()).containsExactly(1L, 2L, 3L);
    assertThat(shard().ids()).containsExactly("a");
  }

  private void fill(int count, long due) {
    Entry[] entries =
        LongStream.range(0, count)
            .mapToObj(offset -> schedule(sized(offset, due, 200)))
            .toArray(Entry[]::new);
    shard().append(entries);
  }
}
