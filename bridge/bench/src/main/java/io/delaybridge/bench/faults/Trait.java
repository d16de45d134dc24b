package io.delaybridge.bench.faults;

/** What is special about a row. */
enum Trait {
  /** The bridges run with the agent that breaks them from within. */
  AGENT,
  /** All messages are plain ones: no ids, nothing that is taken back, no dead letters. */
  PLAIN,
  /** The fault itself lets the load go on. */
  OWN_LOAD,
  /** It needs all of its messages and injections: it is not scaled. */
  WHOLE,
  /** The clocks of the bridges are shifted: what is early is told by their own clock only. */
  CLOCKS_SHIFT,
  /** Checkpoints are taken away: they do not tell at all times what was delivered. */
  CHECKPOINTS_LOST
}
