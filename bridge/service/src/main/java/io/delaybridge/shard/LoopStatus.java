package io.delaybridge.shard;

import io.delaybridge.message.ShardId;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a loop as seen from outside.
 *
 * @param problem why it failed last, or null
 * @param lastTurn end of the last turn on the monotonic clock, nanoseconds
 * @param shards of the last turn
 */
public record LoopStatus(
    String loop, State state, @Nullable String problem, long lastTurn, List<ShardStatus> shards) {

  /**
   * Returns every shard of these loops once. A loop that hangs still reports shards that the group
   * has since given to another loop. So a loop that turns counts more, and of two that do, the one
   * that turned last.
   */
  public static Collection<ShardStatus> shards(List<LoopStatus> loops) {
    Map<ShardId, ShardStatus> shards = new LinkedHashMap<>();
    loops.stream()
        .sorted(
            Comparator.comparing((LoopStatus loop) -> loop.state() == State.RUNNING)
                .thenComparing((one, other) -> Long.signum(one.lastTurn() - other.lastTurn())))
        .forEach(loop -> loop.shards().forEach(shard -> shards.put(shard.shard(), shard)));
    return shards.values();
  }

  /** The life of a loop. */
  public enum State {
    /** Not yet, or not any more, a member of the consumer group. */
    JOINING,
    /** Turns. */
    RUNNING,
    /** Has not finished a turn for so long that something must be stuck. */
    HANGS,
    /** Died; begins anew after a pause. */
    FAILED,
    /** Was told to end. */
    STOPPED
  }
}
