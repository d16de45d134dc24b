package io.delaybridge.bench.faults;

/** The kinds of violation. */
enum Violation {
  /** A message never arrived. */
  LOST,
  /** A message arrived more than once; counted per arrival beyond the first. */
  DUPLICATED,
  /** A message arrived before it was due. */
  EARLY,
  /** A key, a value or a header differs from what was sent. */
  CORRUPTED,
  /** A message arrived on the wrong topic. */
  MISPLACED,
  /** A cancelled or replaced record arrived. */
  TAKEN_BACK,
  /** A record that nobody sent, or whose source is not the place it was sent to. */
  STRANGE,
  /** The checkpoint does not cover a delivered message. */
  UNCOVERED,
  /**
   * Something is left in Redis, a transaction stays open, an offset is not covered by the last
   * checkpoint, or a topic cannot be read to its end.
   */
  LEFT_OVER,
  /** The bridge has not reported a state that it cannot continue from. */
  UNTOLD
}
