package io.delaybridge.bench.faults;

/** A documented bound on duplicates, computed from the history of a run. */
@FunctionalInterface
interface Repeats {

  /** No duplicates: each message arrives exactly once. */
  Repeats NONE = history -> 0;

  /**
   * One turn per injection: up to {@code delivery.turn.maxMessages} of each partition, and the due
   * messages that each loop has just read.
   */
  Repeats TURN =
      history -> {
        long taken = (long) history.partitions() * BridgeConfig.MAX_MESSAGES;
        long read = (long) BridgeConfig.LOOPS * BridgeConfig.MAX_POLL;
        return history.injections().size() * (taken + read);
      };

  /**
   * The messages since the last checkpoint of a shard: for each injection, those within {@code
   * delivery.checkpointEvery} before it and those of the turn that was under way.
   */
  Repeats CHECKPOINT =
      history ->
          TURN.most(history)
              + history.injections().stream()
                  .mapToLong(at -> history.deliveredBetween(at - BridgeConfig.CHECKPOINT_MS, at))
                  .sum();

  /**
   * Returns the largest number of duplicates that is not a violation.
   *
   * @param history history of the run, once it is over
   */
  long most(History history);
}
