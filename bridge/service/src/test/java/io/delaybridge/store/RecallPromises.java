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
import io.delaybridge.store.ShardStore.Judged;
import io.delaybridge.store.ShardStore.Named;
import io.delaybridge.store.ShardStore.Opened;
import io.delaybridge.store.ShardStore.Page;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a lost shard learns of far messages, and its rules until it knows all of them. */
interface RecallPromises extends StoreFixture {

  // The effects of recalling.

  @Test
  default void recallingCreatesTheShard() {
    assertThat(shard().recall(7, new Named("a", 1), new Named("b", 2))).isEqualTo(7);

    assertThat(shard().open()).isEqualTo(new Opened(7, 0, 0, 2, Index.RECALLED, 2));
    assertThat(shard().ids()).containsExactlyInAnyOrder("a", "b");
    assertThat(shard().ingest(7, 100).applied()).isTrue();
  }

  @Test
  default void recallingNothingCreatesTheShardAllTheSame() {
    shard().recall(7);

    assertThat(shard().open()).isEqualTo(new Opened(7, 0, 0, 0, Index.RECALLED, 0));
  }

  @Test
  default void aShardThatIsThereStaysWhereItIs() {
    shard().append(schedule(named(1, 10, "a")), schedule(message(2, 10)));
    shard().settle(5);

    assertThat(shard().recall(7, new Named("b", 3))).isEqualTo(100);

    assertThat(shard().open()).isEqualTo(new Opened(100, 5, 2, 2, Index.RECALLED, 1));
    assertThat(shard().pending()).containsExactly(named(1, 10, "a"), message(2, 10));
  }

  @Test
  default void untilTheLastAreRecalledTheIndexIsNot() {
    assertThat(shard().recall(ABSENT, 7, false, List.of(new Named("a", 1)))).isEqualTo(7);
    assertThat(shard().open()).isEqualTo(new Opened(7, 0, 0, 1, Index.NEAR, 1));
    assertThat(shard().recall(7, 8, false, List.of())).isEqualTo(7);
    assertThat(shard().complete(0)).isFalse();

    assertThat(shard().recall(7, 9, true, List.of(new Named("b", 2)))).isEqualTo(7);

    assertThat(shard().open()).isEqualTo(new Opened(7, 0, 0, 2, Index.RECALLED, 2));
  }

  /** Its {@code next} does not tell: it stays as it is all through the recall. */
  @Test
  default void aPageIsNotTakenWithoutTheOneBeforeIt() {
    assertThat(shard().recall(ABSENT, 7, List.of(), new Page(Page.FIRST, 10, false))).isEqualTo(7);
    List<Named> second = List.of(new Named("a", 1));

    assertThat(shard().recall(7, 7, second, new Page(20, 30, true))).isEqualTo(ABSENT);
    assertThat(shard().open()).isEqualTo(new Opened(7, 0, 0, 0, Index.NEAR, 0));
    assertThat(shard().recall(7, 7, second, new Page(10, 20, false))).isEqualTo(7);
    assertThat(shard().recall(7, 7, List.of(copies(1200)), new Page(20, 30, false))).isEqualTo(7);
    assertThat(shard().recall(7, 7, List.of(), new Page(30, 30, true))).isEqualTo(7);

    assertThat(shard().open()).isEqualTo(new Opened(7, 0, 0, 1201, Index.RECALLED, 1201));
  }

  @Test
  default void aRecallMayBeginAnew() {
    shard().recall(ABSENT, 7, List.of(), new Page(Page.FIRST, 10, false));

    assertThat(shard().recall(7, 7, List.of(), new Page(Page.FIRST, 20, true))).isEqualTo(7);

    assertThat(shard().open().index()).isEqualTo(Index.RECALLED);
  }

