package io.delaybridge.store;

import io.delaybridge.message.DelayedMessage;

/** The operations that look at what a shard is, for promises that hold for all of them. */
enum Operation {
  OPEN,
  INGEST,
  TAKE,
  SETTLE,
  SWEEP;

  /** What INGEST adds to a shard that is at position 100. */
  static final DelayedMessage INGESTED = Samples.named(100, 1, "a");

  void run(ShardClient shard) {
    switch (this) {
      case OPEN -> shard.open();
      case INGEST -> shard.ingest(100, 200, Samples.schedule(INGESTED));
      case TAKE -> shard.take(1);
      case SETTLE -> shard.settle(7, Samples.named(1, 10, "a"));
      case SWEEP -> shard.sweep("a");
    }
  }
}
