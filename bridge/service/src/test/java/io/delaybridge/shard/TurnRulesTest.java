package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.Due;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.shard.Frontier.Pair;
import io.delaybridge.store.SimStore.Call;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.junit.jupiter.api.Test;

/** Position, gate, frontier and checkpoint: the rules of a turn of one bridge that is alone. */
class TurnRulesTest extends RuleTest {

  @Test
  void nothingIsDeliveredEarly() {
    schedule("a", 10);
    SimBridge bridge = running("a");

    at(9);
    turns(bridge);
    assertThat(delivered()).isEmpty();

    at(10);
    turns(bridge);
    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void whatIsDueAtTheSameTimeIsDeliveredInTheOrderOfTheLog() {
    schedule("later", 11);
    schedule("first", 10);
    schedule("second", 10);
    schedule("third", 10);
    maxTakeCount = 2;
    SimBridge bridge = running("a");

    at(11);
    turns(bridge);

    assertThat(delivered()).containsExactly("first", "second", "third", "later");
  }

  @Test
  void aPollWaitsUntilTheNextDueTimeButNeverLongerThanHalfASecond() {
    schedule("soon", 4_120);
    schedule("late", 60_000);
    SimBridge bridge = running("a");
    at(4_000);
    turns(bridge);
    assertThat(bridge.consumer.lastPollTimeout()).isEqualTo(Duration.ofMillis(120));

    at(4_120);
    turns(bridge);
    assertThat(bridge.consumer.lastPollTimeout()).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void aPollWaitsUntilTheToleranceOfTheNextHasPassed() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 300; i++) {
      tolerance = random.nextInt(501);
      int due = 10_000 * (i + 1) + random.nextInt(1_000);
      int now = due - 1 - random.nextInt(600);
      schedule("soon", due);
      SimBridge bridge = running("a" + i);
      at(now);
      turns(bridge);

      long expected = Math.min(500, due + tolerance - now);
      assertThat(bridge.consumer.lastPollTimeout()).isEqualTo(Duration.ofMillis(expected));
      at(due);
      turns(bridge);
      bridge.crash();
    }
  }

  @Test
  void whatIsDueWaitsForTheToleranceAndAllThatIsDueGoesWithTheFirst() {
    tolerance = 10;
    schedule("first", 100);
    schedule("second", 105);
    schedule("third", 111);
    SimBridge bridge = running("a");
    at(105);
    schedule("later", 300);
    bridge.step();
    at(109);
    bridge.step();
    assertThat(delivered()).as("although a record made it turn").isEmpty();

    at(110);
    bridge.step();
    assertThat(delivered()).containsExactly("first", "second");

    at(120);
    bridge.step();
    assertThat(delivered()).as("due nine milliseconds ago").hasSize(2);
    at(121);
    bridge.step();
    assertThat(delivered()).containsExactly("first", "second", "third");
  }

  @Test
  void whatIsDueWhenItIsReadGoesAtOnceWithAllThatIsDue() {
    limited = false;
    tolerance = 10;
    schedule("first", 100);
    SimBridge bridge = running("a");
    at(101);
    schedule("past", 50);
    bridge.step();
    assertThat(delivered()).containsExactly("past", "first");
  }

  @Test
  void whatComesWithinHalfOfTheToleranceIsStoredInTheSameTurn() {
    tolerance = 10;
    SimBridge bridge = meddled(() -> schedule("second", 100));
    int stored = store.calls(Call.INGEST);
    schedule("first", 100);
    long before = clock.millis();
    bridge.step();

    assertThat(store.next(shard())).isEqualTo(2);
    assertThat(store.calls(Call.INGEST)).isEqualTo(stored + 1);
    assertThat(clock.millis() - before).isEqualTo(5);
  }

  @Test
  void nobodyWaitsForMoreWhenThatWouldMakeALoopLate() {
    tolerance = 10;
    SimBridge bridge = meddled(() -> {});
    schedule("soon", 20);
    bridge.step();
    at(27);
    schedule("more", 100);
    long before = clock.millis();
    bridge.step();
    assertThat(clock.millis() - before).as("until what is due must go").isEqualTo(3);

    at(100);
    clock.pass(Duration.ofMillis(5));
    schedule("late", 200);
    before = clock.millis();
    bridge.step();
    assertThat(clock.millis() - before).as("it has waited during the last turn").isZero();
  }

