package io.delaybridge.store;

import io.delaybridge.message.Ask;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.schemas.StoredAsk;
import io.delaybridge.schemas.StoredMessage;
import io.delaybridge.store.ShardStore.Index;
import io.delaybridge.store.ShardStore.Page;
import io.delaybridge.store.ShardStore.Settled;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The contents of one shard of a {@link MemoryShardStore}, and the effect of entries on them. Not
 * final, because simulations also need broken ones, see {@link BrokenShards}.
 */
class MemoryShard {

  final String topicId;
  long next = ShardStore.ABSENT;
  long seq;
  boolean damaged;

  /** The last owner that opened it; nobody else sweeps. */
  @Nullable Object owner;

  /** Who has written since then without being the owner; then nobody sweeps. */
  @Nullable Object other;

  final NavigableMap<Due, DelayedMessage> pending = new TreeMap<>();
  // Sorted, so that a simulation sees the same order in every run.
  final NavigableMap<String, Named> ids = new TreeMap<>();

  /**
   * Returns the key of a far message. It is pending under no key; this one says where its copy is.
   */
  static Due far(long at) {
    return at == ShardStore.Named.SOMEWHERE ? Due.NEVER : new Due(Due.NEVER.time(), at);
  }

  /** The key of a far message that has left and was not recalled. */
  static final Due NO_COPY = new Due(Due.NEVER.time(), Due.NEVER.offset() - 1);

  Index index = Index.NEAR;

  /** Where the last page of a recall has ended. */
  long recalled = Page.FIRST;

  /**
   * The message an id stands for: the intake offset of its first attempt and the key of its latest.
   */
  record Named(long origin, Due current) {

    boolean isFar() {
      return current.time() == Due.NEVER.time();
    }
  }

  MemoryShard(String topicId) {
    this.topicId = topicId;
  }

  /** Returns another shard of the same kind with the same contents. */
  final MemoryShard copy() {
    MemoryShard copy = empty();
    copy.next = next;
    copy.seq = seq;
    copy.damaged = damaged;
    copy.owner = owner;
    copy.other = other;
    copy.index = index;
    copy.recalled = recalled;
    copy.pending.putAll(pending);
    copy.ids.putAll(ids);
    return copy;
  }

  MemoryShard empty() {
    return new MemoryShard(topicId);
  }

  long count() {
    return pending.size();
  }

  /** Returns the number of keys in Redis for it; empty ones do not exist there. */
  long keys() {
    return 1L + (pending.isEmpty() ? 0 : 1) + (ids.isEmpty() ? 0 : 1);
  }

  List<String> ids() {
    return List.copyOf(ids.keySet());
  }

  Collection<DelayedMessage> dueAt(long now) {
    return pending.headMap(new Due(now, Long.MAX_VALUE), true).values();
  }

  /** Returns the key at that place in key order, or NEVER behind the last. */
  Due keyAt(int place) {
    return pending.keySet().stream().skip(place).findFirst().orElse(Due.NEVER);
  }

  void apply(Entry entry) {
    if (entry instanceof Entry.Cancel cancel) {
      cancel(cancel.cancellation().id(), cancel.offset());
    } else if (entry instanceof Entry.Asked asked) {
      ask(asked.ask(), asked.covered());
    } else if (entry instanceof Entry.Schedule schedule) {
      schedule(schedule);
    }
  }

  private void schedule(Entry.Schedule schedule) {
    DelayedMessage message = schedule.message();
    Entry.Instead instead = schedule.instead();
    if (acts(schedule)) {
      schedule(message, schedule.covered());
    } else if (instead != null && acts(told(schedule, instead))) {
      // Nobody knows whether it acted, but its id stood for what it names. So another replacement
      // of that came too late, or did nothing either.
      cancel(Objects.requireNonNull(message.id()), instead.named());
    }
  }

  private static Entry.Schedule told(Entry.Schedule schedule, Entry.Instead instead) {
    return new Entry.Schedule(
        schedule.message(), schedule.covered(), new Entry.Instead(instead.named(), true));
  }

  /** Returns whether the replaced message is still far. */
  boolean acts(Entry.Schedule schedule) {
    String id = schedule.message().id();
    Entry.Instead instead = schedule.instead();
    if (id == null || instead == null) {
      return true;
    }
    Named old = ids.get(id);
    boolean recalled = index == Index.RECALLED;
    if (old != null && old.origin == schedule.message().offset()) {
      return true;
    }
    if (recalled && !instead.isTold()) {
      return false;
    }
    if (old != null && old.origin == instead.named() && old.isFar()) {
      return true;
    }
    return recalled && (old == null || old.origin < instead.named());
  }

  void cancel(String id, long offset) {
    Named old = ids.get(id);
    if (isNewer(old, offset)) {
      return;
    }
    if (old != null) {
      pending.remove(old.current);
    }
    if (index == Index.RECALLED) {
      // A mark: any older record of that id that is read later is obsolete.
      ids.put(id, new Named(offset, Due.asked(offset)));
    } else {
      ids.remove(id);
    }
  }

