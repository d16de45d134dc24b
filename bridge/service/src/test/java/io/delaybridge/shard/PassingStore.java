package io.delaybridge.shard;

import io.delaybridge.message.Due;
import io.delaybridge.message.Verdict;
import io.delaybridge.store.Entry;
import io.delaybridge.store.ShardStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Passes every call on to another store; a base for stores that do one thing differently. */
class PassingStore implements ShardStore {

  private final ShardStore inner;

  PassingStore(ShardStore inner) {
    this.inner = inner;
  }

  @Override
  public CompletableFuture<Opened> open(Shard shard) {
    return inner.open(shard);
  }

  @Override
  public CompletableFuture<Ingested> ingest(
      Shard shard, long expectedNext, long newNext, List<Entry> entries) {
    return inner.ingest(shard, expectedNext, newNext, entries);
  }

  @Override
  public CompletableFuture<Taken> take(Shard shard, long now, int maxCount, int maxBytes) {
    return inner.take(shard, now, maxCount, maxBytes);
  }

  @Override
  public CompletableFuture<Long> settle(Shard shard, long seq, List<Settled> messages) {
    return inner.settle(shard, seq, messages);
  }

  @Override
  public CompletableFuture<Long> settleBelow(
      Shard shard, long seq, long next, Due key, List<Settled> messages) {
    return inner.settleBelow(shard, seq, next, key, messages);
  }

  @Override
  public CompletableFuture<Void> answer(Shard shard, long offset, Verdict verdict) {
    return inner.answer(shard, offset, verdict);
  }

  @Override
  public CompletableFuture<Long> drop(Shard shard) {
    return inner.drop(shard);
  }

  @Override
  public CompletableFuture<Ids> ids(Shard shard, String cursor, int count) {
    return inner.ids(shard, cursor, count);
  }

  @Override
  public CompletableFuture<Long> sweep(Shard shard, long fedTo, List<String> ids) {
    return inner.sweep(shard, fedTo, ids);
  }

  @Override
  public CompletableFuture<Long> recall(
      Shard shard, long expectedNext, long newNext, List<Named> copies, Page page) {
    return inner.recall(shard, expectedNext, newNext, copies, page);
  }

  @Override
  public CompletableFuture<Boolean> complete(Shard shard, long fedTo) {
    return inner.complete(shard, fedTo);
  }

  @Override
  public CompletableFuture<Judged> judge(Shard shard, List<Named> copies) {
    return inner.judge(shard, copies);
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
}
