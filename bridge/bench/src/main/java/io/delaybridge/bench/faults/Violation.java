package io.delaybridge.bench.faults;

/** What must not happen. */
enum Violation {
  /** A message never arrived. */
  LOST,
  /** A message arrived once more; counted per arrival beyond the first. */
  DUPLICATED,
  /** A message arrived before it was due. */
  EARLY,
  /** Key, value or a header is not what was sent. */
  CORRUPTED,
  /** A message arrived on a topic that it was not for. */
  MISPLACED,
  /** What was cancelled or replaced arrived all the same. */
  TAKEN_BACK,
  /** A record that nobody sent, or from another place than it was sent to. */
  STRANGE,
  /** The checkpoint does not say what was delivered. */
  UNCOVERED,
  /** Something is left in Redis, or a transaction stays open. */
  LEFT_OVER,
  /** The bridge has not said what it cannot go on from. */
  UNTOLD
}
