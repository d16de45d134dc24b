package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.shard.SimDelivery.Fault;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The status of the later topic: the waiting copies, their age, and their outcome. */
class LapStatusRulesTest extends FarRuleTest {

  /** A copy waits for those behind it. */
  private static final long WAIT = LAP / 64;

  private static final String NO_LEADER = "its partition of the later topic has no leader";
  private static final TopicPartition LATER = new TopicPartition(SimLater.TOPIC, 0);

  private static ShardStatus.Later later(long copies, long lapEnds) {
    return new ShardStatus.Later(copies, START + lapEnds);
  }

  private void eachMillisecond(SimBridge bridge, long from, long to) {
    for (long time = from; time <= to; time++) {
      at(time);
      bridge.step();
    }
  }

  @Test
  void tellsWhatWaitsAndWhatBecameOfIt() {
    SimBridge bridge = running("a");
    assertThat(status(bridge).later()).isEqualTo(ShardStatus.Later.NONE);
    schedule("near by then", HORIZON + LAP + WAIT);
    schedule("still far", HORIZON + LAP + WAIT + 1);
    schedule("cancelled", HORIZON + LAP + WAIT + 1, "id");
    turns(bridge);
    cancel("id");
    turns(bridge);
    assertThat(status(bridge).later()).isEqualTo(later(3, LAP));

    at(LAP + WAIT - 1);
    turns(bridge);
    assertThat(bridge.told.home + bridge.told.again + bridge.told.dropped).isZero();

    at(LAP + WAIT);
    turns(bridge);
    assertThat(bridge.told.home).isEqualTo(1);
    assertThat(bridge.told.again).isEqualTo(1);
    assertThat(bridge.told.dropped).isEqualTo(1);
    assertThat(status(bridge).pending()).isEqualTo(1);
    // Copies that take another lap have just been written and are read a little later.
    at(LAP + WAIT + 5);
    turns(bridge);
    assertThat(status(bridge).later()).isEqualTo(later(1, 2 * LAP + WAIT));

    at(2 * (LAP + WAIT));
    turns(bridge);
    assertThat(bridge.told.home).isEqualTo(2);
    assertThat(status(bridge).later()).isEqualTo(ShardStatus.Later.NONE);
  }

  @Test
  void tellsSinceWhenTheFirstCopyIsNotJudged() {
    SimBridge bridge = running("a");
    schedule("first", HORIZON + 3 * LAP);
    turns(bridge);
    at(1_000);
    schedule("second", HORIZON + 3 * LAP);
    turns(bridge);
    bridge.delivery.fault(Fault.NOT_OUT);
    at(LAP + 5_000);
    turns(bridge);

    assertThat(status(bridge).later()).isEqualTo(later(2, LAP));
  }

  @Test
  void copiesThatComeOneAfterTheOtherAreJudgedTogether() {
    SimBridge bridge = running("a");
    for (int i = 0; i < 3; i++) {
      at(i);
      schedule("far", HORIZON + 2 * LAP);
      turns(bridge);
    }
    int before = kafka.group().history(P0).size();
    eachMillisecond(bridge, LAP - 1, LAP + 2 * WAIT);

    assertThat(bridge.told.again).isEqualTo(3);
    assertThat(kafka.group().history(P0)).hasSize(before + 1);
  }

  @Test
  void whatCannotBeRecalledIsTriedAgainAfterAPause() {
    SimBridge before = running("before");
    schedule("far", HORIZON + 1, "id");
    turns(before);
    before.crash();
    store.wipe();
    kafka.log(LATER).deleteBefore(kafka.log(LATER).end());
    SimBridge bridge = running("a");
    turns(bridge);

    assertThat(status(bridge).problem()).startsWith("its later topic cannot be read: ");
    assertThat(bridge.consumer.lastPollTimeout()).isEqualTo(Duration.ofMillis(500));
  }

  /**
   * Its shards would hold up the others of the loop, one after the other, until a time-out each.
   */
  @Test
  void copiesThatNobodyLeadsAreAskedForOnlyIfTheyMustBeRecalled() {
    kafka.leaderless(LATER, true);
    SimBridge bridge = bridge("a");
    turns(bridge);
    assertThat(status(bridge).problem()).isEqualTo(NO_LEADER);
    kafka.leaderless(LATER, false);
    clock.pass(Duration.ofSeconds(2));
    schedule("far", HORIZON + 1, "id");
    turns(bridge);
    bridge.crash();

    kafka.leaderless(LATER, true);
    SimBridge knows = running("b");
    assertThat(knows.shard(P0).isOpen()).isTrue();
    knows.crash();
    kafka.group().forget(P0);
    SimBridge without = bridge("no checkpoint");
    turns(without);
    assertThat(status(without).problem()).isEqualTo(NO_LEADER);
    without.crash();
    store.wipe();

    SimBridge empty = bridge("c");
    turns(empty);
    assertThat(status(empty).problem()).isEqualTo(NO_LEADER);

    kafka.leaderless(LATER, false);
    clock.pass(Duration.ofSeconds(2));
    turns(empty);
    assertThat(empty.shard(P0).isOpen()).isTrue();
  }

