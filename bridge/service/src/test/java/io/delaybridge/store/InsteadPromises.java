package io.delaybridge.store;

import static io.delaybridge.store.Samples.cancel;
import static io.delaybridge.store.Samples.covered;
import static io.delaybridge.store.Samples.coveredInstead;
import static io.delaybridge.store.Samples.far;
import static io.delaybridge.store.Samples.farRetry;
import static io.delaybridge.store.Samples.home;
import static io.delaybridge.store.Samples.instead;
import static io.delaybridge.store.Samples.named;
import static io.delaybridge.store.Samples.oldInstead;
import static io.delaybridge.store.Samples.retry;
import static io.delaybridge.store.Samples.schedule;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.store.ShardStore.Index;
import io.delaybridge.store.ShardStore.Named;
import io.delaybridge.store.ShardStore.Opened;
import io.delaybridge.store.ShardStore.Settled;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The replacement of a far message acts only if the message is still far. */
interface InsteadPromises extends StoreFixture {

  @Test
  default void whatIsFarIsReplacedByWhatNamesIt() {
    complete(new Named("a", 1), new Named("b", 2), new Named("c", 3));

    shard()
        .append(
            instead(named(10, 20, "a"), 1),
            instead(far(11, 5, 900, "b"), 2),
            coveredInstead(far(12, 5, 900, "c"), 3));

    assertThat(shard().pending()).containsExactly(far(11, 5, 900, "b"), named(10, 20, "a"));
    assertThat(shard().isAlive("a", 10)).isTrue();
    assertThat(shard().isAlive("b", 11)).isTrue();
    assertThat(shard().isAlive("c", 12)).isTrue();
    assertThat(shard().open().far()).isEqualTo(2);
    shard().append(schedule(home(101, 950, "a", 1)));
    assertThat(shard().isAlive("a", 10)).isTrue();
  }

  @Test
  default void nothingElseIsReplaced() {
    complete(new Named("far", 5), new Named("home", 2), new Named("cancelled", 3));
    shard().append(schedule(home(8, 50, "home", 2)), cancel("cancelled", 9));

    shard()
        .append(
            instead(named(101, 20, "far"), 4),
            instead(named(102, 20, "home"), 2),
            instead(named(103, 20, "cancelled"), 3),
            coveredInstead(named(104, 20, "home"), 2),
            instead(far(105, 1, 900, "home"), 2),
            coveredInstead(far(106, 1, 900, "home"), 2));

    assertThat(shard().pending()).containsExactly(home(8, 50, "home", 2));
    assertThat(shard().isAlive("far", 5)).isTrue();
    assertThat(shard().ids()).containsExactlyInAnyOrder("far", "home");
  }

  @Test
  default void theNextEntryActsAgain() {
    complete();

    shard().append(instead(named(10, 20, "a"), 1), schedule(named(11, 20, "a")));

    assertThat(shard().pendingOffsets()).containsExactly(11L);
  }

  /** The replaced message is no longer known, or the replacement itself was recalled. */
  @Test
  default void whileAbsenceProvesNothingItActsUnlessSomethingNewerIsKnown() {
    shard().recall(0, new Named("itself", 10), new Named("older", 1), new Named("newer", 60));
    shard().append(schedule(home(6, 50, "near", 5)), cancel("cancelled", 7));

    shard()
        .append(
            coveredInstead(far(10, 1, 900, "itself"), 4),
            instead(named(101, 20, "absent"), 4),
            instead(named(102, 20, "older"), 4),
            instead(named(103, 20, "newer"), 50),
            instead(named(104, 20, "near"), 5),
            instead(named(105, 20, "cancelled"), 5));

    assertThat(shard().pending())
        .containsExactly(named(101, 20, "absent"), named(102, 20, "older"), home(6, 50, "near", 5));
    assertThat(shard().isAlive("itself", 10)).isTrue();
    assertThat(shard().isAlive("newer", 60)).isTrue();
  }

  @Test
  default void whatIsOldActsOnlyIfItselfWasRecalled() {
    shard().recall(0, new Named("itself", 10), new Named("named", 4));

    shard()
        .append(
            oldInstead(far(10, 1, 900, "itself"), 4),
            oldInstead(far(11, 1, 900, "named"), 4),
            oldInstead(named(12, 20, "absent"), 4));

    assertThat(shard().isAlive("itself", 10)).isTrue();
    assertThat(shard().isAlive("named", 4)).isTrue();
    assertThat(shard().pending()).isEmpty();
    assertThat(shard().isAlive("absent", 12)).isFalse();
  }

