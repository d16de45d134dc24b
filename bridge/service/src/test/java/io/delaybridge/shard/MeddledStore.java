package io.delaybridge.shard;

import io.delaybridge.message.Due;
import io.delaybridge.message.Verdict;
import io.delaybridge.shard.Meddler.Fate;
import io.delaybridge.store.Entry;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.SimStore.Call;
import io.delaybridge.store.StoreException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A store with a {@link Meddler} before and after each call. */
record MeddledStore(ShardStore inner, Meddler meddler) implements ShardStore {

  @Override
  public CompletableFuture<Opened> open(Shard shard) {
    return run(Call.OPEN, () -> inner.open(shard));
  }

  @Override
  public CompletableFuture<Ingested> ingest(
      Shard shard, long expectedNext, long newNext, List<Entry> entries) {
    return run(Call.INGEST, () -> inner.ingest(shard, expectedNext, newNext, entries));
  }

  @Override
  public CompletableFuture<Ingested> ingestRest(
      Shard shard, long expectedNext, long newNext, List<Entry> entries) {
    return run(Call.INGEST, () -> inner.ingestRest(shard, expectedNext, newNext, entries));
  }

  @Override
  public CompletableFuture<Taken> take(Shard shard, long now, int maxCount, int maxBytes) {
    return run(Call.TAKE, () -> inner.take(shard, now, maxCount, maxBytes));
  }

  @Override
  public CompletableFuture<Long> settle(Shard shard, long seq, List<Settled> messages) {
    return run(Call.SETTLE, () -> inner.settle(shard, seq, messages));
  }

  @Override
  public CompletableFuture<Long> settleBelow(
      Shard shard, long seq, long next, Due key, List<Settled> messages) {
    return run(Call.SETTLE, () -> inner.settleBelow(shard, seq, next, key, messages));
  }

  @Override
  public CompletableFuture<Void> answer(Shard shard, long offset, Verdict verdict) {
    return run(Call.ANSWER, () -> inner.answer(shard, offset, verdict));
  }

  @Override
  public CompletableFuture<Long> drop(Shard shard) {
    return run(Call.DROP, () -> inner.drop(shard));
  }

  @Override
  public CompletableFuture<Ids> ids(Shard shard, String cursor, int count) {
    return run(Call.IDS, () -> inner.ids(shard, cursor, count));
  }

  @Override
  public CompletableFuture<Long> sweep(Shard shard, long fedTo, List<String> ids) {
    return run(Call.SWEEP, () -> inner.sweep(shard, fedTo, ids));
  }

  @Override
  public CompletableFuture<Long> recall(
      Shard shard, long expectedNext, long newNext, List<Named> copies, Page page) {
    return run(Call.RECALL, () -> inner.recall(shard, expectedNext, newNext, copies, page));
  }

  @Override
  public CompletableFuture<Boolean> complete(Shard shard, long fedTo) {
    return run(Call.COMPLETE, () -> inner.complete(shard, fedTo));
  }

  @Override
  public CompletableFuture<Judged> judge(Shard shard, List<Named> copies) {
    return run(Call.JUDGE, () -> inner.judge(shard, copies));
  }

  @Override
  public CompletableFuture<Void> place(Shard shard, long seq, List<Named> copies) {
    return inner.place(shard, seq, copies);
  }

  @Override
  public CompletableFuture<Void> ping() {
    return inner.ping();
  }

  @Override
  public CompletableFuture<Double> memoryUse() {
    return inner.memoryUse();
  }

  @Override
  public void close() {
    inner.close();
  }

  private <T> CompletableFuture<T> run(Call call, Supplier<CompletableFuture<T>> operation) {
    Fate fate = meddler.before(call);
    CompletableFuture<T> reply = fate == Fate.IS_LOST ? lost(call) : operation.get();
    meddler.after(call);
    return fate == Fate.REPLY_IS_LOST ? lost(call) : reply;
  }

  private static <T> CompletableFuture<T> lost(Call call) {
    return CompletableFuture.failedFuture(
        new StoreException(call + " was lost", new IllegalStateException("simulated")));
  }
}