  @Test
  void tellsThatTheLaterTopicIsMissing() {
    SimBridge bridge = bridge("a");
    kafka.deleteTopic(SimLater.TOPIC);
    turns(bridge);
    assertThat(status(bridge).problem()).isEqualTo("its intake or its later topic is missing");
  }

  @Test
  void waitsForThePartitionOfTheLaterTopic() {
    SimBridge bridge = running("a");
    kafka.addPartitions(SimKafka.INTAKE, 2);
    kafka.append(request(P1, TARGET, "new", 0, null), false);
    turns(bridge);
    assertThat(bridge.shard(P1).status(START).problem())
        .isEqualTo("its later topic does not have this partition yet");
    assertThat(status(bridge).isOpen()).isTrue();

    kafka.addPartitions(SimLater.TOPIC, 2);
    turns(bridge);
    assertThat(delivered()).containsExactly("new");
  }

  @Test
  void saysThatWhatWasNotJudgedIsGone() {
    SimBridge bridge = running("a");
    schedule("far", HORIZON + 1);
    turns(bridge);
    kafka.log(LATER).deleteBefore(kafka.log(LATER).end());
    at(LAP + WAIT);
    schedule("near", LAP);
    turns(bridge);

    assertThat(status(bridge).problem()).startsWith("its later topic cannot be read: ");
    assertThat(status(bridge).isOpen()).isTrue();
    assertThat(delivered()).containsExactly("near");

    kafka.log(LATER).deleteBefore(0);
    at(LAP + WAIT + 1_000);
    turns(bridge);
    assertThat(status(bridge).problem()).isNull();
    assertThat(bridge.told.home).isEqualTo(1);
  }

  @Test
  void whileAShardIsPausedNothingLeavesItForTheLaterTopicAndLapsGoOn() {
    SimBridge bridge = running("a");
    schedule("before", HORIZON + 3 * LAP);
    turns(bridge);
    append(Map.of(DelayHeaders.OP, DelayHeaders.OP_PAUSE));
    turns(bridge);
    schedule("while paused", HORIZON + 3 * LAP);
    turns(bridge);
    assertThat(status(bridge).pending()).isEqualTo(1);
    assertThat(status(bridge).later()).isEqualTo(later(1, LAP));

    at(LAP + WAIT);
    turns(bridge);
    assertThat(bridge.told.again).isEqualTo(1);
    assertThat(status(bridge).pending()).isEqualTo(1);

    append(Map.of(DelayHeaders.OP, DelayHeaders.OP_RESUME));
    turns(bridge);
    assertThat(status(bridge).pending()).isZero();
    assertThat(status(bridge).later().copies()).isEqualTo(2);
  }

  @Test
  void withoutACheckpointLapsBeginWhereTheLaterTopicDoes() {
    SimBridge before = running("before");
    schedule("over", HORIZON + 1);
    turns(before);
    at(LAP + WAIT);
    turns(before);
    kafka.log(LATER).deleteBefore(kafka.log(LATER).end());
    before.crash();
    kafka.group().forget(P0);
    kafka.fetchesSlowly(5);
    schedule("far", HORIZON + LAP + WAIT + 1);
    SimBridge bridge = running("a");
    eachMillisecond(bridge, LAP + WAIT, 2 * LAP - 1);

    assertThat(status(bridge).problem()).isNull();
    assertThat(status(bridge).later()).isEqualTo(later(1, 2 * LAP + WAIT));
  }

  /** With and without the marker of the transaction, which cannot be told from a copy. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void whatIsGoneIsNotWaitedForOnceItIsPassedOver(int left) {
    SimBridge before = running("before");
    schedule("gone", HORIZON + 1, "id");
    schedule("gone too", HORIZON + 1);
    turns(before);
    kafka.log(LATER).deleteBefore(kafka.log(LATER).end() - left);
    before.crash();
    skipDeleted = true;
    kafka.fetchesSlowly(12);
    SimBridge bridge = running("a");
    eachMillisecond(bridge, LAP, 3 * LAP);
    assertThat(status(bridge).later()).isEqualTo(ShardStatus.Later.NONE);
    assertThat(status(bridge).problem()).isNull();
    clock.pass(CHECKPOINT_EVERY);
    bridge.step();
    assertThat(checkpoint().laps().copies()).isZero();

    schedule("far", HORIZON + 3 * LAP + 1);
    turns(bridge);
    assertThat(status(bridge).later()).isEqualTo(later(1, 4 * LAP));
  }
}
