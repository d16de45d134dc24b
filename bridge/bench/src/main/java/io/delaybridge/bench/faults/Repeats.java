package io.delaybridge.bench.faults;

/** A documented bound on duplicates, as a number that follows from what happened in a run. */
@FunctionalInterface
interface Repeats {

  /** Each message exactly once. */
  Repeats NONE = history -> 0;

  /**
   * A turn that was under way: up to {@code delivery.turn.maxMessages} of each partition and what
   * each loop had just read that was due, once per injection.
   */
  Repeats TURN =
      history -> {
        long taken = (long) history.partitions() * BridgeConfig.MAX_MESSAGES;
        long read = (long) BridgeConfig.LOOPS * BridgeConfig.MAX_POLL;
        return history.injections().size() * (taken + read);
      };

  /**
   * What was delivered since the last checkpoint of a shard: {@code delivery.checkpointEvery} and
   * the turn that was under way before each injection.
   */
  Repeats CHECKPOINT =
      history ->
          TURN.most(history)
              + history.injections().stream()
                  .mapToLong(at -> history.deliveredBetween(at - BridgeConfig.CHECKPOINT_MS, at))
                  .sum();

  /**
   * Most duplicates that are no violation.
   *
   * @param history of the run, once it is over
   */
  long most(History history);
}
