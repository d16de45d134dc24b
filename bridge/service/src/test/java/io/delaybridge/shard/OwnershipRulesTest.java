package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.delivery.Outcome;
import io.delaybridge.delivery.Packing;
import io.delaybridge.delivery.TransactionalDelivery;
import io.delaybridge.delivery.TransactionalId;
import io.delaybridge.shard.SimDelivery.Fault;
import io.delaybridge.store.SimStore.Call;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Two bridges and one shard: zombies, hand-overs, and commits with an unknown outcome. */
class OwnershipRulesTest extends RuleTest {

  private void takesOver(SimBridge from, SimBridge to) {
    kafka.group().evict(from.consumer);
    turns(to);
  }

  // Zombies in Kafka.

  @Test
  void theTransactionOfAZombieIsRefusedAndNothingOfItIsSettled() {
    SimBridge zombie = running("a");
    schedule("a", 10);
    at(10);
    zombie.delivery.before(() -> kafka.group().evict(zombie.consumer));
    zombie.step();
    assertThat(delivered()).isEmpty();
    assertThat(pending()).containsExactly(0L);

    turns(zombie);
    assertThat(delivered()).containsExactly("a");
  }

  /** Otherwise a message would wait for the pause after a failure that no longer concerns it. */
  @Test
  void afterADivisionOfThePartitionsWhatFailedIsTriedAtOnce() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    at(10);
    for (int i = 0; i < 8; i++) {
      bridge.delivery.fault(Fault.NOT_OUT);
      clock.pass(Duration.ofSeconds(2));
      bridge.step();
    }
    assertThat(delivered()).isEmpty();

