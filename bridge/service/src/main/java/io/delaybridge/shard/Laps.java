package io.delaybridge.shard;

/**
 * The state of the later topic of a shard, as the checkpoint keeps it.
 *
 * @param judged offset in the partition of the later topic up to which the copies were judged;
 *     those behind it wait there
 * @param copies how many messages wait there; some of them may have been cancelled or replaced, or
 *     be deleted
 */
public record Laps(long judged, long copies) {

  /** Nothing ever waited there. */
  static final Laps NONE = new Laps(0, 0);

  /** So many more were written there. */
  Laps plus(long more) {
    return more == 0 ? this : new Laps(judged, copies + more);
  }

  /** The state after deleted records were passed over: it is not known how many were copies. */
  Laps skippedTo(long start, long end) {
    return new Laps(start, Math.min(copies, end - start));
  }

  /** The state after copies were judged, of which this many have not been written there again. */
  Laps judged(long upTo, long gone) {
    return new Laps(upTo, Math.max(0, copies - gone));
  }
}
