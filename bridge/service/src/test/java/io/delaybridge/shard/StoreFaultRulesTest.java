package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.store.SimStore.Call;
import java.time.Duration;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that is full, away, or loses a call. */
class StoreFaultRulesTest extends RuleTest {

  private static final Duration LONG = Duration.ofSeconds(30);

  // Memory.

  @Test
  void whileMemoryIsHighTheIntakePausesAndThePumpGoesOn() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    turns(bridge);
    store.memoryUse(0.9);
    turns(bridge);
    assertThat(status(bridge).state()).isEqualTo(ShardStatus.State.PAUSED);

    schedule("not yet", 10);
    at(10);
    turns(bridge);
    assertThat(delivered()).containsExactly("a");
    assertThat(store.next(shard())).isEqualTo(1);

    store.memoryUse(0.1);
    turns(bridge);
    assertThat(delivered()).containsExactly("a", "not yet");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.05, 0.8, 1})
  void anEmptyStoreLetsTheIntakeGoOnWhateverTheMark(double mark) {
    memoryHighWater = mark;
    SimBridge bridge = running("a");
    store.memoryUse(1.1);
    turns(bridge);
    assertThat(status(bridge).state()).isEqualTo(ShardStatus.State.PAUSED);

    store.memoryUse(0.001);
    turns(bridge);

    assertThat(status(bridge).state()).isEqualTo(ShardStatus.State.OPEN);
  }

  @Test
  void theIntakeDoesNotPauseBelowTheFrontier() {
    SimBridge bridge = running("a");
    schedule("a", 20);
    turns(bridge);
    Runnable fallBack = savepoint();
    schedule("b", 10);
    at(10);
    turns(bridge);
    assertThat(delivered()).containsExactly("b");
    store.memoryUse(0.9);
    turns(bridge);
    assertThat(status(bridge).state()).isEqualTo(ShardStatus.State.PAUSED);

    fallBack.run();
    at(20);
    turns(bridge);

    assertThat(delivered()).containsExactly("b", "a");
  }

  @Test
  void memoryIsAskedForSeldomWhileNothingComesIn() {
    SimBridge bridge = running("a");
    clock.pass(LONG);
    bridge.step();
    int before = store.calls(Call.MEMORY);

    for (int second = 1; second <= 10; second++) {
      clock.pass(Duration.ofSeconds(1));
      bridge.step();
    }
    assertThat(store.calls(Call.MEMORY) - before).isEqualTo(2);

    for (int second = 1; second <= 3; second++) {
      clock.pass(Duration.ofSeconds(1));
      schedule("a", 1_000_000);
      bridge.step();
    }
    assertThat(store.calls(Call.MEMORY) - before).isEqualTo(5);
  }

  /** No message may go out yet, however overdue it is. */
  @Test
  void aShardThatIsFedAgainIsLookedAtNowAndThenNotAllTheTime() {
    SimBridge bridge = running("a");
    schedule("a", 20);
    schedule("b", 10);
    at(10);
    turns(bridge);
    mustBeFedAgainWithoutRoom(bridge);
    at(20);
    SimBridge next = bridge("b");
    for (int i = 0; i < 10 && store.next(shard()) < 1; i++) {
      next.step();
    }
    assertThat(store.next(shard())).isEqualTo(1);
    kafka.maxPollRecords(0);
    turns(next);

    assertThat(next.consumer.lastPollTimeout()).isEqualTo(Duration.ofMillis(5));
  }

  /** Crashes the bridge. Its successor finds an empty store and gets one record at a time. */
  private void mustBeFedAgainWithoutRoom(SimBridge bridge) {
    store.memoryUse(0.9);
    store.wipe();
    kafka.maxPollRecords(1);
    bridge.crash();
  }

  @Test
  void aStoreThatIsRebuiltIsNotPausedBelowTheFrontier() {
    SimBridge bridge = running("a");
    schedule("a", 20);
    schedule("b", 10);
    at(10);
    turns(bridge);
    mustBeFedAgainWithoutRoom(bridge);

    at(20);
    running("b");

    assertThat(delivered()).containsExactly("b", "a");
  }

  @Test
  void aShardThatHasDeliveredNothingYetSaysThatItIsFedAgain() {
    SimBridge bridge = running("a");
    schedule("a", HOUR);
    schedule("b", HOUR);
    turns(bridge);
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);
    bridge.crash();
    store.wipe();
    kafka.maxPollRecords(1);

    SimBridge next = bridge("b");
    next.step();
    while (next.shard(P0).backlog.next() < 1) {
      next.step();
    }
    assertThat(committed().offset()).isEqualTo(2);
    assertThat(checkpoint().frontier()).isEqualTo(Frontier.NONE);
    assertThat(status(next).rebuilding()).isTrue();
    turns(next);

    assertThat(status(next).rebuilding()).isFalse();
  }

  @Test
  void roomThatIsMadeWhileAShardIsFedAgainLeavesNoProblemBehind() {
    SimBridge bridge = running("a");
    for (int i = 0; i < 9; i++) {
      schedule("later", 20);
    }
    schedule("b", 10);
    at(10);
    turns(bridge);
    mustBeFedAgainWithoutRoom(bridge);

    SimBridge next = bridge("b");
    next.step();
    for (int i = 0; i < 5 && next.shard(P0).phase.full() == null; i++) {
      next.step();
    }
    assertThat(next.shard(P0).phase.full()).isNotNull();
    assertThat(next.shard(P0).isBehindCheckpoint()).isTrue();
    store.memoryUse(0.1);
    turns(next);

    assertThat(status(next).state()).isEqualTo(ShardStatus.State.OPEN);
    assertThat(status(next).problem()).isNull();
  }

  // Outages.

  @Test
  void aSettleThatFailedIsMadeUpForAndTheShardGoesOn() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    schedule("b", 20);
    at(10);
    store.lose(Call.SETTLE);
    turns(bridge);
    assertThat(status(bridge).state()).isEqualTo(ShardStatus.State.OPEN);
    assertThat(pending()).containsExactly(1L);

    at(20);
    turns(bridge);
    assertThat(delivered()).containsExactly("a", "b");
    assertThat(pending()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void noCallThatFailsLosesOrRepeatsAMessage(Call call) {
    store.lose(call);
    goThroughEverything();
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void noReplyThatIsLostLosesOrRepeatsAMessage(Call call) {
    store.loseReply(call);
    goThroughEverything();
  }

  /** Exercises each kind of call, including rebuilding, dropping and sweeping. */
  private void goThroughEverything() {
    SimBridge bridge = running("a");
    schedule("a", 10, "x");
    schedule("cancelled", 20, "y");
    schedule("b", 20);
    at(10);
    turns(bridge);
    cancel("y");
    turns(bridge);
    store.damage(id(P0));
    at(20);
    for (int i = 0; i < 4; i++) {
      clock.pass(CHECKPOINT_EVERY);
      turns(bridge);
    }

    assertThat(delivered()).containsExactly("a", "b");
    assertThat(pending()).isEmpty();
    assertThat(store.ids(shard())).isEmpty();
  }

  @Test
  void duringAnOutageTheShardIsClosedAndPausedAndAfterwardsItGoesOn() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    turns(bridge);
    store.away(true);
    schedule("b", 10);
    at(10);
    turns(bridge);
    assertThat(status(bridge).state()).isEqualTo(ShardStatus.State.CLOSED);
    assertThat(bridge.consumer.isPaused(P0)).isTrue();
    assertThat(delivered()).isEmpty();

    store.away(false);
    clock.pass(LONG);
    turns(bridge);
    assertThat(delivered()).containsExactly("a", "b");
  }

  /** No delivery has moved the frontier since. The cancel is below the committed offset. */
  @Test
  void whatWasCancelledIsNotDeliveredWhileTheStoreIsFedAgain() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    at(10);
    turns(bridge);
    schedule("x", 20, "id");
    schedule("far", 1000);
    cancel("id");
    turns(bridge);
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);
    assertThat(committed().offset()).isEqualTo(4);

    store.wipe();
    kafka.maxPollRecords(1);
    at(30);
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);

    assertThat(pending()).containsExactly(2L);
    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void whatIsReadAgainIsNotCountedAgainstTheLimitsAgain() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    schedule("b", 20);
    turns(bridge);
    store.wipe();
    schedule("c", 30);
    turns(bridge);

    assertThat(pending()).containsExactly(0L, 1L, 2L);
    assertThat(bridge.told.admitted).isEqualTo(3);
  }

  @Test
  void aStoreThatFellBackAndTakesNoWritesIsNotOpenedAllTheTime() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    turns(bridge);
    Runnable older = savepoint();
    schedule("b", 20);
    at(10);
    turns(bridge);
    older.run();
    store.refuse(Call.INGEST, true);
    at(20);
    int before = store.calls(Call.OPEN);
    for (int i = 0; i < 300; i++) {
      // As with a broker, records arrive some turns after the shard was opened.
      kafka.maxPollRecords(i % 3 == 0 ? 10 : 0);
      bridge.step();
      clock.pass(Duration.ofMillis(100));
    }

    assertThat(store.calls(Call.OPEN) - before).isBetween(3, 25);
    store.refuse(Call.INGEST, false);
    kafka.maxPollRecords(10);
    clock.pass(LONG);
    turns(bridge);
    assertThat(delivered()).containsExactly("a", "b");
  }

  @Test
  void aShardWhosePositionIsNotKnownDoesNotHoldUpTheOthers() {
    kafka.addPartitions(SimKafka.INTAKE, 2);
    SimBridge bridge = running("a");
    bridge.consumer.losePosition(P0, true);
    schedule("a", 10);
    kafka.append(request(P1, TARGET, "b", 10, null), false);
    at(10);
    turns(bridge);
    assertThat(delivered()).containsExactly("b");

    bridge.consumer.losePosition(P0, false);
    clock.pass(LONG);
    turns(bridge);
    assertThat(delivered()).containsExactly("b", "a");
  }

  @Test
  void manyShardsWhosePositionIsNotKnownAreWaitedForOnce() {
    kafka.addPartitions(SimKafka.INTAKE, 8);
    SimBridge bridge = running("a");
    for (int i = 0; i < 8; i++) {
      bridge.consumer.losePosition(new TopicPartition(SimKafka.INTAKE, i), true);
    }

    bridge.step();

    assertThat(bridge.consumer.waited()).isEqualTo(Duration.ofMillis(500));
  }
}
