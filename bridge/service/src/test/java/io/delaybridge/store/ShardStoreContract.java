package io.delaybridge.store;

import io.delaybridge.message.ShardId;
import io.delaybridge.store.ShardStore.Shard;

/**
 * The promises that every implementation of {@link ShardStore} keeps and the loop relies on. They
 * are grouped by operation, each group in an interface of its own.
 */
abstract class ShardStoreContract
    implements IngestPromises,
        BatchPromises,
        ReplacementPromises,
        RetryPromises,
        FarPromises,
        LaterPromises,
        RecallPromises,
        InsteadPromises,
        AskPromises,
        TakePromises,
        SettlePromises,
        ShardPromises {

  private static int partitions;

  private final Shard shard = newShard();

  /** Returns a shard that no earlier test has touched. */
  static Shard newShard() {
    return new Shard(new ShardId("delay-intake", partitions++), "topic-1");
  }

  abstract ShardStore store();

  @Override
  public final ShardClient shard() {
    return new ShardClient(store(), shard);
  }
}
