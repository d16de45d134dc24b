package io.delaybridge.shard;

import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * The bounds of a loop's work.
 *
 * @param maxTakeCount most messages of one shard that a turn takes from the store
 * @param maxTakeBytes stored bytes of one shard after which a turn takes no further message
 * @param checkpointEvery how often a checkpoint follows the intake, and how often every shard is
 *     looked at although nothing is known to be due
 * @param longestDelay milliseconds, by intake; what is due later is malformed
 * @param start where an unknown shard begins
 * @param skipDeleted whether a shard goes on behind records that were deleted before it read them
 * @param memoryHighWater share of Redis' memory limit above which the intake pauses, 0 to 1
 * @param limited whether the listener is told of each message of that intake
 */
public record LoopSettings(
    int maxTakeCount,
    int maxTakeBytes,
    Duration checkpointEvery,
    ToLongFunction<String> longestDelay,
    IntakeStart start,
    boolean skipDeleted,
    double memoryHighWater,
    Predicate<String> limited) {

  /** A wake-up is never the only trigger: no loop sleeps longer than this. */
  static final Duration LONGEST_POLL = Duration.ofMillis(500);
}