  /** The first one may have acted; if it did not, neither did the others. */
  @Test
  default void anotherOfTheSameDoesNothingBehindOneThatIsOld() {
    shard().recall(0, new Named("older", 3), new Named("newer", 60), new Named("far", 4));
    shard().append(schedule(named(5, 50, "near")));

    shard()
        .append(
            oldInstead(far(10, 1, 900, "a"), 4),
            oldInstead(far(11, 1, 900, "older"), 4),
            oldInstead(far(12, 1, 900, "newer"), 4),
            oldInstead(far(13, 1, 900, "near"), 6),
            oldInstead(far(14, 1, 900, "far"), 4),
            instead(named(101, 20, "a"), 4),
            instead(named(102, 20, "older"), 4),
            instead(named(103, 20, "near"), 6),
            instead(named(104, 20, "far"), 4),
            schedule(home(105, 30, "older", 3)));
    assertThat(shard().pending()).isEmpty();

    shard().append(schedule(home(201, 30, "a", 4)), schedule(home(202, 31, "older", 11)));

    assertThat(shard().pending())
        .containsExactly(home(201, 30, "a", 4), home(202, 31, "older", 11));
    assertThat(shard().isAlive("newer", 60)).isTrue();
  }

  /** A message with an id is moved beyond the horizon: its copy leaves for the later topic. */
  @Test
  default void aRetryCopyCanBeFar() {
    shard().append(schedule(named(1, 10, "a")));
    shard().settleKeepingIds(1, named(1, 10, "a"));

    shard().append(schedule(farRetry(101, 20, 900, "a", 1)));
    assertThat(shard().pending()).containsExactly(farRetry(101, 20, 900, "a", 1));
    shard().settleKeepingIds(2, farRetry(101, 20, 900, "a", 1));

    assertThat(shard().open()).isEqualTo(new Opened(200, 2, 0, 1, Index.NEAR, 1));
    assertThat(shard().isAlive("a", 1)).isTrue();
  }

  @Test
  default void aCoveredRetryCopyThatIsFarLetsItsIdStandForThat() {
    shard().append(covered(named(1, 10, "a")), covered(named(2, 10, "b")), cancel("b", 3));

    shard()
        .append(covered(farRetry(101, 20, 900, "a", 1)), covered(farRetry(102, 20, 900, "b", 2)));

    assertThat(shard().open()).isEqualTo(new Opened(200, 0, 0, 1, Index.NEAR, 1));
    shard().append(schedule(retry(201, 30, "a", 1)));
    assertThat(shard().pending()).containsExactly(retry(201, 30, "a", 1));
  }

  @Test
  default void whereItIsDoesNotChangeWhatItStandsFor() {
    shard().append(schedule(far(1, 5, 900, "a")), schedule(named(2, 5, "b")));
    shard().settle(1, List.of(new Settled(far(1, 5, 900, "a"), true, 17)));

    shard().place(2, new Named("a", 1, 18), new Named("a", 2, 19), new Named("b", 2, 20));

    assertThat(shard().open()).isEqualTo(new Opened(100, 2, 1, 2, Index.NEAR, 1));
    assertThat(shard().isAlive("a", 1)).isTrue();
    assertThat(shard().pending()).containsExactly(named(2, 5, "b"));
  }

  @Test
  default void theIdOfWhatIsNowhereIsFree() {
    shard()
        .append(
            schedule(far(1, 5, 900, "a")),
            schedule(far(2, 5, 900, "b")),
            schedule(named(3, 5, "c")));

    shard()
        .place(
            2,
            new Named("a", 1, Named.NOWHERE),
            new Named("b", 1, Named.NOWHERE),
            new Named("c", 3, Named.NOWHERE));

    assertThat(shard().isAlive("a", 1)).isFalse();
    assertThat(shard().isAlive("b", 2)).isTrue();
    assertThat(shard().isAlive("c", 3)).isTrue();
  }

  private void complete(Named... copies) {
    shard().recall(0, copies);
    shard().complete(0);
  }
}