    bridge.step();
    assertThat(delivered()).as("during the pause").isEmpty();
    kafka.group().assignTo(P0, bridge.consumer);
    bridge.step();

    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void aZombieDoesNotDeliverWhatItsSuccessorHasDelivered() {
    SimBridge zombie = running("a");
    SimBridge successor = running("b");
    schedule("a", 10);
    at(10);
    zombie.delivery.before(() -> takesOver(zombie, successor));

    zombie.step();
    turns(zombie);
    turns(successor);

    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void aTransactionGoesWithTheMembershipOfItsTakeNotWithAFresherOne() {
    SimBridge zombie = running("a");
    SimBridge successor = running("b");
    turns(zombie);
    schedule("a", 10);
    at(10);
    store.after(
        Call.TAKE,
        () -> {
          takesOver(zombie, successor);
          zombie.consumer.rejoinInBackground();
        });

    zombie.step();

    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void nothingIsSentWithEmptyGroupMetadata() {
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    try (TransactionalDelivery delivery =
        new TransactionalDelivery(new TransactionalId("delivery"), (id, packing) -> producer)) {
      Outcome outcome =
          delivery.deliver(
              List.of(new ProducerRecord<>(TARGET, new byte[0])),
              Packing.PLAIN,
              Map.of(P0, new OffsetAndMetadata(1)),
              new SimConsumer(kafka, "never joined").groupMetadata());

      assertThat(outcome).isInstanceOf(Outcome.NotOut.class);
      assertThat(producer.history()).isEmpty();
      assertThat(producer.consumerGroupOffsetsHistory()).isEmpty();
    }
  }

  // Zombies in the store.

  @Test
  void aStaleOwnerCanNotSlipInWhatWasCancelledSince() {
    SimBridge stale = running("a");
    SimBridge owner = running("b");
    turns(stale);
    schedule("cancelled", 20, "x");
    store.before(
        Call.INGEST,
        () -> {
          cancel("x");
          takesOver(stale, owner);
        });
    stale.step();
    at(20);
    turns(owner);

    assertThat(delivered()).isEmpty();
    assertThat(pending()).isEmpty();
  }

  @Test
  void aStoreThatLosesItsTailBetweenPollAndIngestSkipsNothing() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    turns(bridge);
    Runnable fallBack = savepoint();
    schedule("b", 10);
    turns(bridge);
    schedule("c", 10);
    store.before(Call.INGEST, fallBack);
    turns(bridge);
    assertThat(store.next(shard())).isEqualTo(3);

    at(10);
    turns(bridge);

    assertThat(delivered()).containsExactly("a", "b", "c");
  }

  @Test
  void anIngestWhoseReplyWasLostIsHarmless() {
    SimBridge bridge = running("a");
    schedule("old", 10, "x");
    schedule("new", 20, "x");
    schedule("b", 10);
    store.loseReply(Call.INGEST);
    turns(bridge);

    at(20);
    turns(bridge);

    assertThat(delivered()).containsExactly("b", "new");
    assertThat(bridge.told.admitted).as("counted against the limits").isEqualTo(3);
  }

  @Test
  void aSettleThatComesLateRemovesTheIdOnlyIfItNamesThatMessage() {
    SimBridge zombie = running("a");
    SimBridge successor = running("b");
    turns(zombie);
    schedule("a", 10, "x");
    at(10);
    store.before(
        Call.SETTLE,
        () -> {
          schedule("b", 30, "x");
          takesOver(zombie, successor);
        });
    zombie.step();
    assertThat(store.ids(shard())).containsExactly("x");

    cancel("x");
    turns(successor);
    at(30);
    turns(successor);
    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void whatAZombieHasFedInTimeIsDeliveredWithoutDelay() {
    SimBridge zombie = running("a");
    SimBridge owner = running("b");
    schedule("a", 0);
    store.before(
        Call.INGEST,
        () -> {
          kafka.group().evict(zombie.consumer);
          owner.step();
        });
    zombie.step();
    assertThat(store.next(shard())).isEqualTo(1);
    assertThat(delivered()).isEmpty();

    turns(owner);

    assertThat(delivered()).containsExactly("a");
  }

  /**
   * The store takes it for the owner. The owner puts a message back meanwhile, whose id must stay.
   */
  @Test
  void aZombieThatOpensTheShardAfterItsSuccessorSweepsNothing() {
    SimBridge zombie = bridge("a");
    SimBridge owner = bridge("b");
    scheduleTo("not-yet-there", "a", 10, "x");
    store.before(
        Call.OPEN,
        () -> {
          takesOver(zombie, owner);
          zombie.shard(P0).sweep.idsAreLeft();
        });
    store.before(
        Call.IDS,
        () -> {
          at(10);
          owner.step();
        });

    zombie.step();
    store.before(Call.IDS, () -> {});
    at(10);
    owner.step();
    assertThat(owner.told.retried).isEqualTo(1);
    kafka.createTopic("not-yet-there", 1);
    secondBySecond(owner, 1000, 2000);

    assertThat(kafka.records("not-yet-there")).hasSize(1);
  }

  /**
   * Redis fails over and forgets only that the successor has opened the shard. The successor puts a
   * message back meanwhile, whose id must stay.
   */
  @Test
  void aZombieSweepsNothingIfRedisHasForgottenItsSuccessor() {
    store.as("zombie");
    SimBridge zombie = running("a");
    SimBridge owner = bridge("b");
    scheduleTo("not-yet-there", "a", 10, "x");
    turns(zombie);
    zombie.shard(P0).sweep.idsAreLeft();
    store.before(
        Call.SWEEP,
        () -> {
          Runnable failOver = savepoint();
          store.as("owner");
          takesOver(zombie, owner);
          failOver.run();
          at(10);
          owner.step();
          assertThat(owner.told.retried).isEqualTo(1);
          store.as("zombie");
        });

    turns(zombie);
    assertThat(store.calls(Call.SWEEP)).isEqualTo(1);
    store.as("owner");
    kafka.createTopic("not-yet-there", 1);
    secondBySecond(owner, 1000, 2000);

    assertThat(kafka.records("not-yet-there")).hasSize(1);
  }

  /** Otherwise the ids that name nothing would stay until another bridge opens the shard. */
  @Test
  void aLoopThatMayNotSweepOpensTheShardAgain() {
    schedule("a", 10, "x");
    schedule("b", HOUR);
    at(10);
    SimBridge first = running("a");
    first.crash();
    store.wipe();
    store.as("owner");
    SimBridge owner = bridge("b");
    store.before(
        Call.SWEEP,
        () -> {
          assertThat(store.ids(shard())).containsExactly("x");
          store.as("former");
          store.settle(shard(), 0, List.of()).join();
          store.as("owner");
        });

    turns(owner);
    assertThat(store.calls(Call.SWEEP)).as("it must not open the shard again and again").isOne();
    clock.pass(Duration.ofMinutes(1));
    turns(owner);

    assertThat(store.ids(shard())).isEmpty();
    assertThat(pending()).containsExactly(1L);
  }

  // Coming and going.

  @Test
  void theFrontierIsReadAgainWhenAPartitionComesBack() {
    SimBridge bridge = running("a");
    SimBridge other = running("b");
    schedule("a", 10);
    schedule("b", 20);
    turns(bridge);
    at(10);
    turns(bridge);
    takesOver(bridge, other);
    at(20);
    store.lose(Call.SETTLE);
    other.step();
    assertThat(delivered()).containsExactly("a", "b");
    assertThat(pending()).containsExactly(1L);

    takesOver(other, bridge);
    turns(bridge);

    assertThat(delivered()).containsExactly("a", "b");
    assertThat(pending()).isEmpty();
  }

  @Test
  void aPartitionThatIsHandedOverAndBackGoesOn() {
    SimBridge first = running("a");
    SimBridge second = running("b");
    for (int i = 1; i <= 4; i++) {
      schedule("message " + i, 10L * i);
      kafka.group().giveAll(i % 2 == 0 ? first.consumer : second.consumer);
      turns(first);
      turns(second);
      turns(first);
      turns(second);
      at(10L * i);
      turns(first);
      turns(second);
    }

    assertThat(delivered()).containsExactly("message 1", "message 2", "message 3", "message 4");
    assertThat(first.told.delivered).isEqualTo(2);
  }

  @Test
  void aLoopThatLeavesInGoodOrderHasSettledEverything() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    at(10);
    bridge.step();
    bridge.stop();

    assertThat(pending()).isEmpty();
    SimBridge next = running("b");
    assertThat(delivered()).containsExactly("a");
    assertThat(next.told.skipped).isZero();
  }

  // Unknown outcomes.

  @Test
  void aCommitThatHappenedUnknownIsNotRepeated() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    at(10);
    bridge.delivery.fault(Fault.UNKNOWN_COMMITTED);

    turns(bridge);

    assertThat(delivered()).containsExactly("a");
    assertThat(pending()).isEmpty();
  }

