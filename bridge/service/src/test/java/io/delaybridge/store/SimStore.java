package io.delaybridge.store;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Verdict;
import io.delaybridge.store.MemoryShardStore.Snapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The store of a simulated bridge: the one on plain maps, shared by all instances, with faults. A
 * fault, or an action before or after a call, applies to the next such call only.
 */
public final class SimStore implements ShardStore {

  /** The calls that can be disturbed. */
  public enum Call {
    OPEN,
    INGEST,
    TAKE,
    SETTLE,
    ANSWER,
    DROP,
    IDS,
    SWEEP,
    RECALL,
    COMPLETE,
    JUDGE,
    MEMORY
  }

  private static final int PLENTY = 1_000_000;

  private final MemoryShardStore memory;
  private final Map<Call, Runnable> before = new EnumMap<>(Call.class);
  private final Map<Call, Runnable> after = new EnumMap<>(Call.class);
  private final Map<Call, Boolean> failing = new EnumMap<>(Call.class);
  private final Map<Call, Integer> calls = new EnumMap<>(Call.class);
  private final Set<Call> refused = EnumSet.noneOf(Call.class);
  private final List<Entry> ingested = new ArrayList<>();
  private boolean away;
  private DoubleSupplier memoryUse = () -> 0;

  /** Uses a store that keeps its promises. */
  public SimStore() {
    this(new MemoryShardStore());
  }

  /** Uses that store. */
  public SimStore(MemoryShardStore memory) {
    this.memory = memory;
  }

  /** Runs the action before the next call of that kind, as if others were quicker. */
  public void before(Call call, Runnable action) {
    before.put(call, action);
  }

  /** Runs the action after the next call of that kind has taken effect. */
  public void after(Call call, Runnable action) {
    after.put(call, action);
  }

  /** Makes the next call of that kind fail without effect. */
  public void lose(Call call) {
    failing.put(call, false);
  }

  /** Loses the reply of the next call of that kind: it takes effect but fails. */
  public void loseReply(Call call) {
    failing.put(call, true);
  }

  /** Makes every call of that kind fail without effect, except those that a full store accepts. */
  public void refuse(Call call, boolean refuses) {
    if (refuses) {
      refused.add(call);
    } else {
      refused.remove(call);
    }
  }

  /** Attributes calls to that owner from now on; otherwise all have the same one. */
  public void as(Object owner) {
    memory.as(owner);
  }

  /** Makes every call fail from now on, or ends that. */
  public void away(boolean gone) {
    away = gone;
  }

  /** Sets the result of {@link #memoryUse()}. */
  public void memoryUse(double share) {
    memoryUse = () -> share;
  }

  /** Sets the source of {@link #memoryUse()}. */
  public void memoryUse(DoubleSupplier share) {
    memoryUse = share;
  }

  /** Returns the number of calls of that kind. */
  public int calls(Call call) {
    return calls.getOrDefault(call, 0);
  }

  /** Returns every entry that was applied since the last call of this method. */
  public List<Entry> ingested() {
    List<Entry> seen = List.copyOf(ingested);
    ingested.clear();
    return seen;
  }

  /** Returns an action that restores the current state of the shard, as often as it is run. */
  public Runnable savepoint(ShardId id) {
    Snapshot snapshot = memory.snapshot(id);
    return () -> memory.restore(snapshot);
  }

  /** Loses every shard. */
  public void wipe() {
    memory.wipe();
  }

  /** Makes the keys of the shard contradict each other from now on. */
  public void damage(ShardId id) {
    memory.damage(id);
  }

  /** Returns all pending messages in key order. */
  public List<DelayedMessage> pending(Shard shard) {
    return memory.take(shard, Long.MAX_VALUE - 1, PLENTY, Integer.MAX_VALUE).join().messages();
  }

  /**
   * Returns the asks and the first key without side effects, or null if the keys contradict each
   * other.
   */
  public @Nullable Taken look(Shard shard) {
    CompletableFuture<Taken> reply = memory.take(shard, Due.ASKED, PLENTY, Integer.MAX_VALUE);
    return reply.isCompletedExceptionally() ? null : reply.join();
  }

  /** Returns the offset up to which it is fed. */
  public long next(Shard shard) {
    return memory.next(shard.id());
  }

  /**
   * Returns the same whatever the topic id and without a check for damage: for judges, not for
   * bridges.
   */
  public Collection<DelayedMessage> contents(ShardId id) {
    return memory.pending(id);
  }

  /** Returns the offset up to which the shard is fed, or {@link #ABSENT}; likewise. */
  public long fedTo(ShardId id) {
    return memory.next(id);
  }

  /** Returns the pending offset that each id of the shard stands for. */
  public Map<String, Long> named(ShardId id) {
    return memory.named(id);
  }

  /** Returns the intake offsets of far messages by their ids. */
  public Map<String, Long> far(ShardId id) {
    return memory.far(id);
  }

