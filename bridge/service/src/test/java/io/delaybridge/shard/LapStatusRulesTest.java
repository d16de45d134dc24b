package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.shard.SimDelivery.Fault;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The status of the later topic: the waiting copies, their age, and their outcome. */
class LapStatusRulesTest extends RuleTest {

  private static final long HORIZON = 10_000;
  private static final long LAP = 4_000;
  private static final TopicPartition LATER = new TopicPartition(SimLater.TOPIC, 0);

  @BeforeEach
  void withAHorizon() {
    horizon(HORIZON, LAP);
  }

  private static ShardStatus.Later later(long copies, long lapEnds) {
    return new ShardStatus.Later(copies, START + lapEnds);
  }

  @Test
  void tellsWhatWaitsAndWhatBecameOfIt() {
    SimBridge bridge = running("a");
    assertThat(status(bridge).later()).isEqualTo(ShardStatus.Later.NONE);
    schedule("near by then", HORIZON + LAP);
    schedule("still far", HORIZON + LAP + 1);
    schedule("cancelled", HORIZON + LAP + 1, "id");
    turns(bridge);
    cancel("id");
    turns(bridge);
    assertThat(status(bridge).later()).isEqualTo(later(3, LAP));

    at(LAP - 1);
    turns(bridge);
    assertThat(bridge.told.home + bridge.told.again + bridge.told.dropped).isZero();

    at(LAP);
    turns(bridge);
    assertThat(bridge.told.home).isEqualTo(1);
    assertThat(bridge.told.again).isEqualTo(1);
    assertThat(bridge.told.dropped).isEqualTo(1);
    assertThat(status(bridge).pending()).isEqualTo(1);
    // Copies that take another lap have just been written and are read a little later.
    at(LAP + 5);
    turns(bridge);
    assertThat(status(bridge).later()).isEqualTo(later(1, 2 * LAP));

    at(2 * LAP);
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
    at(LAP);
    schedule("near", LAP);
    turns(bridge);

    assertThat(status(bridge).problem()).startsWith("its later topic cannot be read: ");
    assertThat(status(bridge).isOpen()).isTrue();
    assertThat(delivered()).containsExactly("near");

    kafka.log(LATER).deleteBefore(0);
    at(LAP + 1_000);
    turns(bridge);
    assertThat(status(bridge).problem()).isNull();
    assertThat(bridge.told.home).isEqualTo(1);
  }
}
