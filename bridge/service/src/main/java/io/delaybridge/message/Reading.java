package io.delaybridge.message;

import java.time.Duration;

/**
 * What decides, besides the record itself, how a record is read: whether it is malformed, and
 * whether it is far. Both decide its key. So a record that is read again is read like the first
 * time, whatever is configured by then; see ADR 2 and ADR 39.
 *
 * @param longestDelay milliseconds; a message that is asked for later than this is malformed
 * @param horizon milliseconds after the timestamp of the record; a message that is due later is
 *     far, 0 if none is
 * @param level the rules of reading: 0 for those of releases without levels, which knew no unknown
 *     headers and let no calendar wait longer than the longest delay
 * @param passesUnknown whether an unknown header is delivered like any other; always so at level 0
 */
public record Reading(long longestDelay, long horizon, int level, boolean passesUnknown) {

  /** The rules of this release. */
  public static final int LATEST = 1;

  /** How long a calendar may wait for its next instant, in milliseconds. */
  public static final long LONGEST_CALENDAR = Duration.ofDays(3650).toMillis();

  /** Checks the level. */
  public Reading {
    if (level < 0 || level > LATEST) {
      throw new IllegalArgumentException(
          "the rules of reading are of level %d, but this bridge knows only 0 to %d"
              .formatted(level, LATEST));
    }
    if (level == 0 && !passesUnknown) {
      throw new IllegalArgumentException("level 0 passes unknown headers");
    }
  }

  /** The rules of releases without levels. */
  public static Reading early(long longestDelay, long horizon) {
    return new Reading(longestDelay, horizon, 0, true);
  }

  /** The rules of this release, with unknown headers refused. */
  public static Reading latest(long longestDelay, long horizon) {
    return new Reading(longestDelay, horizon, LATEST, false);
  }

  /**
   * How long a calendar may wait for its next instant, in milliseconds. Without a horizon, the
   * record stays in the intake all that time, which keeps it for the longest delay.
   */
  public long longestWait() {
    return level > 0 && horizon > 0 ? Math.max(longestDelay, LONGEST_CALENDAR) : longestDelay;
  }
}