  @Test
  void aCommitThatDidNotHappenUnknownIsMadeUpFor() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    at(10);
    bridge.delivery.fault(Fault.UNKNOWN_ABORTED);

    bridge.step();
    assertThat(pending()).containsExactly(0L);

    turns(bridge);
    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void aCommitThatMayStillHappenIsWaitedForAndNotRepeated() {
    SimBridge bridge = unknownAndOpen();

    bridge.delivery.hanging().commit();
    turns(bridge);

    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void aCommitThatDoesNotHappenInTheEndIsMadeUpFor() {
    SimBridge bridge = unknownAndOpen();

    bridge.delivery.hanging().abort();
    turns(bridge);

    assertThat(delivered()).containsExactly("a");
  }

  private SimBridge unknownAndOpen() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    at(10);
    bridge.delivery.fault(Fault.UNKNOWN_OPEN);
    turns(bridge);
    assertThat(status(bridge).state()).isEqualTo(ShardStatus.State.CLOSED);
    assertThat(pending()).containsExactly(0L);
    return bridge;
  }

  @Test
  void aSuccessorWaitsForTheOpenTransactionOfItsPredecessor() {
    SimBridge bridge = running("a");
    SimBridge successor = running("b");
    turns(bridge);
    schedule("a", 10);
    at(10);
    bridge.delivery.fault(Fault.UNKNOWN_OPEN);
    bridge.step();
    kafka.group().evict(bridge.consumer);

    turns(successor);
    assertThat(status(successor).state()).isEqualTo(ShardStatus.State.CLOSED);
    bridge.delivery.hanging().commit();
    turns(successor);

    assertThat(delivered()).containsExactly("a");
    assertThat(pending()).isEmpty();
  }
}