  @Test
  void whoHasWaitedForTheFirstWaitsForMoreHoweverLongAgoTheLastTurnWas() {
    tolerance = 10;
    SimBridge bridge =
        meddled(
            () -> schedule("second", 100),
            new SimWiring() {
              @Override
              SimConsumer consumer(SimKafka sim, String name) {
                return new SimConsumer(sim, name) {
                  @Override
                  public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
                    clock.pass(timeout);
                    return super.poll(timeout);
                  }
                };
              }
            });
    schedule("first", 100);
    long before = clock.millis();
    bridge.step();
    assertThat(clock.millis() - before).isEqualTo(5);
  }

  @Test
  void nobodyWaitsForMoreWhereMoreWaits() {
    tolerance = 10;
    kafka.maxPollRecords(1);
    SimBridge bridge = meddled(() -> {});
    schedule("first", 100);
    schedule("second", 100);
    long before = clock.millis();
    bridge.step();
    assertThat(clock.millis()).isEqualTo(before);
    bridge.step();
    assertThat(clock.millis() - before).as("the last of it").isEqualTo(5);
  }

  @Test
  void whatWasReadIsStoredAlthoughTheReadAfterThePauseFails() {
    kafka.addPartitions(SimKafka.INTAKE, 2);
    tolerance = 10;
    SimBridge bridge =
        meddled(
            () -> {
              kafka.append(request(P1, TARGET, "gone", 100, null), false);
              kafka.log(P1).deleteBefore(1);
            });
    schedule("first", 100);
    bridge.step();

    assertThat(store.next(shard())).isEqualTo(1);
    assertThat(bridge.shard(P1).isOpen()).isFalse();
    at(110);
    turns(bridge);
    assertThat(delivered()).containsExactly("first");
  }

  /** Starts a bridge that has nothing to do; the action runs in its first pause. */
  private SimBridge meddled(Runnable first) {
    return meddled(first, new SimWiring());
  }

  private SimBridge meddled(Runnable first, SimWiring wiring) {
    AtomicReference<Runnable> once = new AtomicReference<>(first);
    SimBridge bridge =
        new SimBridge(
            "a",
            new SimBridge.Around(kafka, shards(), clock, wiring),
            settings(),
            exactlyOnce,
            new Meddler() {
              @Override
              public void whileReading() {
                once.getAndSet(() -> {}).run();
              }
            });
    turns(bridge);
    bridge.step();
    return bridge;
  }

  @Test
  void pollsAreShortWhilePartitionsAreBeingDivided() {
    Duration brief = Duration.ofMillis(20);
    SimBridge bridge = running("a");
    bridge.step();
    assertThat(bridge.consumer.lastPollTimeout()).isEqualTo(brief);
    clock.pass(Duration.ofSeconds(4));
    bridge.step();
    assertThat(bridge.consumer.lastPollTimeout()).isGreaterThan(brief);

    SimBridge other = running("b");
    turns(bridge);
    other.step();
    assertThat(bridge.consumer.lastPollTimeout()).isEqualTo(brief);
    assertThat(other.consumer.lastPollTimeout()).isEqualTo(brief);
  }

  @Test
  void shardsWithNothingDueAreLookedAtInOneTurn() {
    kafka.addPartitions(SimKafka.INTAKE, 2);
    SimBridge bridge = running("a");
    schedule("a", 10);
    at(10);
    turns(bridge);
    int takes = store.calls(Call.TAKE);

    // Long enough that only the shard without due messages is looked at because of the time.
    clock.pass(CHECKPOINT_EVERY.minusSeconds(4));
    bridge.step();
    assertThat(store.calls(Call.TAKE)).isEqualTo(takes + 2);

    turns(bridge);
    assertThat(store.calls(Call.TAKE)).as("and not again at once").isEqualTo(takes + 2);
  }

  // Position.

  @Test
  void theStoreFollowsThePositionPastTheMarkersOfTransactions() {
    SimBridge bridge = running("a");
    SimTransaction transaction = kafka.begin();
    transaction.send(request(P0, TARGET, "a", 10, null));
    transaction.commit();
    SimTransaction aborted = kafka.begin();
    aborted.send(request(P0, TARGET, "never", 10, null));
    aborted.abort();
    turns(bridge);
    assertThat(store.next(shard())).isEqualTo(4);

    int seeks = bridge.consumer.seeks();
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);
    assertThat(bridge.consumer.seeks()).as("seeks while there is nothing to do").isEqualTo(seeks);
    assertThat(committed().offset()).isEqualTo(4);

    at(10);
    turns(bridge);
    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void markersAloneMoveTheStoreToTheEndOfTheLog() {
    SimBridge bridge = running("a");
    SimTransaction aborted = kafka.begin();
    aborted.send(request(P0, TARGET, "never", 10, null));
    aborted.abort();

    turns(bridge);

    assertThat(store.next(shard())).isEqualTo(2);
  }

  // The gate, and what re-feeding does.

  @Test
  void whatWasCancelledDoesNotComeBackFromAStoreThatFellBack() {
    SimBridge bridge = bridge("a");
    schedule("cancelled", 20, "x");
    turns(bridge);
    Runnable fallBack = savepoint();
    cancel("x");
    schedule("first", 10);
    schedule("second", 15);
    at(10);
    turns(bridge);
    assertThat(delivered()).containsExactly("first");

    fallBack.run();
    at(20);
    turns(bridge);

    assertThat(delivered()).containsExactly("first", "second");
  }

  @Test
  void theGateStaysShutUntilTheHighestOffsetOfTheFrontier() {
    SimBridge bridge = bridge("a");
    schedule("replaced", 20, "x");
    turns(bridge);
    Runnable fallBack = savepoint();
    schedule("filler", 60);
    schedule("more filler", 70);
    schedule("new", 50, "x");
    schedule("first", 10);
    at(10);
    turns(bridge);

    fallBack.run();
    kafka.maxPollRecords(1);
    at(20);
    turns(bridge);
    assertThat(delivered()).containsExactly("first");

    at(70);
    turns(bridge);
    assertThat(delivered()).containsExactly("first", "new", "filler", "more filler");
  }

  @Test
  void aCoveredScheduleReplacesThePendingMessageOfItsId() {
    SimBridge bridge = bridge("a");
    schedule("old", 20, "x");
    turns(bridge);
    Runnable fallBack = savepoint();
    schedule("new", 5, "x");
    schedule("other", 15);
    at(5);
    turns(bridge);
    assertThat(delivered()).containsExactly("new");

    fallBack.run();
    at(20);
    turns(bridge);

    assertThat(delivered()).containsExactly("new", "other");
  }

  @Test
  void aCancelActsAgainWhenItIsFedAgain() {
    SimBridge bridge = bridge("a");
    schedule("first", 10);
    schedule("cancelled", 20, "x");
    cancel("x");
    schedule("last", 30);
    at(10);
    turns(bridge);

    store.wipe();
    at(30);
    turns(bridge);

    assertThat(delivered()).containsExactly("first", "last");
    assertThat(store.ids(shard())).isEmpty();
  }

  // Coverage of the frontier.

  @Test
  void whatWasCommittedButNotSettledIsNotDeliveredAgainAndRemoved() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    schedule("b", 20);
    at(10);
    store.lose(Call.SETTLE);
    bridge.step();
    bridge.crash();
    assertThat(pending()).containsExactly(0L, 1L);

    SimBridge next = running("b");

    assertThat(delivered()).containsExactly("a");
    assertThat(pending()).containsExactly(1L);
    assertThat(next.told.skipped).isEqualTo(1);
  }

  @Test
  void nothingIsSettledBeforeItIsCommitted() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    at(10);
    bridge.delivery.fault(SimDelivery.Fault.NOT_OUT);
    bridge.step();
    assertThat(pending()).containsExactly(0L);

    turns(bridge);
    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void aMessageThatArrivesLateWithAnEarlierDueTimeIsStillDelivered() {
    SimBridge bridge = bridge("a");
    schedule("first", 10);
    schedule("last", 30);
    at(10);
    turns(bridge);
    schedule("late", 5);

    turns(bridge);
    assertThat(delivered()).containsExactly("first", "late");

    store.wipe();
    at(30);
    turns(bridge);
    assertThat(delivered()).containsExactly("first", "late", "last");
  }

  @Test
  void anIntakeThatMayNotBeReadStopsItsShardsAndNotTheLoop() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    turns(bridge);
    bridge.consumer.unauthorized(true);
    bridge.step();
    assertThat(status(bridge).state()).isEqualTo(ShardStatus.State.STOPPED);
    assertThat(status(bridge).problem())
        .isEqualTo("the bridge is not authorized to read the intake");

    bridge.consumer.unauthorized(false);
    at(10);
    clock.pass(Duration.ofSeconds(10));
    turns(bridge);
    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void aTakeThatIsCutShortDoesNotCoverTheRest() {
    maxTakeCount = 1;
    SimBridge bridge = running("a");
    schedule("a", 10);
    schedule("b", 10);
    schedule("c", 10);
    at(10);
    bridge.step();

    assertThat(delivered()).containsExactly("a");
    assertThat(checkpoint().frontier().pairs())
        .containsExactly(new Pair(3, new Due(START + 10, 1)));

    store.wipe();
    turns(bridge);
    assertThat(delivered()).containsExactly("a", "b", "c");
  }

  @Test
  void whatWasDeliveredIsCoveredItself() {
    SimBridge bridge = bridge("a");
    schedule("a", 10);
    schedule("b", 20);
    at(10);
    turns(bridge);

    for (int i = 0; i < 3; i++) {
      store.wipe();
      turns(bridge);
    }

    assertThat(delivered()).containsExactly("a");
    assertThat(checkpoint().frontier().pairs())
        .containsExactly(new Pair(2, new Due(START + 11, 0)));
  }

  @Test
  void messagesThatComeInEverEarlierDueOrderLeaveNoPairsBehind() {
    SimBridge bridge = running("a");
    for (int i = 0; i < 50; i++) {
      schedule("far", 1_000_000 - i);
      schedule("now", i);
      at(i);
      turns(bridge);
    }
    assertThat(delivered()).hasSize(50);
    assertThat(checkpoint().frontier().pairs()).hasSizeLessThan(3);
  }

  @Test
  void aPairSpeaksOfTheOffsetThatTheTakeSawNotOfWhereTheLoopIs() {
    SimBridge bridge = bridge("a");
    schedule("due", 10);
    turns(bridge);
    Runnable fallBack = savepoint();
    schedule("earlier", 8);
    turns(bridge);

    fallBack.run();
    at(10);
    bridge.step();
    assertThat(checkpoint().frontier().pairs())
        .containsExactly(new Pair(1, new Due(START + 11, 0)));

    turns(bridge);
    assertThat(delivered()).containsExactly("due", "earlier");
  }

  @Test
  void aClockThatIsSetBackAfterTheTakeDoesNotMakeWhatWasDueLookEarly() {
    SimBridge bridge = bridge("a");
    schedule("due", 10);
    turns(bridge);

    at(10);
    store.after(Call.TAKE, () -> at(0));
    bridge.delivery.before(() -> at(10));
    bridge.step();
    assertThat(delivered()).containsExactly("due");
    assertThat(header(kafka.records(TARGET).get(0), DelayHeaders.DELIVERED_AT))
        .isEqualTo(Long.toString(START + 10));
  }

  @Test
  void aCheckpointThatOnlyFollowsTheIntakeLeavesThePairsAsTheyAre() {
    SimBridge bridge = bridge("a");
    schedule("a", 10);
    at(10);
    turns(bridge);
    List<Pair> pairs = checkpoint().frontier().pairs();
    schedule("b", 20);
    turns(bridge);
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);

    assertThat(committed().offset()).isEqualTo(2);
    assertThat(checkpoint().frontier().pairs()).isEqualTo(pairs);
    store.wipe();
    at(20);
    turns(bridge);
    assertThat(delivered()).containsExactly("a", "b");
  }

  @Test
  void theCommittedOffsetIsNotLoweredWhileTheStoreIsFedAgain() {
    SimBridge bridge = bridge("a");
    schedule("a", 10);
    at(10);
    turns(bridge);
    schedule("b", 20);
    schedule("c", 30);
    turns(bridge);
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);
    assertThat(committed().offset()).isEqualTo(3);

    store.wipe();
    kafka.maxPollRecords(1);
    at(20);
    for (int i = 0; i < 100 && delivered().size() < 2; i++) {
      bridge.step();
      clock.pass(Duration.ofMillis(100));
    }

    assertThat(delivered()).containsExactly("a", "b");
    assertThat(committed().offset()).isEqualTo(3);
  }

  // Malformed records.

  @Test
  void aMalformedRecordIsDueAtItsOwnTimestampWheneverItIsRead() {
    SimBridge bridge = bridge("a");
    schedule("a", 100);
    malformed("bad");
    turns(bridge);
    assertThat(dead()).containsExactly("bad NO_DUE_TIME");

    store.wipe();
    at(200);
    turns(bridge);

    assertThat(dead()).containsExactly("bad NO_DUE_TIME");
    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void aBridgeWhoseClockIsFarBehindWaitsForTheTimestampOfAMalformedRecord() {
    malformed("bad");
    at(-HOUR);
    SimBridge bridge = running("a");
    assertThat(dead()).isEmpty();
    assertThat(pending()).containsExactly(0L);

    at(0);
    turns(bridge);
    assertThat(dead()).containsExactly("bad NO_DUE_TIME");
  }

  @Test
  void whatWasDeliveredAtLeastOnceIsInTheNextCheckpoint() {
    exactlyOnce = false;
    SimBridge bridge = running("a");
    clock.pass(CHECKPOINT_EVERY);
    bridge.step();
    clock.pass(Duration.ofMillis(100));
    schedule("first", 0);
    bridge.step();
    clock.pass(Duration.ofMillis(900));
    schedule("second", 0);
    bridge.step();
    clock.pass(CHECKPOINT_EVERY.minusSeconds(1));
    bridge.step();

    assertThat(delivered()).containsExactly("first", "second");
    assertThat(committed().offset()).isEqualTo(2);
  }
}
