package io.delaybridge.shard;

/**
 * The start of a shard if neither Kafka nor Redis knows anything about it although its log is not
 * empty.
 */
public enum IntakeStart {
  /** Stop and let the operator decide. */
  ASK,
  /** At the first record: everything that the log still has is delivered. */
  EARLIEST,
  /** At the end: what the log has counts as settled. */
  LATEST
}
