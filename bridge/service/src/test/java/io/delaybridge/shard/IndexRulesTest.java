package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.store.ShardStore.Index;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.junit.jupiter.api.Test;

/** When a store that knows far messages takes an unknown id for one that is over. See ADR 32. */
class IndexRulesTest extends RuleTest {

  private static final String MISSING = "not-yet-there";
  private static final long HORIZON = 10_000;
  private static final long LAP = 4_000;

  /** It was started before there was a horizon, and has the shard when Redis is emptied. */
  @Test
  void aBridgeThatDoesNotKnowTheLaterTopicEndsNothingThatIsThere() {
    SimBridge old = bridge("old");
    horizon(HORIZON, LAP);
    SimBridge bridge = running("new");
    kafka.group().giveAll(bridge.consumer);
    turns(old);
    turns(bridge);
    schedule("near", 0);
    schedule("far", HORIZON + LAP, "x");
    turns(bridge);
    kafka.log(P0).deleteBefore(1);
    store.wipe();

    bridge.stop();
    turns(old);
    assertThat(store.next(shard())).isEqualTo(2);
    assertThat(store.ids(shard())).containsExactly("x");
    old.stop();

    bridge = running("newer");
    secondBySecond(bridge, LAP, HORIZON + LAP);
    assertThat(delivered()).containsExactly("near", "far");
  }

  /** Each copy that is written was known before, so the index need not wait until it is read. */
  @Test
  void isCompleteAlthoughEachTurnPutsSomethingBack() {
    horizon(HORIZON, LAP);
    SimBridge bridge = running("a");
    for (int i = 0; i < 40; i++) {
      scheduleTo(MISSING, "m" + i, 10, "id" + i);
    }
    turns(bridge);
    maxTakeCount = 1;
    store.wipe();
    at(10);

    turns(bridge);

    assertThat(bridge.told.retried).as("turns that wrote a copy").isBetween(10, 39);
    assertThat(bridge.shard(P0).index).isEqualTo(Index.COMPLETE);
    maxTakeCount = 100;
    kafka.createTopic(MISSING, 1);
    for (long time : new long[] {1000, 3000, 5000}) {
      at(time);
      turns(bridge);
    }
    assertThat(kafka.records(MISSING)).hasSize(40);
  }

  @Test
  void isCompleteAlthoughItIsNotKnownWhereACopyWasWritten() {
    exactlyOnce = false;
    horizon(HORIZON, LAP);
    SimBridge bridge = running("a");
    schedule("far", HORIZON + LAP, "far");
    scheduleTo(MISSING, "retried", 10, "x");
    schedule("refused", 10);
    turns(bridge);
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);
    store.wipe();
    kafka.refuse(TARGET, "refused", new NotEnoughReplicasException("for now"));
    at(10);

    turns(bridge);

    assertThat(bridge.shard(P0).index).isEqualTo(Index.COMPLETE);
    at(LAP);
    turns(bridge);
    assertThat(bridge.told.home).isEqualTo(1);
  }

  /** The first horizon comes while nothing is far: what no id names is over, as before. */
  @Test
  void isCompleteFromTheFirstHorizonOn() {
    SimBridge bridge = running("a");
    scheduleTo(MISSING, "a", 10, "x");
    turns(bridge);
    at(10);
    kafka.maxPollRecords(1);
    bridge.delivery.before(() -> cancel("x"));
    bridge.step();
    bridge.step();
    assertThat(store.next(shard()))
        .as("the cancel is read, the copy behind it is not")
        .isEqualTo(2);
    assertThat(store.ids(shard())).isEmpty();
    bridge.crash();
    horizon(HORIZON, LAP);

    SimBridge next = running("b");
    kafka.createTopic(MISSING, 1);
    for (long time : new long[] {1000, 3000}) {
      at(time);
      turns(next);
    }

    assertThat(kafka.records(MISSING)).as("cancelled").isEmpty();
    assertThat(next.shard(P0).index).isEqualTo(Index.COMPLETE);
  }

  /** Without a transaction, what went out beside a refused record is settled, wherever it is. */
  @Test
  void anIdIsKeptAlthoughItIsNotKnownWhereItsMessageIs() {
    exactlyOnce = false;
    horizon(HORIZON, LAP);
    SimBridge bridge = running("a");
    kafka.refuse(TARGET, "refused", new NotEnoughReplicasException("for now"));
    schedule("refused", 0);
    schedule("far", HORIZON + LAP, "id");
    turns(bridge);
    kafka.accept();

    secondBySecond(bridge, LAP, HORIZON + LAP);

    assertThat(delivered()).containsExactly("refused", "far");
  }

  /** Retention has deleted what says that the first of two moves acted, but not what says it. */
  @Test
  void theSecondOfTwoMovesDoesNothingAlsoWhenItIsFedAgain() {
    horizon(HORIZON, LAP);
    SimBridge bridge = running("a");
    long far = schedule("far", 60_000, "x");
    turns(bridge);
    schedule("near", 0);
    move(far, 16_000, 1);
    move(far, 30_000, 2);
    turns(bridge);
    for (long time = LAP; time < 16_000; time += LAP) {
      at(time);
      turns(bridge);
    }
    assertThat(bridge.told.home).isEqualTo(1);
    kafka.log(P0).deleteBefore(2);
    store.wipe();

    for (long time = 16_000; time <= 64_000; time += LAP) {
      at(time);
      turns(bridge);
    }

    assertThat(kafka.records(TARGET))
        .extracting(ConsumerRecord::timestamp)
        .containsExactly(START, START + 16_000);
  }

  /** Moves a message that was seen to be far when the store was fed up to that offset. */
  private void move(long far, long due, long seen) {
    append(
        Map.of(
            DelayHeaders.TARGET_TOPIC,
            TARGET,
            DelayHeaders.ID,
            "x",
            DelayHeaders.RETRY,
            "v3|%d|1|%d|-|%d".formatted(far, START + due, seen)));
  }
}
