package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.Due;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.shard.Frontier.Pair;
import io.delaybridge.shard.SimDelivery.Fault;
import io.delaybridge.store.SimStore.Call;
import java.util.Map;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages that are due when they are read go out first; the rest of the batch is stored then. */
class DueWhenReadRulesTest extends RuleTest {

  @BeforeEach
  void withoutLimits() {
    limited = false;
  }

  @Test
  void goesOutBeforeAnythingOfItsBatchIsStored() {
    SimBridge bridge = running("a");
    schedule("later", 20);
    schedule("now", 0);
    store.before(
        Call.INGEST,
        () -> {
          assertThat(delivered()).containsExactly("now");
          assertThat(store.next(shard())).isZero();
        });
    bridge.step();

    assertThat(store.next(shard())).isEqualTo(2);
    assertThat(pending()).containsExactly(0L);
    assertThat(store.ingested()).hasSize(1);
    assertThat(checkpoint().frontier().pairs()).containsExactly(new Pair(2, new Due(START + 1, 0)));
    assertThat(committed().offset()).isEqualTo(2);
    assertThat(status(bridge).pending()).isEqualTo(1);
    assertThat(status(bridge).overdue()).isZero();
    at(20);
    turns(bridge);
    assertThat(delivered()).containsExactly("now", "later");
  }

  @Test
  void isNotDeliveredAgainIfTheRestWasNotStored() {
    SimBridge bridge = running("a");
    schedule("later", 20);
    schedule("now", 0);
    store.lose(Call.INGEST);
    bridge.step();
    assertThat(delivered()).containsExactly("now");
    bridge.crash();

    SimBridge next = running("b");
    assertThat(pending()).containsExactly(0L);
    at(20);
    turns(next);

    assertThat(delivered()).containsExactly("now", "later");
  }

  @Test
  void goesOutInDueOrderWithWhatIsStored() {
    SimBridge bridge = running("a");
    schedule("b", 5);
    schedule("d", 9);
    bridge.step();
    schedule("c", 7);
    schedule("a", 3);
    schedule("e", 20);
    at(10);
    bridge.step();

    assertThat(delivered()).containsExactly("a", "b", "c", "d");
    assertThat(pending()).containsExactly(4L);
  }

  @Test
  void waitsInTheStoreBehindWhatIsDueEarlier() {
    maxTakeCount = 2;
    SimBridge bridge = running("a");
    schedule("b", 2);
    schedule("c", 3);
    schedule("e", 5);
    bridge.step();
    schedule("a", 1);
    schedule("d", 4);
    schedule("f", 6);
    at(10);
    bridge.step();

    assertThat(delivered()).containsExactly("a", "b", "c", "d");
    assertThat(checkpoint().frontier().pairs()).containsExactly(new Pair(6, new Due(START + 5, 2)));
    assertThat(pending()).containsExactly(2L, 5L);
    turns(bridge);
    assertThat(delivered()).containsExactly("a", "b", "c", "d", "e", "f");
  }

  @Test
  void isStoredInAFullStoreIfTheFrontierIsBeyondIt() {
    maxTakeCount = 1;
    SimBridge bridge = running("a");
    schedule("a", 1);
    schedule("b", 2);
    bridge.step();
    schedule("c", 3);
    at(10);
    store.refuse(Call.INGEST, true);
    turns(bridge);

    assertThat(delivered()).containsExactly("a", "b", "c");
  }

  @Test
  void isStoredFirstIfSomethingReadWithItMayTakeItBack() {
    SimBridge bridge = running("a");
    schedule("cancelled", 5, "x");
    schedule("stays", 5);
    bridge.step();
    at(10);
    cancel("x");
    schedule("now", 0);
    bridge.step();

    assertThat(delivered()).containsExactly("now", "stays");
  }

