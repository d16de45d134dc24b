package io.delaybridge.shard;

import com.google.errorprone.annotations.FormatMethod;
import io.delaybridge.message.Due;
import io.delaybridge.message.Reading;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Verdict;
import io.delaybridge.store.Entry;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.SimStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;

/**
 * Kafka, a store, a clock and some bridges, with a {@link Judge} that checks everything that
 * happens. The users of the class decide what happens.
 */
final class SimWorld {

  static final String TARGET = "orders";
  static final String MISSING = "missing";
  static final long START = 1_800_000_000_000L;
  private static final long LONGEST = Duration.ofDays(3650).toMillis();
  private static final int HISTORY = 64;

  final SimClock clock = new SimClock(START);
  final SimKafka kafka = new SimKafka(clock);
  final SimStore store;
  final Judge judge;
  final List<Worker> workers = new ArrayList<>();

  /** Transactions whose outcome is unknown. */
  final List<SimTransaction> hanging = new ArrayList<>();

  /** The last states of the store before a change, one shard at a time. */
  final List<Savepoint> past = new ArrayList<>();

  /** The events so far, if they are recorded. */
  final List<String> events = new ArrayList<>();

  boolean tells;

  /** Whether far messages can be beyond a limit, in an intake that has limits. */
  boolean refuses;

  private final SimWiring wiring;
  private final Setup setup;
  private int depth;

  /**
   * A former state of the store.
   *
   * @param fedTo offset up to which it was fed then, or {@link ShardStore#ABSENT}
   */
  record Savepoint(ShardId id, long fedTo, String dump, Runnable restore) {

    /**
     * Returns whether the intake still has all records that the store had not been fed with.
     * Otherwise the shard would stop.
     */
    private boolean isSurvived(SimKafka kafka) {
      SimLog log = kafka.log(new TopicPartition(id.topic(), id.partition()));
      return fedTo == ShardStore.ABSENT || fedTo >= log.start();
    }
  }

  /** How the bridges of a world are configured. */
  record Setup(
      boolean exactlyOnce,
      int maxTakeCount,
      Duration checkpointEvery,
      IntakeStart start,
      boolean limited,
      LoopSettings.Far far,
      long tolerance) {}

  /** Makes the meddler that comes between the steps of a worker. */
  interface Meddlers {
    Meddler of(Worker worker);
  }

  SimWorld(SimWiring wiring, Setup setup) {
    this.wiring = wiring;
    this.setup = setup;
    this.store = new SimStore(wiring.memory());
    this.judge =
        new Judge(
            kafka,
            store,
            new ToldWatermarks(kafka, store, wiring),
            setup.exactlyOnce,
            setup.far.horizon());
    kafka.createTopic(SimKafka.INTAKE, 1);
    kafka.createTopic(SimKafka.DEAD, 1);
    kafka.createTopic(TARGET, 1);
    if (hasFar()) {
      kafka.createTopic(SimLater.TOPIC, 2);
    }
    kafka.watch(judge);
  }

  /** A process with a bridge in it; after a crash, with a new bridge. */
  final class Worker {
    final String name;
    private final Meddler meddler;
    SimBridge bridge;
    boolean busy;
    private Watched view = new Watched();

    Worker(String name, Meddlers meddlers) {
      this.name = name;
      this.meddler = meddlers.of(this);
      this.bridge = started();
    }

    private SimBridge started() {
      LoopSettings settings =
          new LoopSettings(
              topic -> setup.maxTakeCount,
              1 << 20,
              setup.checkpointEvery,
              topic -> Reading.latest(LONGEST, setup.far.horizon()),
              setup.start,
              false,
              0.8,
              topic -> setup.limited,
              topic -> setup.far,
              topic -> wiring.tolerance(setup.tolerance));
      SimBridge bridge =
          new SimBridge(
              name,
              new SimBridge.Around(kafka, view, clock, wiring),
              settings,
              setup.exactlyOnce,
              meddler);
      bridge.told.beyond = message -> !message.isRetry() && mayRefuse(message.offset());
      return bridge;
    }

    /** Takes one turn, unless the worker is in the middle of one. */
    void turn() {
      if (busy) {
        return;
      }
      tell("%s turns", name);
      busy = true;
      depth++;
      try {
        bridge.step();
      } catch (Meddler.Crash e) {
        restart();
      } finally {
        busy = false;
        depth--;
      }
      judge.look();
    }

    /** Lets the process die and starts another one. */
    void restart() {
      tell("%s crashes and is started anew", name);
      bridge.consumer.evicted();
      kafka.group().evict(bridge.consumer);
      // Otherwise the transaction may still be committed, because its end was requested.
      if (bridge.delivery.leftOpen() == null) {
        kafka.abortLeftOver(name);
      }
      view = new Watched();
      bridge = started();
    }
  }

  /** Returns whether a far message at that offset is beyond a limit when it is read first. */
  boolean mayRefuse(long offset) {
    return refuses && setup.limited && offset % 3 == 0;
  }

  boolean hasFar() {
    return setup.far.horizon() > 0;
  }

  void start(String name, Meddlers meddlers) {
    workers.add(new Worker(name, meddlers));
  }

  /** Returns the number of nested turns under way. */
  int depth() {
    return depth;
  }

  @FormatMethod
  void tell(String what, Object... about) {
    if (tells) {
      events.add(
          "%5d  %s%s".formatted(clock.millis() - START, "  ".repeat(depth), what.formatted(about)));
    }
  }

