package io.delaybridge.bench.faults;

/** What a row takes away from what can be checked. */
enum Trait {
  /** The clocks of the bridges are shifted: what is early is told by their own clock only. */
  CLOCKS_SHIFT,
  /** Checkpoints are taken away: they do not tell at all times what was delivered. */
  CHECKPOINTS_LOST
}
