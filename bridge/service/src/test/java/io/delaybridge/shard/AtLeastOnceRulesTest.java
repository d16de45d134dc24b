package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.Due;
import io.delaybridge.shard.Frontier.Pair;
import io.delaybridge.shard.SimDelivery.Fault;
import io.delaybridge.store.Entry;
import io.delaybridge.store.SimStore.Call;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The same turn without a transaction: it may repeat, but it loses nothing. */
class AtLeastOnceRulesTest extends RuleTest {

  @BeforeEach
  void withoutTransactions() {
    exactlyOnce = false;
  }

  @Test
  void whatWasRefusedIsNotCoveredAndTheOthersAreNotSentAgain() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    schedule("refused", 10);
    schedule("c", 10);
    kafka.refuse(TARGET, "refused", new NotEnoughReplicasException("for now"));
    at(10);
    bridge.step();

    assertThat(delivered()).containsExactly("a", "c");
    assertThat(bridge.shard(P0).progress.frontier()).isEqualTo(Frontier.NONE);
    assertThat(pending()).containsExactly(1L);

    kafka.accept();
    at(1000);
    turns(bridge);
    at(3000);
    turns(bridge);
    assertThat(delivered()).containsExactly("a", "c", "refused");
  }

  @Test
  void thePairIsAddedOnlyAfterEverythingWentOut() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    schedule("b", 10);
    at(10);
    bridge.delivery.fault(Fault.HALF_OUT);
    bridge.step();
    assertThat(bridge.shard(P0).progress.frontier()).isEqualTo(Frontier.NONE);
    assertThat(pending()).containsExactly(0L, 1L);

    turns(bridge);
    assertThat(delivered()).containsExactly("a", "a", "b");
    assertThat(bridge.shard(P0).progress.frontier().pairs())
        .containsExactly(new Pair(2, new Due(START + 11, 0)));
  }

  @Test
  void aCrashBeforeTheCheckpointRepeatsButLosesNothing() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    schedule("b", 20);
    at(10);
    turns(bridge);
    bridge.crash();
    store.wipe();

    SimBridge next = running("b");
    at(20);
    turns(next);

    assertThat(delivered()).containsExactly("a", "a", "b");
  }

  @Test
  void aCheckpointFollowsEveryFewSeconds() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    at(10);
    turns(bridge);
    assertThat(checkpoint().frontier()).isEqualTo(Frontier.NONE);

    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);
    assertThat(checkpoint().frontier().pairs())
        .containsExactly(new Pair(1, new Due(START + 11, 0)));

    bridge.crash();
    store.wipe();
    running("b");
    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void aLoopThatLeavesCommitsWhatItHasSent() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    at(10);
    turns(bridge);
    bridge.stop();
    store.wipe();

    running("b");

    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void aLoopThatLeavesDuringARebalanceWaitsForItsEndWithTheLastCheckpoint() {
    SimBridge bridge = running("a");
    SimBridge other = running("b");
    turns(bridge);
    schedule("a", 10);
    at(10);
    turns(bridge);
    turns(other);
    SimBridge third = bridge("c");
    third.step();
    bridge.step();
    assertThat(kafka.group().isRebalancing()).isTrue();
    bridge.delivery.before(other::step);
    bridge.stop();
    third.crash();
    store.wipe();

    turns(other);

    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void aStoreThatRefusesToSettleDoesNotRepeatWhatIsOut() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    turns(bridge);
    at(10);
    store.refuse(Call.SETTLE, true);
    turns(bridge);
    assertThat(delivered()).containsExactly("a");

    store.refuse(Call.SETTLE, false);
    turns(bridge);
    assertThat(delivered()).containsExactly("a");
    assertThat(pending()).isEmpty();
  }

  @Test
  void aCheckpointThatIsRefusedDuringARebalanceHoldsUpNoDelivery() {
    SimBridge bridge = running("a");
    running("b");
    turns(bridge);
    schedule("first", 10);
    schedule("second", 20);
    turns(bridge);
    bridge("c").step();
    clock.pass(CHECKPOINT_EVERY);
    at(10);
    bridge.step();
    assertThat(kafka.group().isRebalancing()).isTrue();
    assertThat(checkpoint().frontier()).isEqualTo(Frontier.NONE);

    at(20);
    bridge.step();

    assertThat(delivered()).containsExactly("first", "second");
  }

  @Test
  void aPartitionThatIsHandedOverTakesItsFrontierAlong() {
    SimBridge bridge = running("a");
    SimBridge other = running("b");
    turns(bridge);
    schedule("a", 10);
    at(10);
    turns(bridge);
    kafka.group().giveAll(other.consumer);
    turns(bridge);
    store.wipe();

    turns(other);
    turns(bridge);
    turns(other);

    assertThat(checkpoint().frontier().pairs())
        .containsExactly(new Pair(1, new Due(START + 11, 0)));
    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void feedingAgainSkipsByTheCommittedFrontierOnly() {
    SimBridge bridge = running("a");
    schedule("filler", HOUR);
    turns(bridge);
    Runnable fallBack = savepoint();
    schedule("sent", 10);
    at(10);
    turns(bridge);
    store.ingested();

    fallBack.run();
    clock.pass(CHECKPOINT_EVERY);
    store.after(
        Call.INGEST,
        () ->
            assertThat(store.ingested())
                .singleElement()
                .isInstanceOfSatisfying(
                    Entry.Schedule.class, entry -> assertThat(entry.covered()).isFalse()));
    bridge.step();
    assertThat(store.next(shard())).isEqualTo(1);
    turns(bridge);

    assertThat(store.next(shard())).isEqualTo(2);
    assertThat(delivered()).containsExactly("sent");
    assertThat(pending()).containsExactly(0L);
  }
}
