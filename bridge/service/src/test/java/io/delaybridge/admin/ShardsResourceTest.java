package io.delaybridge.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.shard.Admission;
import io.delaybridge.shard.Checkpoint;
import io.delaybridge.shard.Frontier;
import io.delaybridge.shard.LoopStatus;
import io.delaybridge.shard.ShardStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShardsResourceTest {

  private static LoopStatus loop(String name, ShardStatus... shards) {
    return new LoopStatus(name, LoopStatus.State.RUNNING, null, 0, List.of(shards));
  }

  @Test
  void everyShardOfEveryLoopIsListedWithItsCheckpoint() {
    Checkpoint checkpoint =
        new Checkpoint(
            "id", 4, Frontier.NONE.with(new Frontier.Pair(50, Due.NEVER)), Admission.of(1000), 8);
    ShardStatus first =
        new ShardStatus(
            new ShardId("in", 0), ShardStatus.State.OPEN, null, 5, 1, 900, 50, checkpoint);
    ShardStatus second =
        new ShardStatus(
            new ShardId("in", 1), ShardStatus.State.STOPPED, "gone", 0, 0, 901, 60, null);

    assertThat(new ShardsResource(() -> List.of(loop("a", first), loop("b", second))).shards())
        .containsExactly(
            new ShardsResource.Shard(
                "in/0", "a", ShardStatus.State.OPEN, null, 5, 1, 900L, 50, "v1|id|4|50:*|0:1000|8"),
            new ShardsResource.Shard(
                "in/1", "b", ShardStatus.State.STOPPED, "gone", 0, 0, 901L, 60, null));
  }

  @Test
  void aShardWithoutAPendingMessageHasNoNextDueTime() {
    ShardStatus empty =
        new ShardStatus(
            new ShardId("in", 0), ShardStatus.State.OPEN, null, 0, 0, Long.MAX_VALUE, 0, null);

    assertThat(new ShardsResource(() -> List.of(loop("a", empty))).shards())
        .singleElement()
        .satisfies(shard -> assertThat(shard.nextDue()).isNull());
  }
}
