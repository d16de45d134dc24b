package io.delaybridge.shard;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a loop from outside.
 *
 * @param problem why it failed last, or null
 * @param lastTurn end of the last turn on the monotonic clock, nanoseconds
 * @param shards of the last turn
 */
public record LoopStatus(
    String loop, State state, @Nullable String problem, long lastTurn, List<ShardStatus> shards) {

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
