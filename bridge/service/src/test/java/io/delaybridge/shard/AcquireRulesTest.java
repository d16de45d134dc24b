package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.delaybridge.message.Due;
import io.delaybridge.shard.Frontier.Pair;
import io.delaybridge.shard.SimDelivery.Fault;
import io.delaybridge.store.SimStore.Call;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Reactions of a bridge to the state it finds in Kafka and in the store. */
class AcquireRulesTest extends RuleTest {

  private static final Duration MENDED = Duration.ofSeconds(11);

  private final ListAppender<ILoggingEvent> said = new ListAppender<>();
  private final Logger log = (Logger) LoggerFactory.getLogger("io.delaybridge.shard");

  @BeforeEach
  void listen() {
    start = IntakeStart.ASK;
    said.start();
    log.addAppender(said);
  }

  @AfterEach
  void stopListening() {
    log.detachAppender(said);
  }

  private List<String> warnings() {
    return said.list.stream()
        .filter(event -> event.getLevel().toString().equals("WARN"))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  private SimBridge gone(SimBridge bridge) {
    bridge.crash();
    return bridge;
  }

  private void assertStopped(SimBridge bridge, String why) {
    turns(bridge);
    assertThat(status(bridge).state()).isEqualTo(ShardStatus.State.STOPPED);
    assertThat(status(bridge).problem()).contains(why);
    assertThat(bridge.consumer.isPaused(P0)).isTrue();
  }

  // Checkpoint and store.

  @Test
  void withBothThereItGoesOnWhereItWas() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    schedule("b", 20);
    at(10);
    turns(bridge);
    gone(bridge);

    SimBridge next = running("b");
    at(20);
    turns(next);

    assertThat(delivered()).containsExactly("a", "b");
    assertThat(next.told.refed).isZero();
    assertThat(warnings()).isEmpty();
  }

  @Test
  void anEmptyStoreIsRebuiltFromTheStartOfTheIntakeAndNothingIsDeliveredTwice() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    schedule("b", 20, "x");
    schedule("c", 30);
    at(20);
    turns(bridge);
    gone(bridge);
    store.wipe();

    SimBridge next = running("b");
    assertThat(pending()).containsExactly(2L);
    at(30);
    turns(next);

