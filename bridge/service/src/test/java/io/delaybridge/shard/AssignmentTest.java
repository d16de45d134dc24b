package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** End of a poll when other members have got the shards of the loop. */
class AssignmentTest {

  private final SimClock clock = new SimClock(1_800_000_000_000L);
  private final SimKafka kafka = new SimKafka(clock);
  private final SimConsumer consumer = new SimConsumer(kafka, "member-0");
  private final SimConsumer other = new SimConsumer(kafka, "member-1");
  private final Assignment assignment = new Assignment(consumer, clock.clocks());

  @BeforeEach
  void join() {
    kafka.createTopic(SimKafka.INTAKE, 2);
    consumer.subscribe(List.of(SimKafka.INTAKE), assignment);
    poll(consumer);
  }

  @Test
  void theLastShardThatIsHandedOverEndsThePoll() {
    assignment.handsOver(true);
    consumer.enforceRebalance("the loop is to stop");

    assertThatExceptionOfType(HandedOverException.class).isThrownBy(() -> poll(consumer));
    assertThat(assignment.all()).isEmpty();
  }

  @Test
  void noPollEndsWhileAShardIsLeft() {
    assignment.handsOver(true);

    poll(other);
    kafka.group().assignTo(new TopicPartition(SimKafka.INTAKE, 1), other);
    poll(consumer);

    assertThat(assignment.all()).hasSize(1);
  }

  @Test
  void noPollEndsWhileTheLoopIsToGoOn() {
    consumer.enforceRebalance("all shards go to others");

    poll(consumer);

    assertThat(assignment.all()).isEmpty();
  }

  private static void poll(SimConsumer... members) {
    for (SimConsumer member : members) {
      member.poll(Duration.ZERO);
    }
  }
}
