package io.delaybridge.shard;

import io.delaybridge.message.Reading;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * The bounds of a loop's work.
 *
 * @param maxTakeCount most messages of one shard that a turn takes from the store, by intake
 * @param maxTakeBytes stored bytes of one shard after which a turn takes no further message
 * @param checkpointEvery how often a checkpoint follows the intake, and how often every shard is
 *     looked at although nothing is known to be due
 * @param reading how new records of that intake are read, with the horizon of {@code far}
 * @param start where an unknown shard begins
 * @param skipDeleted whether a shard goes on behind records that were deleted before it read them
 * @param memoryHighWater share of Redis' memory limit above which the intake pauses, 0 to 1
 * @param limited whether the listener is told of each message of that intake
 * @param far by intake
 * @param tolerance milliseconds, by intake, that a message may go out later than due so that it
 *     goes with others
 */
public record LoopSettings(
    ToIntFunction<String> maxTakeCount,
    int maxTakeBytes,
    Duration checkpointEvery,
    Function<String, Reading> reading,
    IntakeStart start,
    boolean skipDeleted,
    double memoryHighWater,
    Predicate<String> limited,
    Function<String, Far> far,
    ToLongFunction<String> tolerance) {

  /**
   * The treatment of messages that are due far ahead.
   *
   * @param horizon milliseconds after which a message is far, 0 if none is
   * @param lap milliseconds after which a copy in the later topic is looked at again
   */
  public record Far(long horizon, long lap) {

    /** Nothing is far; what waits in a later topic comes home. */
    public static final Far OFF = new Far(0, 0);
  }

  /** A wake-up is never the only trigger: no loop sleeps longer than this. */
  static final Duration LONGEST_POLL = Duration.ofMillis(500);
}
