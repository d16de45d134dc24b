package io.delaybridge.store;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.store.ShardStore.Named;
import java.util.List;

/** The operations that look at the state of a shard, for promises that hold for all of them. */
enum Operation {
  OPEN,
  INGEST,
  TAKE,
  SETTLE,
  SWEEP,
  RECALL,
  COMPLETE,
  JUDGE;

  /** The message that INGEST adds to a shard at position 100. */
  static final DelayedMessage INGESTED = Samples.named(100, 1, "a");

  void run(ShardClient shard) {
    switch (this) {
      case OPEN -> shard.open();
      case INGEST -> shard.ingest(100, 200, Samples.schedule(INGESTED));
      case TAKE -> shard.take(1);
      case SETTLE -> shard.settle(7, Samples.named(1, 10, "a"));
      case SWEEP -> shard.sweep("a");
      case RECALL -> shard.recall(100, 100, true, List.of(new Named("b", 50)));
      case COMPLETE -> shard.complete(100);
      case JUDGE -> shard.judge(List.of(new Named("a", 1)));
    }
  }
}
