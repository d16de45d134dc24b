package io.delaybridge.store;

import static io.delaybridge.store.Samples.cancel;
import static io.delaybridge.store.Samples.covered;
import static io.delaybridge.store.Samples.far;
import static io.delaybridge.store.Samples.home;
import static io.delaybridge.store.Samples.message;
import static io.delaybridge.store.Samples.named;
import static io.delaybridge.store.Samples.retry;
import static io.delaybridge.store.Samples.schedule;
import static io.delaybridge.store.ShardStore.ABSENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.Ask;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.schemas.StoredAsk;
import io.delaybridge.schemas.StoredAsk.Verb;
import io.delaybridge.store.ShardStore.Index;
import io.delaybridge.store.ShardStore.Ingested;
import io.delaybridge.store.ShardStore.Opened;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A message leaves for the later topic, is cancelled or replaced there, and comes home. */
interface LaterPromises extends StoreFixture {

  @Test
  default void aFarMessageIsTakenAtTheTimeOfItsRecord() {
    shard().append(schedule(far(1, 5, 900, "a")), schedule(far(2, 5, 900, null)));

    assertThat(shard().take(5).messages())
        .containsExactly(far(1, 5, 900, "a"), far(2, 5, 900, null));
    assertThat(shard().open()).isEqualTo(near(100, 2, 1, 1));
  }

  @Test
  default void theIdOfAFarMessageStandsForItBeforeAndAfterItLeft() {
    shard().append(schedule(far(1, 5, 900, "a")), schedule(far(2, 5, 900, null)));

    for (int i = 0; i < 2; i++) {
      shard().settleKeepingIds(i, far(1, 5, 900, "a"), far(2, 5, 900, null));

      assertThat(shard().open()).isEqualTo(new Opened(100, i, 0, 1, Index.NEAR, 1));
      assertThat(shard().sweep("a")).isZero();
      assertThat(shard().ids()).containsExactly("a");
    }
  }

  /** The message could not be written to the later topic and is a dead letter. */
  @Test
  default void theIdOfAFarMessageThatCanNotLeaveGoes() {
    shard().append(schedule(far(1, 5, 900, "a")), schedule(far(2, 5, 900, "b")));
    shard().append(schedule(named(101, 20, "b")));

    shard().settle(1, far(1, 5, 900, "a"), far(2, 5, 900, "b"));

    assertThat(shard().open()).isEqualTo(new Opened(200, 1, 1, 1, Index.NEAR, 0));
    assertThat(shard().pending()).containsExactly(named(101, 20, "b"));
  }

  @Test
  default void aPairThatDoesNotKnowAllLeavesTheMessage() {
    shard().append(schedule(far(1, 5, 900, "a")));
    shard().append();

    shard().settleBelow(1, 100, new Due(8, 0), far(1, 5, 900, "a"));

    assertThat(shard().open()).isEqualTo(new Opened(200, 1, 1, 1, Index.NEAR, 1));
  }

  @Test
  default void theIdOfACoveredFarMessageStandsForIt() {
    shard().append(schedule(named(1, 5, "a")));

    shard().append(covered(far(101, 5, 900, "a")), covered(far(102, 5, 900, null)));

    assertThat(shard().open()).isEqualTo(near(200, 0, 1, 1));
    assertThat(shard().sweep("a")).isZero();
    shard().append(schedule(home(201, 900, "a", 101)));
    assertThat(shard().pending()).containsExactly(home(201, 900, "a", 101));
  }

  /** The message and its copy have the same offset but different keys. */
  @Test
  default void theIdOfACopyThatCameHomeStandsForThat() {
    left();
    shard().append(schedule(home(101, 900, "a", 1)));

    shard().settleKeepingIds(2, far(1, 5, 900, "a"));

    assertThat(shard().open()).isEqualTo(new Opened(200, 2, 1, 1, Index.NEAR, 0));
    assertThat(shard().pending()).containsExactly(home(101, 900, "a", 1));
  }