  @Test
  default void whatIsRecalledForAnotherPositionIsNot() {
    List<Named> copies = List.of(new Named("a", 1));
    assertThat(shard().recall(0, 7, true, copies)).isEqualTo(ABSENT);
    assertThat(shard().open().next()).isEqualTo(ABSENT);
    shard().append();

    assertThat(shard().recall(ABSENT, 7, true, copies)).isEqualTo(100);
    assertThat(shard().recall(99, 99, true, copies)).isEqualTo(100);
    assertThat(shard().recall(101, 101, true, copies)).isEqualTo(100);
    assertThat(shard().recall(99, 99, true, List.of(copies(1700)))).isEqualTo(100);

    assertThat(shard().open()).isEqualTo(new Opened(100, 0, 0, 0, Index.NEAR, 0));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 499, 500, 501, 1000, 1700})
  default void anyNumberOfCopiesIsRecalled(int size) {
    Named[] copies = copies(size);

    assertThat(shard().recall(5000, copies)).isEqualTo(5000);

    assertThat(shard().open()).isEqualTo(new Opened(5000, 0, 0, size, Index.RECALLED, size));
    assertThat(shard().judge(List.of(copies)))
        .isEqualTo(new Judged(5000, false, Collections.nCopies(size, true)));
  }

  private static Named[] copies(int size) {
    return IntStream.range(0, size).mapToObj(i -> new Named("id-" + i, i)).toArray(Named[]::new);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 2",
    "127, 128",
    "255, 256",
    "511, 512",
    "4294967295, 4294967296",
    "9007199254740992, 9007199254740993"
  })
  default void ofSeveralCopiesTheOneThatWasSaidLastCounts(long low, long high) {
    shard()
        .recall(
            Long.MAX_VALUE - 1000,
            new Named("a", low),
            new Named("a", high),
            new Named("b", high),
            new Named("b", low));

    assertThat(
            shard()
                .judge(
                    List.of(
                        new Named("a", low),
                        new Named("a", high),
                        new Named("b", low),
                        new Named("b", high)))
                .alive())
        .containsExactly(false, true, false, true);
    assertThat(shard().open().far()).isEqualTo(2);
  }

  @Test
  default void aMessageThatWasSaidBeforeIsReplaced() {
    shard().append(schedule(named(1, 10, "a")), schedule(named(2, 10, "b")));

    shard().recall(0, new Named("a", 2));

    assertThat(shard().open()).isEqualTo(new Opened(100, 0, 1, 2, Index.RECALLED, 1));
    assertThat(shard().pending()).containsExactly(named(2, 10, "b"));
  }

  @Test
  default void aMessageThatIsItselfThereOrWasSaidLaterStays() {
    shard().append(schedule(named(5, 10, "a")), schedule(named(6, 10, "b")));

    shard().recall(0, new Named("a", 5), new Named("b", 4));

    assertThat(shard().open()).isEqualTo(new Opened(100, 0, 2, 2, Index.RECALLED, 0));
  }

  @Test
  default void onceTheIndexIsCompleteNothingMoreIsRecalled() {
    shard().recall(7, new Named("a", 1));
    assertThat(shard().recall(7, new Named("a", 2))).isEqualTo(7);
    assertThat(shard().isAlive("a", 2)).isTrue();

    assertThat(shard().complete(7)).isTrue();
    assertThat(shard().recall(7, new Named("a", 3), new Named("b", 3))).isEqualTo(7);

    assertThat(shard().open()).isEqualTo(new Opened(7, 0, 0, 1, Index.COMPLETE, 1));
  }

  @Test
  default void whatWasRecalledIsForgottenWithTheShard() {
    shard().recall(7, new Named("a", 1));

    assertThat(shard().drop()).isEqualTo(2);

    assertThat(shard().open()).isEqualTo(new Opened(ABSENT, 0, 0, 0, Index.NEAR, 0));
    shard().append();
    assertThat(shard().open()).isEqualTo(new Opened(100, 0, 0, 0, Index.NEAR, 0));
  }

  @Test
  default void aShardThatHasForgottenWhatIsFarTakesNothingIn() {
    ShardClient recalled = shard().recalled();
    List<Entry> more = List.of(schedule(message(101, 10)));
    assertThat(recalled.ingest(ABSENT, 100, schedule(message(1, 10))))
        .isEqualTo(new Ingested(false, ABSENT, 0));
    assertThat(shard().open().next()).isEqualTo(ABSENT);
    shard().append(schedule(message(1, 10)), covered(far(2, 5, 900, "a")));

    assertThat(recalled.ingest(100, 200, cancel("a"), schedule(message(101, 10))))
        .isEqualTo(new Ingested(false, ABSENT, 1));
    assertThat(recalled.ingest(ABSENT, 200, cancel("a"))).isEqualTo(new Ingested(false, ABSENT, 1));
    assertThat(
            ShardClient.await(shard().store().ingestRest(recalled.shard(), 100, 200, more))
                .applied())
        .isFalse();

    assertThat(shard().open()).isEqualTo(new Opened(100, 0, 1, 1, Index.NEAR, 1));
    shard().recall(0);
    assertThat(ShardClient.await(shard().store().ingestRest(recalled.shard(), 100, 200, more)))
        .isEqualTo(new Ingested(true, 200, 2));
    shard().complete(0);
    assertThat(recalled.ingest(200, 300, cancel("a"))).isEqualTo(new Ingested(true, 300, 2));
  }

  // Rules while something may be unknown.

  @Test
  default void aCancellationOfWhatIsNotKnownLeavesAMark() {
    shard().recall(0);

    shard().append(cancel("a", 50));

    assertThat(shard().ids()).containsExactly("a");
    shard().append(schedule(home(101, 10, "a", 49)), covered(retry(102, 10, "a", 3)));
    assertThat(shard().pending()).isEmpty();
    assertThat(shard().isAlive("a", 49)).isFalse();
  }

  @Test
  default void aCancellationTakesBackWhatWasSaidBefore() {
    shard().recall(0, new Named("a", 5));
    shard().append(schedule(named(6, 10, "b")));

    shard().append(cancel("a", 101), cancel("b", 102));

    assertThat(shard().open()).isEqualTo(new Opened(200, 0, 0, 2, Index.RECALLED, 0));
    assertThat(shard().isAlive("a", 5)).isFalse();
    assertThat(shard().isAlive("b", 6)).isFalse();
  }

  @Test
  default void aCancellationDoesNotTouchWhatWasSaidLater() {
    shard().recall(0, new Named("a", 5), new Named("b", 4));
    shard().append(schedule(home(50, 10, "a", 5)));

    shard().append(cancel("a", 4), cancel("b", 3));

    assertThat(shard().pending()).containsExactly(home(50, 10, "a", 5));
    assertThat(shard().isAlive("a", 5)).isTrue();
    assertThat(shard().isAlive("b", 4)).isTrue();
    assertThat(shard().open().far()).isEqualTo(1);
  }

  @Test
  default void aMarkIsNotPending() {
    shard().recall(0);
    shard().append(cancel("a", 50), schedule(message(51, 0)));

    assertThat(shard().pendingOffsets()).containsExactly(51L);
    assertThat(shard().open()).isEqualTo(new Opened(100, 0, 1, 1, Index.RECALLED, 0));
  }

  @Test
  default void aMessageReplacesWhatWasSaidBefore() {
    shard().recall(0, new Named("a", 5));
    shard().append(cancel("b", 6), schedule(named(7, 10, "c")));

    shard()
        .append(
            schedule(named(101, 20, "a")),
            schedule(named(102, 20, "b")),
            schedule(named(103, 20, "c")),
            schedule(named(104, 20, "d")));

    assertThat(shard().pendingOffsets()).containsExactly(101L, 102L, 103L, 104L);
    assertThat(shard().open()).isEqualTo(new Opened(200, 0, 4, 4, Index.RECALLED, 0));
  }

  /** A message may be fed after its copy is known, if the log still has both. */
  @Test
  default void aMessageActsOnItsOwnCopy() {
    shard().recall(0, new Named("a", 5), new Named("b", 6), new Named("c", 7));

    shard()
        .append(
            covered(far(5, 1, 900, "a")), schedule(far(6, 1, 900, "b")), covered(named(7, 1, "c")));

    assertThat(shard().pending()).containsExactly(far(6, 1, 900, "b"));
    assertThat(shard().open()).isEqualTo(new Opened(100, 0, 1, 3, Index.RECALLED, 2));
  }

  @Test
  default void aMessageIsDeadIfSomethingWasSaidLater() {
    shard().recall(0, new Named("a", 5), new Named("b", 5), new Named("c", 5), new Named("d", 5));

    shard()
        .append(
            schedule(named(1, 10, "a")),
            covered(named(2, 10, "b")),
            schedule(far(3, 1, 9, "c")),
            covered(far(4, 1, 9, "d")));

    assertThat(shard().pending()).isEmpty();
    assertThat(shard().open()).isEqualTo(new Opened(100, 0, 0, 4, Index.RECALLED, 4));
    assertThat(shard().isAlive("d", 5)).isTrue();
  }

  @Test
  default void aMessageWithoutAnIdIsStored() {
    shard().recall(0, new Named("a", 5));

    shard().append(schedule(message(1, 10)), schedule(home(2, 20, null, 0)));

    assertThat(shard().pendingOffsets()).containsExactly(1L, 0L);
  }

  @Test
  default void aCopyOfWhatIsNotKnownIsStored() {
    shard().recall(100);

    shard().append(schedule(home(101, 10, "a", 5)), schedule(retry(102, 20, "b", 6)));

    assertThat(shard().pending()).containsExactly(home(101, 10, "a", 5), retry(102, 20, "b", 6));
    assertThat(shard().ids()).containsExactlyInAnyOrder("a", "b");
  }

  @ParameterizedTest
  @CsvSource({"4, true", "5, true", "6, false"})
  default void aCopyActsOnWhatWasNotSaidLater(long said, boolean acts) {
    shard()
        .recall(
            100,
            new Named("a", said),
            new Named("b", said),
            new Named("c", said),
            new Named("d", said));

    shard()
        .append(
            schedule(home(101, 10, "a", 5)),
            schedule(retry(102, 10, "b", 5)),
            covered(home(103, 10, "c", 5)),
            covered(retry(104, 10, "d", 5)));

    assertThat(shard().pendingOffsets()).isEqualTo(acts ? List.of(5L, 102L) : List.of());
    assertThat(shard().open().far()).isEqualTo(acts ? 0 : 4);
  }

  @Test
  default void aCopyTakesThePlaceOfAnAttemptThatIsPending() {
    shard().recall(0);

    shard().append(schedule(named(1, 10, "a")), schedule(retry(2, 20, "a", 1)));

    assertThat(shard().pending()).containsExactly(retry(2, 20, "a", 1));
  }

  @Test
  default void theIdOfADeliveredMessageStaysAsAMark() {
    shard().recall(0);
    shard().append(schedule(named(5, 10, "a")), schedule(named(6, 10, "b")));

    shard().settle(1, named(5, 10, "a"));
    shard().settleBelow(2, 100, Due.NEVER, named(6, 10, "b"));

    assertThat(shard().open()).isEqualTo(new Opened(100, 2, 0, 2, Index.RECALLED, 0));
    shard().append(schedule(home(101, 10, "a", 4)), cancel("b", 3));
    assertThat(shard().pending()).isEmpty();
    assertThat(shard().isAlive("b", 6)).isTrue();
  }

  @Test
  default void theIdOfAFarMessageThatLeftStandsForItHereToo() {
    shard().recall(0);
    shard().append(schedule(far(1, 5, 900, "a")), schedule(far(2, 5, 900, "b")));

    shard().settleKeepingIds(1, far(1, 5, 900, "a"));
    shard().settle(1, far(2, 5, 900, "b"));

    assertThat(shard().open()).isEqualTo(new Opened(100, 1, 0, 2, Index.RECALLED, 1));
    shard().append(schedule(home(101, 900, "b", 1)));
    assertThat(shard().pending()).isEmpty();
  }

  @Test
  default void anAskDoesAsItDoesAnywhere() {
    shard().recall(0, new Named("b", 9));
    shard().append(schedule(named(1, 10, "a")));

    shard().append(asked(101, "a", 1, 10), asked(102, "b", 9, 20));

    assertThat(shard().pendingOffsets()).containsExactly(101L, 102L);
    assertThat(shard().pending())
        .extracting(DelayedMessage::isAskedInVain)
        .containsExactly(false, true);
    shard().append(cancel("a", 201));
    assertThat(shard().pendingOffsets()).containsExactly(102L);
  }

  private static Entry asked(long offset, String id, long of, long due) {
    StoredAsk stored = new StoredAsk(Verb.CANCEL, of, due, 0);
    return new Entry.Asked(new Ask(Due.asked(offset), id, stored), false);
  }

  @Test
  default void marksAreNotSwept() {
    shard().recall(0, new Named("far", 9));
    shard().append(cancel("a", 5), schedule(named(6, 10, "b")));
    shard().settle(1, named(6, 10, "b"));
    assertThat(shard().sweep("a", "b", "far")).isZero();

    shard().complete(100);

    assertThat(shard().sweep("a", "b", "far")).isEqualTo(2);
    assertThat(shard().ids()).containsExactly("far");
  }

  // Conditions of completeness.

  @Test
  default void aShardThatIsAbsentOrWasNotFedThatFarIsNotComplete() {
    assertThat(shard().complete(0)).isFalse();
    shard().recall(7);

    assertThat(shard().complete(8)).isFalse();
    assertThat(shard().complete(10)).isFalse();
    assertThat(shard().open().index()).isEqualTo(Index.RECALLED);
    assertThat(shard().complete(7)).isTrue();
    assertThat(shard().open().index()).isEqualTo(Index.COMPLETE);
  }

  @Test
  default void aCompleteIndexStaysSo() {
    shard().recall(7);
    shard().complete(7);

    assertThat(shard().complete(1000)).isTrue();
    shard().append(schedule(named(8, 10, "a")));
    shard().settle(1, named(8, 10, "a"));
    assertThat(shard().open()).isEqualTo(new Opened(107, 1, 0, 0, Index.COMPLETE, 0));
  }

  @Test
  default void whatACompleteIndexDoesNotNameIsOver() {
    shard().recall(0, new Named("a", 5));
    shard().complete(0);

    shard()
        .append(
            schedule(home(10, 10, "b", 3)),
            schedule(retry(11, 10, "a", 6)),
            cancel("c", 12),
            schedule(home(13, 10, "a", 5)));

    assertThat(shard().pending()).containsExactly(home(13, 10, "a", 5));
    assertThat(shard().ids()).containsExactly("a");
    shard().append(cancel("a", 4));
    assertThat(shard().ids()).isEmpty();
  }

  // Answers about copies.

  @Test
  default void ofAShardThatIsAbsentNothingIsKnown() {
    assertThat(shard().judge(List.of(new Named("a", 1))))
        .isEqualTo(new Judged(ABSENT, false, List.of(false)));
    assertThat(shard().judge(List.of())).isEqualTo(new Judged(ABSENT, false, List.of()));
    assertThat(shard().drop()).isZero();
  }

  @Test
  default void aCopyIsAliveIfItsIdStandsForIt() {
    shard().recall(7, new Named("far", 1), new Named("home", 2), new Named("said again", 3));
    shard().complete(7);
    shard().append(schedule(home(8, 10, "home", 2)), schedule(named(9, 10, "said again")));

    assertThat(
            shard()
                .judge(
                    List.of(
                        new Named("far", 1),
                        new Named("far", 2),
                        new Named("home", 2),
                        new Named("said again", 3),
                        new Named("said again", 9),
                        new Named("unknown", 1))))
        .isEqualTo(new Judged(107, true, List.of(true, false, true, false, true, false)));
  }

  @Test
  default void anyNumberOfCopiesIsJudged() {
    shard().recall(0, new Named("id-3", 3), new Named("id-1699", 1699));
    shard().complete(0);

    Judged judged = shard().judge(List.of(copies(1700)));

    assertThat(judged.next()).isZero();
    assertThat(judged.complete()).isTrue();
    assertThat(judged.alive()).hasSize(1700);
    assertThat(IntStream.range(0, 1700).filter(i -> judged.alive().get(i)))
        .containsExactly(3, 1699);
  }
}
