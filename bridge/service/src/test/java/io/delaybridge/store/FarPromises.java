package io.delaybridge.store;

import static io.delaybridge.store.Samples.cancel;
import static io.delaybridge.store.Samples.covered;
import static io.delaybridge.store.Samples.far;
import static io.delaybridge.store.Samples.home;
import static io.delaybridge.store.Samples.named;
import static io.delaybridge.store.Samples.schedule;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.store.ShardStore.Index;
import io.delaybridge.store.ShardStore.Named;
import io.delaybridge.store.ShardStore.Opened;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The knowledge of the id index about messages in the later topic. See ADR 32. */
interface FarPromises extends StoreFixture {

  @Test
  default void anIdStandsForAFarMessageThatHasLeft() {
    shard().append(schedule(far(1, 10, "a")));

    shard().settleKeepingIds(1, far(1, 10, "a"));

    assertThat(shard().open()).isEqualTo(new Opened(100, 1, 0, 1, Index.NEAR, 1));
    assertThat(shard().isAlive("a", 1)).isTrue();
    assertThat(shard().sweep("a")).isZero();
  }

  @Test
  default void aCoveredFarMessageIsFarAtOnce() {
    shard().append(schedule(named(1, 10, "a")), covered(far(2, 10, "a")));

    assertThat(shard().pending()).isEmpty();
    assertThat(shard().isAlive("a", 2)).isTrue();
    assertThat(shard().open().far()).isEqualTo(1);
  }

  /** It left, and no copy waits: it came home, which a record behind it says, or it is over. */
  @Test
  default void aCoveredFarMessageThatWasNotRecalledIsSweptOnceAllIsFed() {
    shard().recall(0, new Named("waits", 2, 7));
    shard()
        .append(
            covered(far(1, 10, "over")),
            covered(far(2, 10, "waits")),
            covered(far(3, 10, "home")),
            schedule(far(4, 10, "leaves")),
            schedule(home(5, 1_010, "home", 3)));
    assertThat(shard().open().far()).isEqualTo(3);
    assertThat(shard().sweep("over", "waits", "home", "leaves")).isZero();

    shard().complete(100);

    assertThat(shard().sweep("over", "waits", "home", "leaves")).isEqualTo(1);
    assertThat(shard().ids()).containsExactlyInAnyOrder("waits", "home", "leaves");
    assertThat(shard().open().far()).isEqualTo(2);
  }

  @Test
  default void aCancelAndAReplacementEndAFarMessage() {
    shard().append(covered(far(1, 10, "a")), covered(far(2, 10, "b")));

    shard().append(cancel("a", 101), schedule(named(102, 20, "b")));

    assertThat(shard().isAlive("a", 1)).isFalse();
    assertThat(shard().isAlive("b", 2)).isFalse();
    assertThat(shard().open()).isEqualTo(new Opened(200, 0, 1, 1, Index.NEAR, 0));
  }

  @Test
  default void aFarMessageThatWasReplacedBeforeItsSettleIsNotFar() {
    shard().append(schedule(far(1, 10, "a")));
    shard().append(schedule(named(101, 20, "a")));

    shard().settleKeepingIds(1, far(1, 10, "a"));

    assertThat(shard().pendingOffsets()).containsExactly(101L);
    assertThat(shard().open().far()).isZero();
  }

  @Test
  default void whatComesHomeTakesThePlaceOfItsOrigin() {
    shard().append(covered(far(1, 10, "a")));

    shard().append(schedule(home(101, 1_010, "a", 1)), schedule(home(102, 1_010, null, 3)));

    assertThat(shard().pending())
        .containsExactly(home(101, 1_010, "a", 1), home(102, 1_010, null, 3));
    assertThat(shard().open().far()).isZero();
    shard().settle(1, home(101, 1_010, "a", 1));
    assertThat(shard().ids()).isEmpty();
  }

