package io.delaybridge.shard;

import io.delaybridge.message.Ask;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.store.BrokenReplacements;
import io.delaybridge.store.BrokenShards;
import io.delaybridge.store.Entry;
import io.delaybridge.store.MemoryShardStore;
import io.delaybridge.store.ShardStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Stores that break one promise each. */
final class BrokenStores {

  private BrokenStores() {}

  static Map<String, SimWiring> all() {
    Map<String, SimWiring> all = new java.util.LinkedHashMap<>();
    all.put("a store that does not compare before it sets", seen(NoComparison::new));
    all.put("a take that removes what it returns", seen(EagerTake::new));
    all.put("a take that says nothing is left when something is", seen(NothingLeft::new));
    all.put("a take that ends with the last message it returns", seen(LastReturned::new));
    all.put("a take that says the next of its loop, not its own", seen(RememberedNext::new));
    all.put("a take that breaks ties backwards", seen(BackwardTies::new));
    all.put("a take that is ahead of the clock", seen(Hasty::new));
    all.put("a settle that does not remove what keeps its id", settling(s -> !s.keepId(), s -> s));
    all.put(
        "a settle that never keeps an id",
        settling(s -> true, s -> new ShardStore.Settled(s.message(), false)));
    all.put(
        "a settle of asks that never keeps an id",
        settling(
            s -> true,
            s -> s.message().ask() == null ? s : new ShardStore.Settled(s.message(), false)));
    all.put(
        "a rebuild that skips what is covered",
        feeding(entry -> entry instanceof Entry.Schedule s && s.covered() ? null : entry));
    all.put(
        "a rebuild that skips asks that are covered",
        feeding(entry -> entry instanceof Entry.Asked a && a.covered() ? null : entry));
    all.put(
        "a store that takes no cancels",
        feeding(entry -> entry instanceof Entry.Cancel ? null : entry));
    all.put("a rest that is not stored", seen(ForgottenRest::new));
    all.put("asks that wait for the due time of their message", feeding(BrokenStores::patient));
    all.put("retry copies that are ordinary", of(BrokenShards::retryCopiesAreOrdinary));
    all.put("successors that are ordinary", of(BrokenShards::successorsAreOrdinary));
    all.put(
        "retry copies that yield only to newer messages",
        of(BrokenShards::retryCopiesYieldOnlyToNewerMessages));
    all.put("a settle that removes any id", of(BrokenShards::settlingRemovesTheIdInAnyCase));
    all.put("a replacement beside the message", of(BrokenShards::replacingForgetsTheOlderMessage));
    all.put("asks that ignore the due time", of(BrokenShards::asksIgnoreTheDueTime));
    all.put(
        "settling below a key whatever was fed since",
        of(BrokenShards::settlingBelowAKeyInAnyCase));
    all.put("asks that do not take over the id", of(BrokenShards::asksDoNotTakeOverTheId));
    all.put("a sweep that does not look how far the store is fed", seen(EagerSweep::new));
    all.putAll(ofFarMessages());
    return all;
  }

  private static Map<String, SimWiring> ofFarMessages() {
    Map<String, SimWiring> all = new java.util.LinkedHashMap<>();
    all.put("a recall that forgets an id", of(BrokenShards::recallingForgetsAnId));
    all.put("a recalled index that counts as complete", seen(HastyIndex::new));
    all.put("cancels that leave no mark", of(BrokenShards::cancelsLeaveNoMark));
    all.put("an index in which absence is death", of(BrokenShards::absenceIsDeath));
    all.put("deliveries that leave no mark", of(BrokenShards::deliveriesLeaveNoMark));
    all.put("a sweep that takes what is far", of(BrokenShards::sweepingTakesWhatIsFar));
    all.put("a hop that forgets its id", of(BrokenShards::hopsForgetTheirId));
    all.put("a hop that is fed again and is not far", of(BrokenShards::whatIsFedAgainIsNear));
    all.put("copies that act in any case", of(BrokenShards::copiesActInAnyCase));
    all.put("replacements that act in any case", of(BrokenReplacements::replacementsActInAnyCase));
    all.put(
        "replacements that need what they replace",
        of(BrokenReplacements::replacementsNeedWhatTheyReplace));
    all.put("copies that never die", of(BrokenShards::copiesNeverDie));
    return all;
  }