  /**
   * Returns the owner that opened the shard last; null if there is none or the store has no data.
   */
  public @Nullable Object owner(ShardId id) {
    return memory.owner(id);
  }

  /** Returns the whole shard as a text that is equal for equal shards. */
  public String dump(ShardId id) {
    return memory.dump(id);
  }

  /** Returns the ids in the index. */
  public List<String> ids(Shard shard) {
    return memory.ids(shard, "0", PLENTY).join().ids();
  }

  @Override
  public CompletableFuture<Opened> open(Shard shard) {
    return run(Call.OPEN, () -> memory.open(shard));
  }

  @Override
  public CompletableFuture<Ingested> ingest(
      Shard shard, long expectedNext, long newNext, List<Entry> entries) {
    return run(Call.INGEST, () -> apply(shard, expectedNext, newNext, entries));
  }

  @Override
  public CompletableFuture<Ingested> ingestRest(
      Shard shard, long expectedNext, long newNext, List<Entry> entries) {
    return run(Call.INGEST, false, () -> apply(shard, expectedNext, newNext, entries));
  }

  private CompletableFuture<Ingested> apply(
      Shard shard, long expectedNext, long newNext, List<Entry> entries) {
    CompletableFuture<Ingested> reply = memory.ingest(shard, expectedNext, newNext, entries);
    if (!reply.isCompletedExceptionally() && reply.join().applied()) {
      ingested.addAll(entries);
    }
    return reply;
  }

  @Override
  public CompletableFuture<Taken> take(Shard shard, long now, int maxCount, int maxBytes) {
    return run(Call.TAKE, () -> memory.take(shard, now, maxCount, maxBytes));
  }

  @Override
  public CompletableFuture<Long> settle(Shard shard, long seq, List<Settled> messages) {
    return run(Call.SETTLE, () -> memory.settle(shard, seq, messages));
  }

  @Override
  public CompletableFuture<Long> settleBelow(
      Shard shard, long seq, long next, Due key, List<Settled> messages) {
    return run(Call.SETTLE, () -> memory.settleBelow(shard, seq, next, key, messages));
  }

  @Override
  public CompletableFuture<Void> answer(Shard shard, long offset, Verdict verdict) {
    return run(Call.ANSWER, () -> memory.answer(shard, offset, verdict));
  }

  /** Returns the answer to the ask at that offset, or null if there is none. */
  public @Nullable Verdict answer(Shard shard, long offset) {
    return memory.answered(shard, offset);
  }

  @Override
  public CompletableFuture<Long> drop(Shard shard) {
    return run(Call.DROP, () -> memory.drop(shard));
  }

  @Override
  public CompletableFuture<Ids> ids(Shard shard, String cursor, int count) {
    return run(Call.IDS, () -> memory.ids(shard, cursor, count));
  }

  @Override
  public CompletableFuture<Long> sweep(Shard shard, long fedTo, List<String> ids) {
    return run(Call.SWEEP, () -> memory.sweep(shard, fedTo, ids));
  }

  @Override
  public CompletableFuture<Long> recall(
      Shard shard, long expectedNext, long newNext, List<Named> copies, Page page) {
    return run(Call.RECALL, () -> memory.recall(shard, expectedNext, newNext, copies, page));
  }

  @Override
  public CompletableFuture<Boolean> complete(Shard shard, long fedTo) {
    return run(Call.COMPLETE, () -> memory.complete(shard, fedTo));
  }

  @Override
  public CompletableFuture<Judged> judge(Shard shard, List<Named> copies) {
    return run(Call.JUDGE, () -> memory.judge(shard, copies));
  }

  @Override
  public CompletableFuture<Void> place(Shard shard, long seq, List<Named> copies) {
    return run(Call.SETTLE, () -> memory.place(shard, seq, copies));
  }

  @Override
  public CompletableFuture<Void> ping() {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletableFuture<Double> memoryUse() {
    return run(Call.MEMORY, () -> CompletableFuture.completedFuture(memoryUse.getAsDouble()));
  }

  @Override
  public void close() {}

  private <T> CompletableFuture<T> run(Call call, Supplier<CompletableFuture<T>> operation) {
    return run(call, refused.contains(call), operation);
  }

  private <T> CompletableFuture<T> run(
      Call call, boolean refuses, Supplier<CompletableFuture<T>> operation) {
    calls.merge(call, 1, Integer::sum);
    happen(before.remove(call));
    Boolean takesEffect = (away || refuses) ? Boolean.FALSE : failing.remove(call);
    if (takesEffect == null || takesEffect) {
      CompletableFuture<T> reply = operation.get();
      happen(after.remove(call));
      if (takesEffect == null) {
        return reply;
      }
    }
    return CompletableFuture.failedFuture(
        new StoreException(call + " was lost", new IllegalStateException("simulated")));
  }

  private static void happen(@Nullable Runnable action) {
    if (action != null) {
      action.run();
    }
  }
}