  @Test
  default void anIdThatWasCancelledDoesNotComeBackWithASettle() {
    shard().append(schedule(far(1, 5, 900, "a")), cancel("a"));
    assertThat(shard().pending()).containsExactly(far(1, 5, 900, "a"));

    shard().settleKeepingIds(1, far(1, 5, 900, "a"));

    assertThat(shard().open()).isEqualTo(new Opened(100, 1, 0, 0, Index.NEAR, 0));
  }

  @Test
  default void aMessageReplacesWhatIsInTheLaterTopic() {
    left();

    shard().append(schedule(named(101, 50, "a")), schedule(home(102, 900, "a", 1)));

    assertThat(shard().pending()).containsExactly(named(101, 50, "a"));
    assertThat(shard().open()).isEqualTo(new Opened(200, 1, 1, 1, Index.NEAR, 0));
  }

  @Test
  default void aFarMessageReplacesWhatIsInTheLaterTopic() {
    left();
    shard().append(schedule(far(101, 6, 800, "a")));
    shard().settleKeepingIds(2, far(101, 6, 800, "a"));

    shard().append(schedule(home(201, 900, "a", 1)), schedule(home(202, 800, "a", 101)));

    assertThat(shard().pending()).containsExactly(home(202, 800, "a", 101));
  }

  @Test
  default void aCopyThatComesHomeWaitsAndIsDelivered() {
    left();

    shard().append(schedule(home(101, 900, "a", 1)));

    assertThat(shard().open()).isEqualTo(new Opened(200, 1, 1, 1, Index.NEAR, 0));
    assertThat(shard().take(899).messages()).isEmpty();
    assertThat(shard().take(900).messages()).containsExactly(home(101, 900, "a", 1));
    shard().settle(2, home(101, 900, "a", 1));
    assertThat(shard().open()).isEqualTo(new Opened(200, 2, 0, 0, Index.NEAR, 0));
  }

  @Test
  default void aCopyThatCameHomeCanBeCancelled() {
    left();

    shard().append(schedule(home(101, 900, "a", 1)), cancel("a"));

    assertThat(shard().pending()).isEmpty();
    assertThat(shard().ids()).isEmpty();
  }

  @Test
  default void aCopyThatCameHomeIsPutBackForARetryUnderItsOrigin() {
    left();
    shard().append(schedule(home(101, 900, "a", 1)));
    shard().settleKeepingIds(2, home(101, 900, "a", 1));

    shard().append(schedule(retry(201, 950, "a", 1)));

    assertThat(shard().pending()).containsExactly(retry(201, 950, "a", 1));
  }

  @Test
  default void aCopyThatIsReadAgainAfterItsDeliveryIsDroppedIfItHasAnId() {
    left();
    shard().append(schedule(home(101, 900, "a", 1)));
    shard().settle(2, home(101, 900, "a", 1));

    shard().append(schedule(home(201, 900, "a", 1)));

    assertThat(shard().pending()).isEmpty();
  }

  @Test
  default void aCoveredCopyIsNotStored() {
    left();

    shard().append(covered(home(101, 900, "a", 1)), covered(home(102, 900, null, 2)));

    assertThat(shard().open()).isEqualTo(new Opened(200, 1, 0, 1, Index.NEAR, 0));
    assertThat(shard().sweep("a")).isEqualTo(1);
  }

  @Test
  default void amongEqualDueTimesACopyHasThePlaceOfItsOrigin() {
    shard().append(schedule(message(2, 900)), schedule(home(50, 900, null, 1)));
    shard().append(schedule(message(101, 900)), schedule(home(102, 900, null, 3)));

    assertThat(shard().pendingOffsets()).containsExactly(1L, 2L, 3L, 101L);
  }