  @Test
  default void whatComesHomeTwiceIsThereOnce() {
    shard().append(covered(far(1, 10, "a")));
    shard().append(schedule(home(101, 1_010, "a", 1)), schedule(home(102, 1_010, null, 3)));

    shard().append(schedule(home(201, 1_010, "a", 1)), schedule(home(202, 1_010, null, 3)));

    assertThat(shard().pending())
        .containsExactly(home(201, 1_010, "a", 1), home(202, 1_010, null, 3));
  }

  @Test
  default void whatComesHomeAfterItsCancelIsDropped() {
    shard().append(covered(far(1, 10, "a")), cancel("a", 2), schedule(home(3, 1_010, "a", 1)));

    assertThat(shard().pending()).isEmpty();
    assertThat(shard().ids()).isEmpty();
  }

  @Test
  default void whatIsRecalledLivesUntilSomethingNewerIsSaid() {
    shard().ingest(ShardStore.ABSENT, 100);

    shard().recall(new Named("a", 5), new Named("b", 60), new Named("a", 50), new Named("c", 7));

    assertThat(shard().open()).isEqualTo(new Opened(100, 0, 0, 3, Index.RECALLED, 3));
    shard().append(cancel("a", 40), cancel("b", 70), schedule(named(80, 20, "c")), cancel("d", 90));
    assertThat(shard().isAlive("a", 50)).isTrue();
    assertThat(shard().isAlive("b", 60)).isFalse();
    assertThat(shard().isAlive("c", 7)).isFalse();
    assertThat(shard().pendingOffsets()).containsExactly(80L);
    assertThat(shard().ids()).containsExactlyInAnyOrder("a", "b", "c", "d");
  }

  @Test
  default void untilTheIndexIsCompleteAbsenceIsLife() {
    shard().ingest(ShardStore.ABSENT, 100);
    shard().recall();

    shard().append(schedule(home(110, 1_010, "a", 5)), cancel("b", 111));
    shard().append(schedule(home(210, 1_010, "b", 6)), schedule(home(211, 1_010, "b", 150)));

    assertThat(shard().pending())
        .containsExactly(home(110, 1_010, "a", 5), home(211, 1_010, "b", 150));
  }

  @Test
  default void untilTheIndexIsCompleteWhatWasDeliveredIsRemembered() {
    shard().ingest(ShardStore.ABSENT, 100);
    shard().recall();
    shard().append(schedule(named(110, 20, "a")));

    shard().settle(1, named(110, 20, "a"));
    shard().append(schedule(home(210, 1_010, "a", 5)));

    assertThat(shard().pending()).isEmpty();
    assertThat(shard().sweep("a")).isZero();
  }

  @Test
  default void onceTheIndexIsCompleteItsMarksAreSwept() {
    shard().ingest(ShardStore.ABSENT, 100);
    shard().recall(new Named("b", 5));
    shard().append(cancel("a", 110));

    assertThat(shard().complete(201)).isFalse();
    assertThat(shard().complete(200)).isTrue();

    assertThat(shard().sweep("a", "b")).isEqualTo(1);
    assertThat(shard().ids()).containsExactly("b");
    shard().append(schedule(home(210, 1_010, "a", 5)));
    assertThat(shard().pending()).isEmpty();
  }

  @Test
  default void nothingIsRecalledTwiceOrIntoAnotherState() {
    assertThat(shard().recall(7, 7, false, List.of(new Named("a", 5)))).isNegative();
    assertThat(shard().recall(ShardStore.ABSENT, 7, true, List.of(new Named("a", 5)))).isEqualTo(7);

    assertThat(shard().complete(7)).isTrue();

    shard().recall(new Named("b", 5));

    assertThat(shard().ids()).containsExactly("a");
    assertThat(shard().open()).isEqualTo(new Opened(7, 0, 0, 1, Index.COMPLETE, 1));
  }

  @Test
  default void aStoreThatHasForgottenWhatIsFarTakesNothingIn() {
    shard().append(schedule(named(1, 10, "a")));

    ShardClient knowing = new ShardClient(shard().store(), shard().shard().recalled());

    assertThat(knowing.ingest(100, 200, schedule(named(101, 20, "b"))).applied()).isFalse();
    assertThat(shard().pendingOffsets()).containsExactly(1L);
  }
}
