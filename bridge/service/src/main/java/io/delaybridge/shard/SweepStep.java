package io.delaybridge.shard;

import io.delaybridge.store.ShardStore;
import io.delaybridge.store.ShardStore.Ids;
import io.delaybridge.store.ShardStore.Index;
import io.delaybridge.store.StoreException;

/**
 * Removes ids that no longer name anything, a page per turn, after a shard was fed again or a
 * settle was lost. It does so only once every record has been read that may bring such an id back
 * to life: the log as it was when the shard was acquired, and the retry copies written since.
 */
final class SweepStep {

  private static final int PAGE = 500;

  private final ShardStore store;
  private final Assignment assignment;
  private final Clocks clocks;

  SweepStep(ShardStore store, Assignment assignment, Clocks clocks) {
    this.store = store;
    this.assignment = assignment;
    this.clocks = clocks;
  }

  void run() {
    for (Shard shard : assignment.open()) {
      // While the index is not complete, an id that names nothing is a mark.
      boolean complete = shard.index != Index.RECALLED && !shard.recall.isRunning();
      if (shard.sweep.isWanted() && complete && shard.sweep.mayBegin(shard, clocks.nanoTime())) {
        sweep(shard);
      }
    }
  }

  private void sweep(Shard shard) {
    try {
      Ids page = Replies.await(store.ids(shard.key, shard.sweep.page(), PAGE));
      if (!page.ids().isEmpty()) {
        // The store may have fallen back without the loop knowing it yet; the store checks itself.
        long swept = Replies.await(store.sweep(shard.key, shard.sweep.fedTo(shard), page.ids()));
        if (swept == ShardStore.NOT_OWNER) {
          shard.sweep.refused(clocks.nanoTime());
          throw new StoreException.OtherOwner(shard.id);
        }
      }
      shard.sweep.swept(page.cursor());
    } catch (StoreException e) {
      assignment.failed(shard, e);
    }
  }
}