  @Test
  void isStoredIfKafkaDoesNotTakeIt() {
    SimBridge bridge = running("a");
    schedule("a", 0);
    schedule("later", 20);
    bridge.delivery.fault(Fault.NOT_OUT);
    bridge.step();
    assertThat(pending()).containsExactly(0L, 1L);

    turns(bridge);
    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void isNotBelievedIfTheStoreFellBack() {
    SimBridge bridge = running("a");
    schedule("first", 20);
    turns(bridge);
    Runnable fallBack = savepoint();
    schedule("second", 20);
    bridge.step();
    fallBack.run();
    schedule("now", 0);
    turns(bridge);

    assertThat(delivered()).containsExactly("now");
    assertThat(pending()).containsExactly(0L, 1L);
  }

  @Test
  void isNotRepeatedIfTheCommitHappenedUnknown() {
    SimBridge bridge = running("a");
    schedule("a", 0);
    schedule("later", 20);
    bridge.delivery.fault(Fault.UNKNOWN_COMMITTED);
    turns(bridge);

    assertThat(delivered()).containsExactly("a");
    assertThat(pending()).containsExactly(1L);
  }

  @Test
  void becomesADeadLetterIfItIsRefused() {
    SimBridge bridge = running("a");
    schedule("a", 0);
    schedule("refused", 0);
    kafka.refuse(TARGET, "refused", new RecordTooLargeException("too large"));
    turns(bridge);

    assertThat(delivered()).containsExactly("a");
    assertThat(dead()).containsExactly("refused RECORD_TOO_LARGE");
    assertThat(pending()).isEmpty();
  }

  @Test
  void waitsInTheStoreWhileTheShardIsPaused() {
    SimBridge bridge = running("a");
    append(Map.of(DelayHeaders.OP, "pause"));
    turns(bridge);
    schedule("a", 0);
    turns(bridge);
    assertThat(delivered()).isEmpty();
    assertThat(pending()).containsExactly(1L);

    append(Map.of(DelayHeaders.OP, "resume"));
    turns(bridge);
    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void atLeastOnceOthersOfTheBatchAreNotSentAgainForOneThatIsRefused() {
    exactlyOnce = false;
    SimBridge bridge = running("a");
    schedule("a", 0);
    schedule("refused", 0);
    schedule("c", 0);
    schedule("later", 2000);
    kafka.refuse(TARGET, "refused", new NotEnoughReplicasException("for now"));
    bridge.step();

    assertThat(delivered()).containsExactly("a", "c");
    assertThat(bridge.shard(P0).progress.frontier()).isEqualTo(Frontier.NONE);
    assertThat(pending()).containsExactly(1L, 3L);

    kafka.accept();
    at(1000);
    turns(bridge);
    at(3000);
    turns(bridge);
    assertThat(delivered()).containsExactly("a", "c", "refused", "later");
  }

  @Test
  void isNotSentAgainAtLeastOnceWhileTheStoreRefusesTheRest() {
    exactlyOnce = false;
    SimBridge bridge = running("a");
    schedule("first", 0);
    bridge.step();
    schedule("a", 0);
    schedule("later", 20);
    store.lose(Call.INGEST);
    turns(bridge);

    assertThat(delivered()).containsExactly("first", "a");
    assertThat(pending()).containsExactly(2L);
  }

  @Test
  void isNotDeliveredAgainIfTheStoreFallsBackBeforeTheRestIsStored() {
    SimBridge bridge = running("a");
    schedule("first", 20);
    turns(bridge);
    Runnable fallBack = savepoint();
    schedule("second", 20);
    bridge.step();
    schedule("now", 0);
    schedule("third", 20);
    store.before(Call.INGEST, fallBack);
    bridge.step();
    assertThat(delivered()).containsExactly("now");
    assertThat(store.next(shard())).isEqualTo(1);
    turns(bridge);

    assertThat(pending()).containsExactly(0L, 1L, 3L);
    at(20);
    turns(bridge);
    assertThat(delivered()).containsExactly("now", "first", "second", "third");
  }

  @Test
  void ofAZombieIsRefusedAndFedOnce() {
    SimBridge zombie = running("a");
    SimBridge successor = running("b");
    schedule("now", 0);
    schedule("later", 20);
    zombie.delivery.before(
        () -> {
          kafka.group().evict(zombie.consumer);
          turns(successor);
        });
    zombie.step();
    assertThat(delivered()).containsExactly("now");
    turns(zombie);
    turns(successor);

    assertThat(delivered()).containsExactly("now");
    assertThat(pending()).containsExactly(1L);
  }

  @Test
  void isStoredFirstIfTheIntakeHasLimits() {
    limited = true;
    SimBridge bridge = running("a");
    schedule("a", 0);
    store.before(Call.TAKE, () -> assertThat(store.next(shard())).isEqualTo(1));
    bridge.step();

    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void isADeadLetterAtOnceIfItIsMalformed() {
    SimBridge bridge = running("a");
    malformed("a");
    schedule("later", 20);
    bridge.step();

    assertThat(dead()).hasSize(1);
    assertThat(store.ingested()).hasSize(1);
  }
}
