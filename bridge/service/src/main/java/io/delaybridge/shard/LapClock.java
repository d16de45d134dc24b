package io.delaybridge.shard;

import org.jspecify.annotations.Nullable;

/**
 * Says when to look at the first copy that a shard has in its later topic, and how the copies go
 * out. Times are epoch milliseconds.
 */
final class LapClock {

  static final long LOOK_AGAIN_MS = 5;
  private static final long TRY_AGAIN_MS = 1_000;
  private static final long LONGEST_WAIT_MS = 1_000;
  private static final long QUIET_MS = 300_000;
  private static final long NEVER = Long.MAX_VALUE;

  private long at = NEVER;

  /** When the lap of the first copy ends; until that copy is read, when it was heard of. */
  private long ends = NEVER;

  /** When the lap of the first copy ends that was read and is not judged. */
  private long following = NEVER;

  /** Milliseconds until it is looked again, if there was nothing. */
  private long pause = 1;

  /** How the copies go out after Kafka has refused some, or null. */
  private @Nullable LapTrial trial;

  /** Why the copies cannot be read, or null. */
  private @Nullable String problem;

  /** The shard is opened: the first look is due at once. */
  void open(long copies, long now) {
    ends = copies == 0 ? NEVER : now;
    lookAtOnce();
    trial = null;
    problem = null;
  }

  /** When to look; {@link Long#MAX_VALUE} before the shard is opened. */
  long at() {
    return at;
  }

  /** When the lap of the first copy ends; {@link Long#MAX_VALUE} if there is none. */
  long ends() {
    return ends;
  }

  @Nullable LapTrial trial() {
    return trial;
  }

  @Nullable String problem() {
    return problem;
  }

  /** The first copy has been written. */
  void first(long now) {
    ends = now;
    lookAtOnce();
  }

  void unreadable(String why) {
    problem = why;
  }

  void readable() {
    problem = null;
  }

  /** Something has failed. */
  void tryAgain(long now) {
    at = now + TRY_AGAIN_MS;
  }

  /** Looks at the later topic at once, because its known state may be wrong. */
  void lookAtOnce() {
    at = 0;
    pause = 1;
  }

  /** There may be more copies. */
  void lookAgain(long now) {
    at = now + LOOK_AGAIN_MS;
  }

  /** The copies that were written just now may be all that there are. */
  void lookAgainAtLatest(long now) {
    at = Math.min(at, now + LOOK_AGAIN_MS);
  }

  /**
   * Nothing was there: the copy is on its way, or not committed yet, or gone although it was
   * counted. Or it is not counted, because a bridge died before its checkpoint: a reader that has
   * just begun may have nothing yet, so even then it is looked again, more and more rarely.
   *
   * @return whether it has just become unlikely that a copy is on its way
   */
  boolean nothing(long copies, long now) {
    boolean wasLikely = pause < TRY_AGAIN_MS;
    pause = Math.min(2 * pause, copies > 0 ? TRY_AGAIN_MS : QUIET_MS);
    at = now + pause;
    return wasLikely && pause >= TRY_AGAIN_MS;
  }

  /** The first copy was read. */
  void read(long itsEnd, long now) {
    pause = 1;
    at = now + LOOK_AGAIN_MS;
    following = NEVER;
    ends = itsEnd;
    problem = null;
  }

  /**
   * A copy has not finished its lap, and neither have those behind it. It waits a little for those:
   * if copies come at a steady pace, one turn judges many.
   *
   * @param lap milliseconds
   */
  void notBefore(long itsEnd, long lap) {
    following = itsEnd;
    at = itsEnd + Math.min(lap / 64, LONGEST_WAIT_MS);
  }

  /** Some copies were judged, and this many are left. */
  void judged(long copies) {
    if (copies == 0) {
      ends = NEVER;
    } else if (following != NEVER) {
      ends = following;
    }
  }

  /** From now on the copies go out like this. */
  void tried(LapTrial next) {
    trial = next;
  }

  /** Nothing is known of the first copy any more. */
  void tryAnew() {
    trial = trial == null ? null : trial.anew();
  }

  /** The copies up to there are judged. */
  void tryNext(long judgedTo) {
    if (trial != null) {
      trial = judgedTo >= trial.until() ? null : trial.anew();
    }
  }
}