  @Test
  default void aBatchOfCopiesMayBeLargeToo() {
    Entry[] entries =
        LongStream.range(0, 1700)
            .mapToObj(i -> schedule(home(5000 + i, 900, i % 2 == 0 ? null : "id-" + i, i)))
            .toArray(Entry[]::new);
    Entry[] before =
        LongStream.range(0, 1700)
            .mapToObj(i -> covered(far(i, 5, 900, i % 2 == 0 ? null : "id-" + i)))
            .toArray(Entry[]::new);
    shard().ingest(ABSENT, 5000, before);
    assertThat(shard().open().far()).isEqualTo(850);

    assertThat(shard().ingest(5000, 6700, entries)).isEqualTo(new Ingested(true, 6700, 1700));

    assertThat(shard().pendingOffsets()).isEqualTo(LongStream.range(0, 1700).boxed().toList());
    assertThat(shard().open()).isEqualTo(near(6700, 1700, 850, 0));
  }

  @Test
  default void anAskFindsNothingInTheLaterTopic() {
    left();

    shard().append(asked(101, 1, 5, false), asked(102, 1, 900, false));

    assertThat(shard().pending()).hasSize(2).allMatch(DelayedMessage::isAskedInVain);
    assertThat(shard().open().far()).isEqualTo(1);
  }

  @Test
  default void aCoveredAskDoesNotTouchWhatIsInTheLaterTopic() {
    left();

    shard().append(asked(101, 1, 5, true), schedule(home(102, 900, "a", 1)));

    assertThat(shard().pending()).containsExactly(home(102, 900, "a", 1));
  }

  @Test
  default void anAskFindsACopyThatCameHomeByItsKey() {
    left();
    shard().append(schedule(home(101, 900, "a", 1)));

    shard().append(asked(201, 1, 900, false));

    DelayedMessage there = shard().pending().get(0);
    assertThat(there.isAskedInVain()).isFalse();
    assertThat(there.origin()).isEqualTo(1);
    shard().settle(2, there);
    assertThat(shard().open()).isEqualTo(new Opened(300, 2, 0, 0, Index.NEAR, 0));
  }

  /**
   * An ask could only take back the message that the id stands for, and that is in the later topic.
   */
  @Test
  default void anAskFindsNothingThatIsAboutToLeave() {
    shard().append(schedule(far(1, 5, 900, "a")), asked(2, 1, 5, false), unnamed(3, 1, 5));

    assertThat(shard().pending()).filteredOn(DelayedMessage::isAskedInVain).hasSize(2);
    assertThat(shard().pending()).contains(far(1, 5, 900, "a"));
    assertThat(shard().open().far()).isEqualTo(1);
  }

  @Test
  default void aDroppedShardHasNothingInTheLaterTopic() {
    left();
    shard().drop();

    assertThat(shard().open()).isEqualTo(near(ABSENT, 0, 0, 0));
    shard().append();
    assertThat(shard().open()).isEqualTo(near(100, 0, 0, 0));
  }

  @Test
  default void anIndexThatRecalledNothingIsNotComplete() {
    left();

    assertThat(shard().complete(0)).isFalse();
    assertThat(shard().judge(List.of()).complete()).isFalse();
    assertThat(shard().open().index()).isEqualTo(Index.NEAR);
  }

  /** Puts the far message 1 with id a, due at 900, in the later topic. */
  private void left() {
    shard().append(schedule(far(1, 5, 900, "a")));
    shard().settleKeepingIds(1, far(1, 5, 900, "a"));
  }

  private static Entry asked(long offset, long of, long due, boolean covered) {
    StoredAsk stored = new StoredAsk(Verb.CANCEL, of, due, 0);
    return new Entry.Asked(new Ask(Due.asked(offset), "a", stored), covered);
  }

  private static Entry unnamed(long offset, long of, long due) {
    StoredAsk stored = new StoredAsk(Verb.CANCEL, of, due, 0);
    return new Entry.Asked(new Ask(Due.asked(offset), null, stored), false);
  }

  private static Opened near(long next, long count, long ids, long far) {
    return new Opened(next, 0, count, ids, Index.NEAR, far);
  }
}
