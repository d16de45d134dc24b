package io.delaybridge.admin.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.admin.history.Tally.Snapshot;
import io.delaybridge.admin.metrics.BridgeMetrics;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.Reason;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TallyTest {

  private static final ShardId SHARD = new ShardId("delay-intake", 0);

  private final Tally tally = new Tally();

  private Map<String, Tally.Target> targets() {
    Snapshot intake = Objects.requireNonNull(tally.snapshot().get(SHARD.topic()));
    return intake.targets();
  }

  private long failed(String target) {
    return Objects.requireNonNull(targets().get(target), target).failed();
  }

  @Test
  void namesThatProducersMakeUpTakeNoPlaceFromThoseThatAreDeliveredTo() {
    for (int i = 0; i < 2 * BridgeMetrics.MAX_TARGETS; i++) {
      tally.deadLettered(SHARD, "made-up-" + i, Reason.UNKNOWN_TARGET);
    }

    tally.delivered(SHARD, "orders", 5);

    assertThat(targets()).containsOnlyKeys("orders", "(other)");
    assertThat(failed("(other)")).isEqualTo(2 * BridgeMetrics.MAX_TARGETS);
  }

  @Test
  void aFailureIsThatOfItsTargetOnceTheTargetWasDeliveredTo() {
    tally.deadLettered(SHARD, "orders", Reason.UNKNOWN_TARGET);
    tally.delivered(SHARD, "orders", 5);
    tally.deadLettered(SHARD, "orders", Reason.EXPIRED);
    tally.deadLettered(SHARD, null, Reason.NO_TARGET);

    assertThat(failed("orders")).isEqualTo(1);
    assertThat(failed("(other)")).isEqualTo(1);
    assertThat(failed("(none)")).isEqualTo(1);
  }

  @Test
  void topicsAfterTheFirstManyShareOneRow() {
    for (int i = 0; i < BridgeMetrics.MAX_TARGETS + 5; i++) {
      tally.delivered(SHARD, "topic-" + i, 5);
    }
    tally.delivered(SHARD, "topic-1", 5);

    assertThat(targets()).hasSize(BridgeMetrics.MAX_TARGETS + 1).containsKey("(other)");
  }
}