  /** A recall that does not notice that its last page is lost. Only a long run catches it. */
  static SimWiring recallThatDoesNotLookBack() {
    return of(BrokenShards::recallingDoesNotLookBack);
  }

  private static SimWiring of(Supplier<MemoryShardStore> memory) {
    return new SimWiring() {
      @Override
      MemoryShardStore memory() {
        return memory.get();
      }
    };
  }

  private static SimWiring seen(UnaryOperator<ShardStore> broken) {
    return new SimWiring() {
      @Override
      ShardStore store(ShardStore store, SimKafka kafka, SimClock clock) {
        return broken.apply(store);
      }
    };
  }

  private static SimWiring settling(
      java.util.function.Predicate<ShardStore.Settled> which,
      UnaryOperator<ShardStore.Settled> how) {
    return seen(
        store ->
            new PassingStore(store) {
              @Override
              public CompletableFuture<Long> settle(Shard shard, long seq, List<Settled> messages) {
                return super.settle(shard, seq, messages.stream().filter(which).map(how).toList());
              }

              @Override
              public CompletableFuture<Long> settleBelow(
                  Shard shard, long seq, long next, Due key, List<Settled> messages) {
                return super.settleBelow(
                    shard, seq, next, key, messages.stream().filter(which).map(how).toList());
              }
            });
  }

  /** Replaces each entry, or drops it if the function returns null. */
  private static SimWiring feeding(java.util.function.Function<Entry, Entry> how) {
    return seen(
        store ->
            new PassingStore(store) {
              @Override
              public CompletableFuture<Ingested> ingest(
                  Shard shard, long expectedNext, long newNext, List<Entry> entries) {
                List<Entry> fed =
                    entries.stream().map(how).filter(java.util.Objects::nonNull).toList();
                return super.ingest(shard, expectedNext, newNext, fed);
              }
            });
  }

  private static Entry patient(Entry entry) {
    if (!(entry instanceof Entry.Asked asked)) {
      return entry;
    }
    Ask ask = asked.ask();
    Due key = new Due(Math.max(ask.stored().due(), SimWorld.START), ask.offset());
    return new Entry.Asked(new Ask(key, ask.id(), ask.stored()), asked.covered());
  }

  /** Forgets the rest of a batch that is delivered in part. */
  private static final class ForgottenRest extends PassingStore {
    ForgottenRest(ShardStore inner) {
      super(inner);
    }

    @Override
    public CompletableFuture<Ingested> ingestRest(
        Shard shard, long expectedNext, long newNext, List<Entry> entries) {
      return ingest(shard, expectedNext, newNext, List.of());
    }
  }

  private static final class NoComparison extends PassingStore {
    NoComparison(ShardStore inner) {
      super(inner);
    }

    @Override
    public CompletableFuture<Ingested> ingest(
        Shard shard, long expectedNext, long newNext, List<Entry> entries) {
      return open(shard)
          .thenCompose(opened -> super.ingest(shard, opened.next(), newNext, entries));
    }
  }

  private static final class EagerTake extends PassingStore {
    EagerTake(ShardStore inner) {
      super(inner);
    }

    @Override
    public CompletableFuture<Taken> take(Shard shard, long now, int maxCount, int maxBytes) {
      CompletableFuture<Taken> taken = super.take(shard, now, maxCount, maxBytes);
      return taken.thenCompose(
          each ->
              settle(
                      shard,
                      0,
                      each.messages().stream().map(one -> new Settled(one, false)).toList())
                  .thenApply(left -> each));
    }
  }

  /** Lies about the result of a take. */
  private abstract static class LyingTake extends PassingStore {
    LyingTake(ShardStore inner) {
      super(inner);
    }