    assertThat(delivered()).containsExactly("a", "b", "c");
    assertThat(next.told.refed).isEqualTo(1);
    assertThat(warnings()).singleElement().asString().contains("is not in Redis");
  }

  @Test
  void aStoreThatIsEmptiedWhileTheBridgeRunsIsRebuilt() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    schedule("b", 20);
    at(10);
    turns(bridge);

    store.wipe();
    at(20);
    turns(bridge);

    assertThat(delivered()).containsExactly("a", "b");
  }

  @Test
  void withoutACheckpointTheStoreIsTrustedAndTheFirstTakeWritesOne() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    schedule("b", 20);
    at(10);
    turns(bridge);
    gone(bridge);
    kafka.group().forget(P0);

    SimBridge next = running("b");
    assertThat(warnings()).singleElement().asString().contains("the bridge trusts Redis");
    assertThat(committed().offset()).isEqualTo(2);

    at(20);
    turns(next);
    assertThat(delivered()).containsExactly("a", "b");
  }

  @Test
  void aCheckpointThatIsOlderThanTheStoreKnowsIsToldOf() {
    SimBridge bridge = running("a");
    OffsetAndMetadata old = committed();
    schedule("a", 10);
    at(10);
    turns(bridge);
    gone(bridge);
    kafka.group().forget(P0);
    kafka.group().commit(P0, old);

    running("b");

    assertThat(warnings()).singleElement().asString().contains("was lost or reset");
  }

  @Test
  void anEmptyIntakeIsTheBeginningOfANewShard() {
    SimBridge bridge = running("a");

    assertThat(status(bridge).state()).isEqualTo(ShardStatus.State.OPEN);
    assertThat(committed().offset()).isZero();
  }

  @Test
  void recordsThatNothingIsKnownOfStopTheShardAndTheTextNamesTheWayOut() {
    schedule("a", 10);
    at(10);
    SimBridge bridge = bridge("a");

    assertStopped(bridge, "set intake.start to earliest to deliver them, or to latest to skip");
    assertThat(delivered()).isEmpty();
    assertThat(kafka.group().committed(P0)).isNull();
  }

  @Test
  void earliestDeliversWhatTheIntakeHolds() {
    schedule("a", 10);
    at(10);
    start = IntakeStart.EARLIEST;

    running("a");

    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void whatWasWrittenSinceTheBridgeSawThePartitionEmptyIsDelivered() {
    kafka.bridgeLooks(P0);
    schedule("a", 10);
    at(10);

    running("a");

    assertThat(delivered()).containsExactly("a");
    assertThat(warnings()).isEmpty();
  }

  @Test
  void latestSkipsNothingThatWasWrittenSinceTheBridgeSawThePartitionEmpty() {
    kafka.bridgeLooks(P0);
    schedule("a", 10);
    at(10);
    start = IntakeStart.LATEST;

    running("a");

    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void anIntakeThatIsCreatedAnewIsNotTheOneThatTheBridgeSawEmpty() {
    kafka.bridgeLooks(P0);
    kafka.recreateTopic(SimKafka.INTAKE);
    schedule("a", 10);

    assertStopped(bridge("a"), "set intake.start");
  }

  @Test
  void latestSkipsWhatTheIntakeHoldsAndALaterWipeDoesNotBringItBack() {
    schedule("history", 10);
    schedule("history that is due later", 30);
    start = IntakeStart.LATEST;
    SimBridge bridge = running("a");
    assertThat(checkpoint().frontier().pairs()).containsExactly(new Pair(2, Due.NEVER));
    schedule("new", 20);
    turns(bridge);

    store.wipe();
    at(30);
    turns(bridge);

    assertThat(delivered()).containsExactly("new");
  }

  @Test
  void latestTellsWhatItSkips() {
    schedule("history", 10);
    start = IntakeStart.LATEST;
    running("a");

    assertThat(warnings())
        .containsExactly(
            "Shard delay-intake/0: intake.start is latest, offsets 0 to 1 are skipped");
  }

  @Test
  void latestStillSkipsTheHistoryIfTheFirstCheckpointWasNotCommitted() {
    schedule("history", 10);
    start = IntakeStart.LATEST;
    SimBridge bridge = bridge("a");
    bridge.delivery.fault(SimDelivery.Fault.UNKNOWN_ABORTED);
    turns(bridge);

    store.wipe();
    clock.pass(CHECKPOINT_EVERY);
    at(10);
    turns(bridge);

    assertThat(delivered()).isEmpty();
  }

  @Test
  void theCheckpointOfAStoreThatWasTrustedCoversWhatTheStoreNoLongerHas() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    schedule("b", 20);
    at(10);
    turns(bridge);
    gone(bridge);
    kafka.group().forget(P0);
    SimBridge next = running("b");

    store.wipe();
    at(20);
    turns(next);

    assertThat(delivered()).containsExactly("a", "b");
  }

  @Test
  void aPartitionThatWasAddedIsReadFromItsStart() {
    SimBridge bridge = running("a");
    kafka.addPartitions(SimKafka.INTAKE, 2);
    kafka.append(request(P1, TARGET, "a", 10, null), false);
    at(10);

    turns(bridge);

    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void latestSkipsNothingOfAPartitionThatWasAdded() {
    schedule("history", 10);
    start = IntakeStart.LATEST;
    SimBridge bridge = running("a");
    kafka.addPartitions(SimKafka.INTAKE, 2);
    kafka.append(request(P1, TARGET, "a", 10, null), false);
    at(10);

    turns(bridge);

    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void aPartitionThatWasThereFromTheBeginningIsNotTakenForAnAddedOne() {
    kafka.addPartitions(SimKafka.INTAKE, 2);
    SimBridge bridge = running("a");
    kafka.append(request(P1, TARGET, "a", 10, null), false);
    turns(bridge);
    gone(bridge);
    kafka.group().forget(P1);
    store.wipe();
    at(10);

    SimBridge next = running("b");

    assertThat(next.shard(P1).phase.state()).isEqualTo(ShardStatus.State.STOPPED);
    assertThat(delivered()).isEmpty();
  }

  @Test
  void partitionsThatNobodyLeadsDoNotHideTheOthersOfTheLoop() {
    kafka.addPartitions(SimKafka.INTAKE, 3);
    TopicPartition last = new TopicPartition(SimKafka.INTAKE, 2);
    kafka.orphan(P0);
    kafka.orphan(P1);

    SimBridge bridge = running("a");

    assertThat(bridge.shard(last).isOpen()).isTrue();
    assertThat(bridge.shard(P0).phase.problem()).contains("nobody leads");
    assertThat(bridge.shard(P1).phase.problem()).contains("nobody leads");
  }

  @Test
  void aPartitionThatNobodyLeadsIsNotWaitedFor() {
    kafka.addPartitions(SimKafka.INTAKE, 2);
    kafka.leaderless(P1, true);
    SimBridge bridge = running("a");
    assertThat(bridge.shard(P0).isOpen()).isTrue();
    assertThat(bridge.shard(P1).phase.problem()).isEqualTo("its partition has no leader");

    kafka.leaderless(P1, false);
    clock.pass(Duration.ofSeconds(2));
    turns(bridge);
    assertThat(bridge.shard(P1).isOpen()).isTrue();
  }

  // Cases that only an operator can judge.

  @Test
  void anIntakeThatWasCreatedAnewStopsTheShard() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    turns(bridge);
    gone(bridge);
    kafka.recreateTopic(SimKafka.INTAKE);

    assertStopped(bridge("b"), "the checkpoint belongs to the topic with id");
  }

  @Test
  void aStoreOfAnIntakeThatWasCreatedAnewStopsTheShard() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    turns(bridge);
    gone(bridge);
    kafka.recreateTopic(SimKafka.INTAKE);
    kafka.group().forget(P0);

    assertStopped(bridge("b"), "Redis has shard delay-intake/0 of the topic with id");
  }

  /** Leaves two records in the store, but only the first of them in the intake. */
  private void truncatedBehindTheStore() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    schedule("b", 20);
    turns(bridge);
    gone(bridge);
    kafka.log(P0).truncateTo(1);
  }

  @Test
  void anIntakeThatIsShorterThanTheStoreStopsTheShard() {
    truncatedBehindTheStore();

    assertStopped(bridge("b"), "it was truncated");
  }

  @Test
  void anIntakeThatWasTruncatedIsNotGoneOnWithWhenItHasGrownAgain() {
    truncatedBehindTheStore();
    SimBridge next = bridge("b");
    assertStopped(next, "it was truncated");

    schedule("in the place of b", 10);
    schedule("c", 10);
    at(10);
    clock.pass(Duration.ofSeconds(11));

    assertStopped(next, "it was truncated");
    assertThat(delivered()).isEmpty();
  }

  @Test
  void anIntakeThatHasGrownAgainBeforeItIsOpenedStopsTheShard() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    at(10);
    turns(bridge);
    schedule("b", 20);
    schedule("c", 20);
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);
    gone(bridge);
    long end = kafka.log(P0).end();
    kafka.log(P0).truncateTo(end - 1);
    schedule("in the place of c", 20);
    schedule("d", 20);

    assertStopped(bridge("b"), "differs from what was read");
  }

  @Test
  void anotherLeaderAloneIsNoTruncation() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);
    gone(bridge);
    kafka.log(P0).truncateTo(kafka.log(P0).end());
    schedule("b", 10);
    at(10);

    running("b");

    assertThat(delivered()).containsExactly("a", "b");
  }

  @Test
  void whatOnlyAPredecessorHasReadUnderANewLeaderIsNoTruncation() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);
    kafka.log(P0).truncateTo(kafka.log(P0).end());
    schedule("b", 20);
    schedule("c", 20);
    turns(bridge);
    gone(bridge);
    SimBridge next = running("b");
    clock.pass(CHECKPOINT_EVERY);
    turns(next);
    gone(next);
    at(20);

    running("c");

    assertThat(delivered()).containsExactly("a", "b", "c");
  }

  @Test
  void aTruncationThatTheQuestionForAnotherShardBringsUpCostsThatOneNothing() {
    kafka.addPartitions(SimKafka.INTAKE, 2);
    SimBridge bridge = running("a");
    turns(bridge);
    schedule("a", 10);
    at(10);
    bridge.consumer.finds(P1);

    bridge.step();
    clock.pass(Duration.ofSeconds(1));
    turns(bridge);

    assertThat(delivered()).containsExactly("a");
    assertThat(bridge.shard(P1).phase.state()).isEqualTo(ShardStatus.State.STOPPED);
  }

  @Test
  void anIntakeThatKafkaFindsTruncatedStopsTheShard() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    turns(bridge);
    bridge.consumer.diverged(true);
    bridge.step();
    bridge.consumer.diverged(false);
    clock.pass(Duration.ofSeconds(11));

    assertStopped(bridge, "differs from what was read");
  }

  @Test
  void anIntakeThatIsShorterThanTheFrontierStopsTheShard() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    schedule("b", 10);
    at(10);
    turns(bridge);
    gone(bridge);
    store.wipe();
    kafka.log(P0).truncateTo(1);

    assertStopped(bridge("b"), "it was truncated");
  }

  @Test
  void recordsThatWereDeletedBeforeTheyWereStoredStopTheShard() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    turns(bridge);
    gone(bridge);
    schedule("b", 20);
    schedule("c", 30);
    kafka.log(P0).deleteBefore(2);

    assertStopped(bridge("b"), "offsets 1 to 2 of the intake were deleted");
  }

  @Test
  void recordsThatWereDeletedBeforeTheyWereReadStopAShardThatTheStoreHasLost() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    turns(bridge);
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);
    gone(bridge);
    schedule("b", 20);
    schedule("c", 30);
    store.wipe();
    kafka.log(P0).deleteBefore(2);

    assertStopped(bridge("b"), "offsets 1 to 2 of the intake were deleted");
  }

  @Test
  void whatWasDeletedUnreadIsSkippedIfAnOperatorHasSaidSo() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    turns(bridge);
    gone(bridge);
    schedule("b", 20);
    schedule("c", 30);
    kafka.log(P0).deleteBefore(2);
    skipDeleted = true;

    SimBridge successor = running("b");
    at(30);
    turns(successor);

    assertThat(delivered()).containsExactly("a", "c");
  }

  @Test
  void whatIsDeletedUnderARunningBridgeIsSkippedIfAnOperatorHasSaidSo() {
    skipDeleted = true;
    SimBridge bridge = running("a");
    schedule("a", 10);
    schedule("b", 20);
    kafka.log(P0).deleteBefore(1);
    at(20);
    turns(bridge);

    assertThat(delivered()).containsExactly("b");
  }

  @Test
  void whatWasDeletedUnreadIsSkippedAlsoIfNothingIsLeft() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    turns(bridge);
    gone(bridge);
    schedule("b", 20);
    kafka.log(P0).deleteBefore(2);
    skipDeleted = true;

    SimBridge successor = running("b");
    at(10);
    turns(successor);

    assertThat(delivered()).containsExactly("a");
    assertThat(store.next(shard())).isEqualTo(2);
  }

  /** Redis loses its data. The next owner, b, feeds it one record and is gone, too. */
  private void losesRedisAndIsFedOneRecord(SimBridge bridge) {
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);
    gone(bridge);
    store.wipe();
    kafka.maxPollRecords(1);
    store.as("b");
    SimBridge rebuilding = bridge("b");
    while (store.next(shard()) < 1) {
      rebuilding.step();
    }
    gone(rebuilding);
  }

  /** Delivers a and b, but not c, before Redis loses its data. */
  private void deliversTwoOfThreeAndLosesRedis() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    schedule("b", 20);
    schedule("c", 30);
    at(20);
    turns(bridge);
    losesRedisAndIsFedOneRecord(bridge);
  }

  /** All deleted records were read once. Nothing was settled after Redis lost its data. */
  @Test
  void aRebuildThatRetentionOvertakesBeginsAnew() {
    deliversTwoOfThreeAndLosesRedis();
    kafka.log(P0).deleteBefore(2);

    SimBridge successor = running("c");
    at(30);
    turns(successor);

    assertThat(delivered()).containsExactly("a", "b", "c");
  }

  /** The last owner settles what it delivered before Redis lost its data. */
  @Test
  void aRebuildThatRetentionOvertakesBeginsAnewAlthoughALateSettleCameThrough() {
    deliversTwoOfThreeAndLosesRedis();
    store.as("a");
    store.settle(shard(), 2, List.of()).join();
    kafka.log(P0).deleteBefore(2);

    store.as("c");
    SimBridge successor = running("c");
    at(30);
    turns(successor);

    assertThat(delivered()).containsExactly("a", "b", "c");
  }

  /** Only Redis still has the message. */
  @Test
  void aRebuildThatRetentionOvertakesStopsIfSomethingIsPendingThatIsGone() {
    SimBridge bridge = running("a");
    schedule("a", HOUR);
    schedule("b", 10);
    schedule("c", 30);
    at(10);
    turns(bridge);
    losesRedisAndIsFedOneRecord(bridge);
    kafka.log(P0).deleteBefore(2);

    assertStopped(bridge("c"), "offsets 1 to 2 of the intake were deleted");
    assertThat(pending()).containsExactly(0L);
  }

  @Test
  void whatWasDeletedUnreadIsSkippedAlsoIfRedisHasNothing() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    turns(bridge);
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);
    gone(bridge);
    schedule("b", 20);
    schedule("c", 30);
    store.wipe();
    kafka.log(P0).deleteBefore(2);
    skipDeleted = true;

    SimBridge successor = running("b");
    at(30);
    turns(successor);

    assertThat(delivered()).containsExactly("c");
  }

  /** The owner that left the ids can no longer sweep them. More ids than messages reveal them. */
  @Test
  void idsThatNameNothingAreSweptByTheNextOwner() {
    SimBridge bridge = running("a");
    schedule("a", 10, "x");
    schedule("far", HOUR);
    at(10);
    turns(bridge);
    gone(bridge);
    store.wipe();
    kafka.maxPollRecords(1);
    SimBridge rebuilding = bridge("b");
    while (store.next(shard()) < 1) {
      rebuilding.step();
    }
    assertThat(store.ids(shard())).containsExactly("x");
    gone(rebuilding);

    SimBridge last = running("c");
    clock.pass(CHECKPOINT_EVERY);
    turns(last);

    assertThat(store.ids(shard())).isEmpty();
    assertThat(pending()).containsExactly(1L);
  }

  @Test
  void recordsThatAreDeletedUnderARunningBridgeStopTheShard() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    schedule("b", 20);
    kafka.log(P0).deleteBefore(1);

    assertStopped(bridge, "offsets 0 to 1 of the intake were deleted");
  }

  @Test
  void aCheckpointThatCanNotBeReadStopsTheShardUntilItIsMended() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    turns(bridge);
    gone(bridge);
    OffsetAndMetadata good = committed();
    kafka.group().commit(P0, new OffsetAndMetadata(1, "v9|from the future"));

    SimBridge next = bridge("b");
    assertStopped(next, "the checkpoint 'v9|from the future' cannot be read");

    kafka.group().forget(P0);
    kafka.group().commit(P0, good);
    clock.pass(MENDED);
    at(10);
    turns(next);
    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void anOffsetThatWasCommittedWithoutACheckpointIsNoCheckpoint() {
    schedule("a", 10);
    kafka.group().commit(P0, new OffsetAndMetadata(1));

    assertStopped(bridge("a"), "there is neither a checkpoint nor anything in Redis");
  }

  // A corrupt store.

  @Test
  void aCorruptShardIsDroppedAndRebuiltAndNothingIsDeliveredTwice() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    schedule("b", 20);
    schedule("c", 30, "x");
    at(10);
    turns(bridge);

    store.damage(id(P0));
    at(30);
    turns(bridge);

    assertThat(delivered()).containsExactly("a", "b", "c");
    assertThat(store.calls(Call.DROP)).isEqualTo(1);
    assertThat(pending()).isEmpty();
  }

  // The longest delay.

  @Test
  void whatWasTooLateUnderTheLimitOfItsTimeStaysADeadLetter() {
    SimBridge bridge = running("a");
    schedule("too late", 2 * HOUR);
    turns(bridge);
    assertThat(dead()).containsExactly("too late DELAY_TOO_LONG");
    gone(bridge);

    longestDelay = 3 * HOUR;
    store.wipe();
    SimBridge next = running("b");
    schedule("now allowed", 2 * HOUR);
    turns(next);
    store.wipe();
    at(2 * HOUR);
    turns(next);

    assertThat(dead()).containsExactly("too late DELAY_TOO_LONG");
    assertThat(delivered()).containsExactly("now allowed");
  }

  @Test
  void whatWasAdmittedStaysAdmittedAlsoWhenTheStoreIsWiped() {
    longestDelay = 3 * HOUR;
    SimBridge bridge = running("a");
    schedule("a", 2 * HOUR);
    schedule("first", 10);
    at(10);
    turns(bridge);
    gone(bridge);

    longestDelay = HOUR;
    SimBridge next = running("b");
    schedule("too late", 2 * HOUR);
    turns(next);
    store.wipe();
    turns(next);
    at(2 * HOUR);
    turns(next);

    assertThat(delivered()).containsExactly("first", "a");
    assertThat(dead()).containsExactly("too late DELAY_TOO_LONG");
  }

  /** A bridge delivers a message, commits that, and is gone. */
  private void deliverFirst() {
    SimBridge first = running("a");
    schedule("first", 10);
    at(10);
    turns(first);
    gone(first);
  }

  /** Whoever reads by a new limit has committed it before. */
  @Test
  void whatANewLimitAdmittedStaysAdmittedAlsoWhenNothingWasCommittedSince() {
    deliverFirst();
    longestDelay = 3 * HOUR;
    SimBridge second = running("b");
    schedule("a", 2 * HOUR);
    turns(second);
    gone(second);

    SimBridge third = running("c");
    schedule("behind it", 20);
    at(20);
    turns(third);
    store.wipe();
    turns(third);
    at(2 * HOUR);
    turns(third);

    assertThat(delivered()).containsExactly("first", "behind it", "a");
    assertThat(dead()).isEmpty();
  }

  @Test
  void aNewLimitThatCouldNotBeCommittedIsNotUsed() {
    deliverFirst();
    longestDelay = 3 * HOUR;
    SimBridge second = bridge("b");
    second.delivery.fault(Fault.NOT_OUT);
    schedule("a", 2 * HOUR);
    second.step();
    second.step();
    assertThat(second.shard(P0).isOpen()).isFalse();
    assertThat(store.next(shard())).isEqualTo(1);

    turns(second);
    assertThat(pending()).containsExactly(1L);
    assertThat(committed().metadata()).contains(Long.toString(3 * HOUR));
  }

  @Test
  void aRebuildIsCountedWhenItBegins() {
    deliverFirst();
    longestDelay = 3 * HOUR;
    store.wipe();
    SimBridge second = bridge("b");
    second.delivery.fault(Fault.NOT_OUT);
    second.step();
    second.step();
    assertThat(second.shard(P0).isOpen()).isFalse();
    assertThat(second.told.refed).isZero();

    turns(second);
    assertThat(second.told.refed).isEqualTo(1);
  }

  @Test
  void whatWasReadStaysAdmittedAlsoWhenNothingWasDeliveredSince() {
    longestDelay = 3 * HOUR;
    SimBridge bridge = running("a");
    schedule("a", 2 * HOUR);
    turns(bridge);
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);
    assertThat(committed().offset()).isEqualTo(1);
    gone(bridge);

    longestDelay = HOUR;
    store.wipe();
    SimBridge next = running("b");
    at(2 * HOUR);
    turns(next);

    assertThat(delivered()).containsExactly("a");
    assertThat(dead()).isEmpty();
  }
}
