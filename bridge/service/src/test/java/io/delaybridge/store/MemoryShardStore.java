package io.delaybridge.store;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Source;
import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.StoredMessageCodec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The store on plain maps, for tests and simulations: single threaded, every future is complete
 * when it is returned. {@link #snapshot}, {@link #restore} and {@link #wipe} simulate a store that
 * loses its tail or everything, {@link #damage} one whose keys contradict each other.
 */
public final class MemoryShardStore implements ShardStore {

  private final Function<String, MemoryShard> empty;
  private final Map<ShardId, MemoryShard> shards = new HashMap<>();
  private Object owner = this;
  private final Map<Source, Verdict> answers = new HashMap<>();

  /** A store that keeps its promises. */
  public MemoryShardStore() {
    this(MemoryShard::new);
  }

  /** Takes a factory of shards for a topic id. */
  MemoryShardStore(Function<String, MemoryShard> empty) {
    this.empty = empty;
  }

  /** The whole contents of one shard; the shard is null if the store has nothing. */
  public record Snapshot(ShardId id, @Nullable MemoryShard shard) {}

  /** Returns the current contents of the shard; later operations do not change the result. */
  public Snapshot snapshot(ShardId id) {
    MemoryShard shard = shards.get(id);
    return new Snapshot(id, shard == null ? null : shard.copy());
  }

  /** Restores the shard; a snapshot can be restored any number of times. */
  public void restore(Snapshot snapshot) {
    if (snapshot.shard == null) {
      shards.remove(snapshot.id);
    } else {
      shards.put(snapshot.id, snapshot.shard.copy());
    }
  }

  /** Returns the pending offset that each id of the shard stands for. */
  Map<String, Long> named(ShardId id) {
    Map<String, Long> named = new TreeMap<>();
    MemoryShard shard = shards.get(id);
    if (shard != null) {
      shard.ids.forEach((name, entry) -> named.put(name, entry.current().offset()));
    }
    return named;
  }

  /** Returns the whole shard as a text that is equal for equal shards. */
  String dump(ShardId id) {
    MemoryShard shard = shards.get(id);
    if (shard == null) {
      return "absent";
    }
    StringBuilder text = new StringBuilder();
    text.append(shard.index).append(' ').append(shard.recalled).append(' ');
    text.append(shard.next).append(' ').append(shard.damaged).append(' ').append(shard.ids);
    for (DelayedMessage message : shard.pending.values()) {
      text.append(' ').append(message.key().time()).append('/').append(message.offset());
      text.append(' ').append(message.content());
    }
    return text.toString();
  }

  /** Returns the pending messages of the shard in key order. */
  Collection<DelayedMessage> pending(ShardId id) {
    MemoryShard shard = shards.get(id);
    return shard == null ? List.of() : shard.pending.values();
  }

  /** Returns the intake offsets of far messages by their ids. */
  Map<String, Long> far(ShardId id) {
    Map<String, Long> far = new TreeMap<>();
    MemoryShard shard = shards.get(id);
    if (shard != null) {
      shard.ids.forEach(
          (name, entry) -> {
            if (entry.isFar()) {
              far.put(name, entry.origin());
            }
          });
    }
    return far;
  }

  /** Returns the owner that opened the shard last, or null if there is none. */
  @Nullable Object owner(ShardId id) {
    MemoryShard shard = shards.get(id);
    return shard == null ? null : shard.owner;
  }

  /** Returns the offset up to which the shard is fed, or {@link #ABSENT}. */
  long next(ShardId id) {
    MemoryShard shard = shards.get(id);
    return shard == null ? ABSENT : shard.next;
  }

  /** Loses every shard. */
  public void wipe() {
    shards.clear();
  }

  /** Marks the shard as corrupt until it is dropped, wiped or restored. */
  public void damage(ShardId id) {
    MemoryShard shard = shards.get(id);
    if (shard == null) {
      throw new IllegalStateException("shard " + id + " is absent: there is nothing to damage");
    }
    shard.damaged = true;
  }

  /** Attributes calls to that owner from now on. */
  public void as(Object next) {
    owner = next;
  }

  @Override
  public CompletableFuture<Opened> open(Shard key) {
    return run(
        () -> {
          MemoryShard shard = checked(key);
          if (shard != null) {
            shard.owner = owner;
            shard.other = null;
          }
          return shard == null
              ? new Opened(ABSENT, 0, 0, 0, Index.NEAR, 0)
              : new Opened(
                  shard.next, shard.seq, shard.count(), shard.ids.size(), shard.index, shard.far());
        });
  }

  @Override
  public CompletableFuture<Ingested> ingest(
      Shard key, long expectedNext, long newNext, List<Entry> entries) {
    return run(
        () -> {
          MemoryShard found = checked(key);
          if (key.isRecalled() && (found == null || found.index == Index.NEAR)) {
            return new Ingested(false, ABSENT, found == null ? 0 : found.count());
          }
          long next = found == null ? ABSENT : found.next;
          if (next != expectedNext) {
            return new Ingested(false, next, found == null ? 0 : found.count());
          }
          MemoryShard shard = found == null ? empty.apply(key.topicId()) : found;
          if (found == null) {
            shard.owner = owner;
          }
          entries.forEach(shard::apply);
          written(shard);
          shard.next = newNext;
          shards.put(key.id(), shard);
          return new Ingested(true, newNext, shard.count());
        });
  }

  @Override
  public CompletableFuture<Taken> take(Shard key, long now, int maxCount, int maxBytes) {
    return run(
        () -> {
          MemoryShard shard = checked(key);
          return shard == null
              ? new Taken(ABSENT, List.of(), Due.NEVER, 0, 0)
              : take(shard, now, maxCount, maxBytes);
        });
  }

  private static Taken take(MemoryShard shard, long now, int maxCount, int maxBytes) {
    List<DelayedMessage> messages = new ArrayList<>();
    long bytes = 0;
    for (DelayedMessage message : shard.dueAt(now)) {
      bytes +=
          StoredMessageCodec.encode(message.content(), message.key().time(), message.key().offset())
              .length;
      if (messages.size() >= maxCount || (bytes > maxBytes && !messages.isEmpty())) {
        break;
      }
      messages.add(message);
    }
    return new Taken(
        shard.next,
        List.copyOf(messages),
        shard.keyAt(messages.size()),
        shard.count(),
        shard.dueAt(now).size());
  }

  @Override
  public CompletableFuture<Long> settle(Shard key, long seq, List<Settled> messages) {
    return run(
        () -> {
          MemoryShard shard = checked(key);
          if (shard == null) {
            return 0L;
          }
          messages.forEach(shard::settle);
          settled(shard, seq);
          return shard.count();
        });
  }

  @Override
  public CompletableFuture<Long> settleBelow(
      Shard key, long seq, long next, Due until, List<Settled> messages) {
    return run(
        () -> {
          MemoryShard shard = checked(key);
          if (shard == null) {
            return 0L;
          }
          shard.settleBelow(next, until, messages);
          settled(shard, seq);
          return shard.count();
        });
  }

  private void settled(MemoryShard shard, long seq) {
    if (shard.owner == owner) {
      shard.seq = Math.max(shard.seq, seq);
    }
    written(shard);
  }

  private void written(MemoryShard shard) {
    if (shard.owner != owner) {
      shard.other = owner;
    }
  }

  @Override
  public CompletableFuture<Void> answer(Shard key, long offset, Verdict verdict) {
    answers.put(key.id().source(offset), verdict);
    return CompletableFuture.completedFuture(null);
  }

  /** Returns the answer to the ask at that offset, or null if there is none. */
  public @Nullable Verdict answered(Shard key, long offset) {
    return answers.get(key.id().source(offset));
  }

  @Override
  public CompletableFuture<Long> drop(Shard key) {
    return run(
        () -> {
          MemoryShard shard = shards.remove(key.id());
          return shard == null ? 0L : shard.keys();
        });
  }

  /** Returns all ids on one page. */
  @Override
  public CompletableFuture<Ids> ids(Shard key, String cursor, int count) {
    return run(
        () -> {
          MemoryShard shard = shards.get(key.id());
          return new Ids("0", shard == null ? List.of() : shard.ids());
        });
  }

  @Override
  public CompletableFuture<Long> sweep(Shard key, long fedTo, List<String> ids) {
    return run(
        () -> {
          MemoryShard shard = checked(key);
          if (shard != null && (shard.owner != owner || shard.other != null)) {
            return NOT_OWNER;
          }
          return shard == null || shard.next < fedTo
              ? 0L
              : ids.stream().filter(shard::sweep).count();
        });
  }

  @Override
  public CompletableFuture<Long> recall(
      Shard key, long expectedNext, long newNext, List<Named> copies, Page page) {
    return run(
        () -> {
          MemoryShard found = checked(key);
          if (found != null && found.owner != owner) {
            return ABSENT;
          }
          long next = found == null ? ABSENT : found.next;
          if (next != expectedNext) {
            return next;
          }
          MemoryShard shard = found == null ? empty.apply(key.topicId()) : found;
          if (found == null) {
            shard.owner = owner;
            shard.next = newNext;
            shards.put(key.id(), shard);
          }
          if (shard.index != Index.COMPLETE) {
            if (!shard.follows(page)) {
              return ABSENT;
            }
            copies.forEach(shard::recall);
            shard.recalled = page.upTo();
            shard.index = page.last() ? Index.RECALLED : shard.index;
          }
          return shard.next;
        });
  }

  @Override
  public CompletableFuture<Boolean> complete(Shard key, long fedTo) {
    return run(
        () -> {
          MemoryShard shard = checked(key);
          if (shard != null
              && shard.index == Index.RECALLED
              && shard.owner == owner
              && shard.next >= fedTo) {
            shard.index = Index.COMPLETE;
          }
          return shard != null && shard.index == Index.COMPLETE;
        });
  }

  @Override
  public CompletableFuture<Judged> judge(Shard key, List<Named> copies) {
    return run(
        () -> {
          MemoryShard shard = checked(key);
          return shard == null
              ? new Judged(ABSENT, false, copies.stream().map(copy -> false).toList())
              : new Judged(
                  shard.next,
                  shard.index == Index.COMPLETE,
                  copies.stream().map(shard::isAlive).toList());
        });
  }

  @Override
  public CompletableFuture<Void> place(Shard key, long seq, List<Named> copies) {
    return run(
        () -> {
          MemoryShard shard = checked(key);
          if (shard != null) {
            copies.forEach(shard::place);
            settled(shard, seq);
          }
          return null;
        });
  }

  @Override
  public CompletableFuture<Void> ping() {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletableFuture<Double> memoryUse() {
    return CompletableFuture.completedFuture(0.0);
  }

  @Override
  public void close() {}

  private @Nullable MemoryShard checked(Shard key) {
    MemoryShard shard = shards.get(key.id());
    if (shard != null && !shard.topicId.equals(key.topicId())) {
      throw new StoreException.OtherTopic(key.id(), shard.topicId, key.topicId());
    }
    if (shard != null && shard.damaged) {
      throw new StoreException.Corrupt(key.id(), "a test has damaged it");
    }
    return shard;
  }

  private static <T> CompletableFuture<T> run(Supplier<T> operation) {
    try {
      return CompletableFuture.completedFuture(operation.get());
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
