package io.delaybridge.bench.faults;

/** The special properties of a row. */
enum Trait {
  /** The bridges run with the agent that injects faults from within. */
  AGENT,
  /** All messages are plain: no ids, no replaced or cancelled records, no dead letters. */
  PLAIN,
  /** The fault itself releases the load. */
  OWN_LOAD,
  /** The row needs all of its messages and injections and is not scaled. */
  WHOLE,
  /** The clocks of the bridges are shifted: messages may be early by what a bridge tolerates. */
  CLOCKS_SHIFT,
  /** Checkpoints are deleted: they do not always cover the delivered messages. */
  CHECKPOINTS_LOST
}
