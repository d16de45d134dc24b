package io.delaybridge.shard;

import io.delaybridge.message.ShardId;
import java.util.List;

/** The status of a loop, for those who only read it. */
public final class Statuses {

  private Statuses() {}

  /**
   * A loop with one open shard.
   *
   * @param overdue how many messages are pending, all due since 1970
   */
  public static LoopStatus loop(LoopStatus.State state, ShardId shard, long overdue) {
    return new LoopStatus(
        "loop-0",
        state,
        null,
        0,
        List.of(
            new ShardStatus(
                shard,
                ShardStatus.State.OPEN,
                null,
                overdue,
                overdue,
                0,
                0,
                false,
                false,
                ShardStatus.Later.NONE,
                null)));
  }
}
