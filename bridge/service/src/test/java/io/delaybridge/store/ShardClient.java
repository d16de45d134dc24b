package io.delaybridge.store;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.store.ShardStore.Ingested;
import io.delaybridge.store.ShardStore.Judged;
import io.delaybridge.store.ShardStore.Named;
import io.delaybridge.store.ShardStore.Opened;
import io.delaybridge.store.ShardStore.Page;
import io.delaybridge.store.ShardStore.Settled;
import io.delaybridge.store.ShardStore.Shard;
import io.delaybridge.store.ShardStore.Taken;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One shard of a store. It awaits every answer and throws failures unchanged. */
record ShardClient(ShardStore store, Shard shard) {

  private static final long LIMIT_S = 30;
  private static final int PLENTY = 100_000;
  private static final int PAGE = 10;
  private static final long BATCH = 100;

  /** Returns the same topic and partition after the topic was created again. */
  ShardClient ofTopic(String topicId) {
    return new ShardClient(store, new Shard(shard.id(), topicId));
  }

  ShardClient ofPartition(int partition) {
    ShardId id = new ShardId(shard.id().topic(), partition);
    return new ShardClient(store, new Shard(id, shard.topicId()));
  }

  /** Returns the same shard as of the time when all far messages were recalled. */
  ShardClient recalled() {
    return new ShardClient(store, shard.recalled());
  }

  Opened open() {
    return await(store.open(shard));
  }

  Ingested ingest(long expectedNext, long newNext, Entry... entries) {
    return await(store.ingest(shard, expectedNext, newNext, List.of(entries)));
  }

  /** Appends entries as the next hundred offsets of the log. */
  Ingested append(Entry... entries) {
    long next = open().next();
    return ingest(next, Math.max(0, next) + BATCH, entries);
  }

  /** Takes all due messages, without bounds. */
  Taken take(long now) {
    return take(now, PLENTY, Integer.MAX_VALUE);
  }

  Taken take(long now, int maxCount, int maxBytes) {
    return await(store.take(shard, now, maxCount, maxBytes));
  }

  /** Returns every pending message in key order. */
  List<DelayedMessage> pending() {
    return take(Long.MAX_VALUE - 1).messages();
  }

  List<Long> pendingOffsets() {
    return pending().stream().map(DelayedMessage::offset).toList();
  }

  /** Settles messages whose ids go with them. */
  long settle(long seq, DelayedMessage... messages) {
    return settle(seq, Arrays.stream(messages).map(each -> new Settled(each, false)).toList());
  }

  /** Settles messages whose ids live on. */
  long settleKeepingIds(long seq, DelayedMessage... messages) {
    return settle(seq, Arrays.stream(messages).map(each -> new Settled(each, true)).toList());
  }

  long settle(long seq, List<Settled> messages) {
    return await(store.settle(shard, seq, messages));
  }

  long settleBelow(long seq, long next, Due key, DelayedMessage... messages) {
    List<Settled> settled = Arrays.stream(messages).map(each -> new Settled(each, false)).toList();
    return await(store.settleBelow(shard, seq, next, key, settled));
  }

  long recall(long expectedNext, long newNext, boolean last, List<Named> copies) {
    return recall(expectedNext, newNext, copies, new Page(Page.FIRST, 0, last));
  }

  long recall(long expectedNext, long newNext, List<Named> copies, Page page) {
    return await(store.recall(shard, expectedNext, newNext, copies, page));
  }

  /** Recalls all far messages of an existing shard. */
  void recall(Named... copies) {
    long next = open().next();
    recall(next, next, true, List.of(copies));
  }

  /** Recalls all far messages; an absent shard begins at that offset. */
  long recall(long newNext, Named... copies) {
    return recall(open().next(), newNext, true, List.of(copies));
  }

  void place(long seq, Named... copies) {
    await(store.place(shard, seq, List.of(copies)));
  }

  boolean complete(long fedTo) {
    return await(store.complete(shard, fedTo));
  }

  Judged judge(List<Named> copies) {
    return await(store.judge(shard, copies));
  }

  boolean isAlive(String id, long origin) {
    return judge(List.of(new Named(id, origin))).alive().get(0);
  }

  long drop() {
    return await(store.drop(shard));
  }

  /** Returns the ids of all pages. */
  Set<String> ids() {
    Set<String> ids = new HashSet<>();
    String cursor = "0";
    do {
      ShardStore.Ids page = await(store.ids(shard, cursor, PAGE));
      ids.addAll(page.ids());
      cursor = page.cursor();
    } while (!cursor.equals("0"));
    return ids;
  }

  long sweep(String... ids) {
    return sweepFedTo(0, ids);
  }

  long sweepFedTo(long fedTo, String... ids) {
    return await(store.sweep(shard, fedTo, List.of(ids)));
  }

  /** Returns the result of the future; the port promises that it always completes. */
  static <T> T await(CompletableFuture<T> future) {
    try {
      return future.get(LIMIT_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StoreException failure) {
        throw failure;
      }
      throw new AssertionError("a future of the store failed with something else", e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("a future of the store did not complete", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