  /**
   * Returns whether the known message is newer. While absence proves nothing, only a later record
   * takes an earlier one back.
   */
  private boolean isNewer(@Nullable Named known, long offset) {
    return index == Index.RECALLED && known != null && known.origin > offset;
  }

  void ask(Ask ask, boolean covered) {
    StoredAsk stored = ask.stored();
    Due named = new Due(stored.due(), stored.offset());
    DelayedMessage there = stored.verb().namesMessage() ? pending.get(named) : null;
    if (there != null && !isMeant(there, ask.id())) {
      there = null;
    }
    if (there != null) {
      pending.remove(named);
    }
    Named entry = ask.id() == null ? null : ids.get(ask.id());
    if ((there != null || covered) && entry != null && entry.current.equals(named)) {
      ids.put(ask.id(), new Named(entry.origin, ask.key()));
    }
    if (!covered) {
      StoredMessage content =
          there == null ? StoredMessage.inVain(stored) : there.content().askedBy(stored);
      pending.put(ask.key(), new DelayedMessage(ask.key(), content));
    }
  }

  private boolean isMeant(DelayedMessage there, @Nullable String id) {
    if (id != null) {
      return id.equals(there.id()) && !there.isFar();
    }
    Named named = there.id() == null ? null : ids.get(there.id());
    return named == null || !(named.isFar() || named.current.equals(there.key()));
  }

  void schedule(DelayedMessage message, boolean covered) {
    String id = message.id();
    if (id != null) {
      Named old = ids.get(id);
      boolean onlyItsOrigin = message.isRetry() && index != Index.RECALLED;
      boolean isItsOrigin = old != null && old.origin == message.origin();
      boolean over = onlyItsOrigin ? !isItsOrigin : isNewer(old, message.origin());
      if (over) {
        return;
      }
      if (!(message.isFar() && isFar(new ShardStore.Named(id, message.origin())))) {
        if (old != null) {
          pending.remove(old.current);
        }
        boolean gone = covered && !message.isRetry() && index == Index.RECALLED;
        Due key = message.isFar() ? (gone ? NO_COPY : Due.NEVER) : message.key();
        ids.put(id, new Named(message.origin(), key));
      }
    }
    if (!covered) {
      pending.put(message.key(), message);
    }
  }

  void settle(Settled settled) {
    pending.remove(settled.message().key());
    settleId(settled);
  }

  /** Applies a pair of the frontier, unless the shard was fed further than the pair covers. */
  void settleBelow(long fedTo, Due key, List<Settled> messages) {
    if (next <= fedTo) {
      pending.headMap(key, false).clear();
      messages.forEach(this::settleId);
    }
  }

  void settleId(Settled settled) {
    DelayedMessage message = settled.message();
    String id = message.id();
    Named named = id == null ? null : ids.get(id);
    if (id == null || named == null) {
      return;
    }
    if (message.isFar()) {
      settleFar(new ShardStore.Named(id, message.origin(), settled.at()), settled.keepId());
    } else if (named.current.equals(message.key())
        && !settled.keepId()
        && index != Index.RECALLED) {
      ids.remove(id);
    }
  }

  /** Settles a far message that is in the later topic, on its way home, or over. */
  private void settleFar(ShardStore.Named copy, boolean lives) {
    if (copy.at() != ShardStore.Named.SOMEWHERE) {
      place(copy);
    } else if (!lives) {
      place(new ShardStore.Named(copy.id(), copy.origin(), ShardStore.Named.NOWHERE));
    }
  }

  private boolean isFar(ShardStore.Named copy) {
    Named named = ids.get(copy.id());
    return named != null && named.isFar() && named.origin == copy.origin();
  }

  /** Returns whether the page before this one is there. */
  boolean follows(Page page) {
    return page.after() == Page.FIRST || page.after() == recalled;
  }

  /** Adds a far message before anything is fed. */
  void recall(ShardStore.Named copy) {
    Named old = ids.get(copy.id());
    if (old == null || old.origin < copy.origin()) {
      if (old != null) {
        pending.remove(old.current);
      }
      ids.put(copy.id(), new Named(copy.origin(), far(copy.at())));
    } else {
      place(copy);
    }
  }

  /** Records the place of the message if it is far. */
  void place(ShardStore.Named copy) {
    if (!isFar(copy)) {
      return;
    }
    if (copy.at() != ShardStore.Named.NOWHERE) {
      ids.put(copy.id(), new Named(copy.origin(), far(copy.at())));
    } else if (index == Index.RECALLED) {
      ids.put(copy.id(), new Named(copy.origin(), Due.asked(copy.origin())));
    } else {
      ids.remove(copy.id());
    }
  }

  boolean isAlive(ShardStore.Named copy) {
    Named named = ids.get(copy.id());
    return named != null && named.origin == copy.origin();
  }

  long far() {
    return ids.values().stream().filter(Named::isFar).count();
  }

  /** Removes the id if it names no pending message, and returns whether it did. */
  boolean sweep(String id) {
    Named named = ids.get(id);
    return index != Index.RECALLED
        && named != null
        && (!named.isFar() || named.current.equals(NO_COPY))
        && !pending.containsKey(named.current)
        && ids.remove(id, named);
  }
}