    abstract Taken lie(Taken taken);

    @Override
    public CompletableFuture<Taken> take(Shard shard, long now, int maxCount, int maxBytes) {
      return super.take(shard, now, maxCount, maxBytes).thenApply(this::lie);
    }
  }

  private static final class NothingLeft extends LyingTake {
    NothingLeft(ShardStore inner) {
      super(inner);
    }

    @Override
    Taken lie(Taken taken) {
      return new Taken(taken.next(), taken.messages(), Due.NEVER, taken.count(), taken.overdue());
    }
  }

  private static final class LastReturned extends LyingTake {
    LastReturned(ShardStore inner) {
      super(inner);
    }

    @Override
    Taken lie(Taken taken) {
      List<DelayedMessage> messages = taken.messages();
      Due last = messages.isEmpty() ? taken.first() : messages.get(messages.size() - 1).key();
      return new Taken(taken.next(), messages, last, taken.count(), taken.overdue());
    }
  }

  private static final class RememberedNext extends PassingStore {
    private final Map<Shard, Long> remembered = new HashMap<>();

    RememberedNext(ShardStore inner) {
      super(inner);
    }

    @Override
    public CompletableFuture<Opened> open(Shard shard) {
      return super.open(shard)
          .thenApply(
              opened -> {
                remembered.put(shard, opened.next());
                return opened;
              });
    }

    @Override
    public CompletableFuture<Ingested> ingest(
        Shard shard, long expectedNext, long newNext, List<Entry> entries) {
      return super.ingest(shard, expectedNext, newNext, entries)
          .thenApply(
              ingested -> {
                remembered.put(shard, ingested.next());
                return ingested;
              });
    }

    @Override
    public CompletableFuture<Taken> take(Shard shard, long now, int maxCount, int maxBytes) {
      return super.take(shard, now, maxCount, maxBytes)
          .thenApply(
              taken ->
                  new Taken(
                      remembered.getOrDefault(shard, taken.next()),
                      taken.messages(),
                      taken.first(),
                      taken.count(),
                      taken.overdue()));
    }
  }

  /** Takes the later record first if two messages are due at the same time. */
  private static final class BackwardTies extends LyingTake {
    BackwardTies(ShardStore inner) {
      super(inner);
    }

    @Override
    Taken lie(Taken taken) {
      List<DelayedMessage> messages = taken.messages();
      int last = messages.size() - 1;
      if (last < 1 || messages.get(last).key().time() != messages.get(last - 1).key().time()) {
        return taken;
      }
      List<DelayedMessage> others = new java.util.ArrayList<>(messages);
      Due left = others.remove(last - 1).key();
      return new Taken(taken.next(), others, left, taken.count(), taken.overdue());
    }
  }

  private static final class Hasty extends PassingStore {
    Hasty(ShardStore inner) {
      super(inner);
    }

    @Override
    public CompletableFuture<Taken> take(Shard shard, long now, int maxCount, int maxBytes) {
      return super.take(shard, now < 0 ? now : now + 1, maxCount, maxBytes);
    }
  }

  private static final class EagerSweep extends PassingStore {
    EagerSweep(ShardStore inner) {
      super(inner);
    }

    @Override
    public CompletableFuture<Long> sweep(Shard shard, long fedTo, List<String> ids) {
      return super.sweep(shard, 0, ids);
    }
  }

  /**
   * Declares the index complete as soon as all copies are recalled, although it does not know which
   * messages were taken back.
   */
  private static final class HastyIndex extends PassingStore {
    HastyIndex(ShardStore inner) {
      super(inner);
    }

    @Override
    public CompletableFuture<Long> recall(
        Shard shard, long expectedNext, long newNext, List<Named> copies, Page page) {
      CompletableFuture<Long> recalled = super.recall(shard, expectedNext, newNext, copies, page);
      return page.last()
          ? recalled.thenCompose(next -> complete(shard, 0).thenApply(is -> next))
          : recalled;
    }
  }
}