  /** Decides the transactions whose outcome is unknown. */
  void resolve(Chance chance) {
    for (SimTransaction transaction : List.copyOf(hanging)) {
      hanging.remove(transaction);
      if (!transaction.isOpen()) {
        continue;
      }
      if (chance.below(2) == 0) {
        tell("a transaction that hung is committed");
        transaction.commit();
      } else {
        tell("a transaction that hung is aborted");
        transaction.abort();
      }
    }
  }

  /** Restores a former state of the shard. */
  void rollBack(Savepoint to) {
    tell("the store falls back to %s", to.dump);
    to.restore.run();
    judge.look();
  }

  /** Returns the offset of the first record that retention keeps. */
  long neededFrom(TopicPartition partition) {
    return judge.neededFrom(partition, wiring.kept());
  }

  /** Lets retention delete all records below that offset. */
  void forget(TopicPartition partition, long below) {
    tell("retention deletes %s before %d", partition, below);
    kafka.log(partition).deleteBefore(below);
    past.removeIf(each -> !each.isSurvived(kafka));
  }

  ShardStore.Shard shard(TopicPartition partition) {
    return new ShardStore.Shard(RuleTest.id(partition), kafka.facts(partition.topic()).id());
  }

  /**
   * Returns the name of the worker whose bridge has opened the shard last; empty if that bridge is
   * gone.
   */
  String owner(TopicPartition partition) {
    Object owner = store.owner(RuleTest.id(partition));
    return workers.stream()
        .filter(worker -> worker.view == owner)
        .map(worker -> worker.name)
        .findFirst()
        .orElse("");
  }

  /** Returns whether there is nothing left to do: everything is read, and nothing is pending. */
  boolean isIdle() {
    return isRead()
        && kafka.intake().stream()
            .allMatch(
                partition ->
                    store.contents(RuleTest.id(partition)).isEmpty()
                        && !judge.waitsLater(partition));
  }

  /** Returns whether the store has been fed with everything. */
  boolean isRead() {
    return kafka.intake().stream()
        .allMatch(partition -> store.fedTo(RuleTest.id(partition)) == kafka.log(partition).end());
  }

  /**
   * Lets time pass as the loops sleep, until there is nothing left to do. A poll does not wait, but
   * if there was nothing to read, it was told how long the loop sleeps.
   */
  void live(int turns) {
    for (int i = 0; i < turns && !isIdle(); i++) {
      boolean nothingToRead = isRead();
      workers.forEach(Worker::turn);
      if (nothingToRead) {
        clock.advance(
            workers.stream()
                .map(worker -> worker.bridge.consumer.lastPollTimeout())
                .min(Duration::compareTo)
                .orElseThrow());
      }
    }
  }

  /** From now on, nothing goes out later than its due time and the tolerance. */
  void promisePunctuality() {
    judge.bePunctual(setup.tolerance);
  }

  /** The store with every change recorded and judged. */
  private final class Watched extends PassingStore {

    Watched() {
      super(store);
    }

    @Override
    public CompletableFuture<Opened> open(Shard shard) {
      store.as(this);
      return super.open(shard);
    }

    @Override
    public CompletableFuture<Long> sweep(Shard shard, long fedTo, List<String> ids) {
      store.as(this);
      return changing(shard, () -> super.sweep(shard, fedTo, ids));
    }

    @Override
    public CompletableFuture<Long> recall(
        Shard shard, long expectedNext, long newNext, List<Named> copies, Page page) {
      store.as(this);
      return changing(shard, () -> super.recall(shard, expectedNext, newNext, copies, page));
    }

    @Override
    public CompletableFuture<Boolean> complete(Shard shard, long fedTo) {
      store.as(this);
      return changing(shard, () -> super.complete(shard, fedTo));
    }

    @Override
    public CompletableFuture<Ingested> ingest(
        Shard shard, long expectedNext, long newNext, List<Entry> entries) {
      store.as(this);
      return changing(shard, () -> super.ingest(shard, expectedNext, newNext, entries));
    }

    @Override
    public CompletableFuture<Void> place(Shard shard, long seq, List<Named> copies) {
      store.as(this);
      return super.place(shard, seq, copies);
    }

    @Override
    public CompletableFuture<Long> settle(Shard shard, long seq, List<Settled> messages) {
      store.as(this);
      return changing(shard, () -> super.settle(shard, seq, messages));
    }

    @Override
    public CompletableFuture<Long> settleBelow(
        Shard shard, long seq, long next, Due key, List<Settled> messages) {
      store.as(this);
      return changing(shard, () -> super.settleBelow(shard, seq, next, key, messages));
    }

    @Override
    public CompletableFuture<Void> answer(Shard shard, long offset, Verdict verdict) {
      tell("offset %d is answered %s", offset, verdict);
      judge.answered(shard.id().partition(), offset, verdict);
      return super.answer(shard, offset, verdict);
    }

    private <T> T changing(Shard shard, Supplier<T> change) {
      String before = store.dump(shard.id());
      long fedTo = store.fedTo(shard.id());
      Runnable restore = store.savepoint(shard.id());
      T result = change.get();
      String after = store.dump(shard.id());
      if (!after.equals(before)) {
        tell("the store is %s", after);
        if (past.size() == HISTORY) {
          past.remove(0);
        }
        Savepoint last = new Savepoint(shard.id(), fedTo, before, restore);
        if (last.isSurvived(kafka)) {
          past.add(last);
        }
        judge.look();
      }
      return result;
    }
  }
}
