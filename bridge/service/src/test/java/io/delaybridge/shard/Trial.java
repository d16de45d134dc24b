package io.delaybridge.shard;

import io.delaybridge.shard.SimDelivery.Fault;
import io.delaybridge.shard.SimWorld.Worker;
import io.delaybridge.store.SimStore.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/**
 * One run of a {@link SimWorld}. The seed decides everything in it, including the kinds of faults
 * and when they strike. After the last event nothing goes wrong any more, and everything must come
 * to its end.
 */
final class Trial {

  private static final int FAIR_TURNS = 400;
  private static final Duration DAY = Duration.ofDays(1);

  /** The events that may happen at any time, between turns and between the steps of a turn. */
  private enum Event {
    WRITE,
    OTHERS_TURN,
    CLOCK,
    EVICT,
    FENCE,
    GIVE_UP,
    HAND_OVER,
    REJOIN,
    CRASH,
    ROLL_BACK,
    WIPE,
    DAMAGE,
    LOSE_CHECKPOINT,
    TRANSACT,
    RESOLVE,
    REFUSE,
    TARGET_APPEARS,
    GROW,
    FORGET
  }

  private final SplittableRandom random;
  private final Chance chance;
  private final SimWorld world;
  private final Workload workload;
  private final List<Event> possible = new ArrayList<>();
  private final int rarity;
  private final boolean lossy;
  private final boolean repeats;
  private final boolean year;
  private final Map<Event, Integer> happened = new EnumMap<>(Event.class);
  private boolean ending;
  private boolean checkpointLost;

  /** A run that spans a few dozen milliseconds. */
  Trial(long seed, SimWiring wiring) {
    this(seed, wiring, false);
  }

  /**
   * A run that spans a year, with a horizon of a day and messages that are due up to 400 days
   * ahead.
   */
  static Trial ofYear(long seed, SimWiring wiring) {
    return new Trial(seed, wiring, true);
  }

  private Trial(long seed, SimWiring wiring, boolean year) {
    this.year = year;
    // Mixed, since neighbouring seeds would otherwise begin alike.
    random = new SplittableRandom(new SplittableRandom(seed).nextLong());
    chance = random::nextInt;
    repeats = seed % 3 == 0 && !year;
    boolean exactlyOnce = chance.below(8) > 0;
    boolean asks = chance.oneIn(5);
    List<Duration> every = List.of(Duration.ZERO, Duration.ofMillis(300), Duration.ofMinutes(2));
    world =
        new SimWorld(
            wiring,
            new SimWorld.Setup(
                exactlyOnce,
                1 + chance.below(3),
                chance.of(every),
                asks ? IntakeStart.ASK : IntakeStart.EARLIEST,
                chance.oneIn(3),
                far(),
                tolerance(seed)));
    // In a year, many copies are wanted.
    world.refuses = !year;
    rarity = chance.of(List.of(6, 12, 25, 60));
    lossy = chance.below(2) == 1;
    world.kafka.maxPollRecords(chance.of(List.of(500, 1, 2)));
    boolean narrow = chance.oneIn(4);
    workload = new Workload(world, chance, !narrow, chance.oneIn(6), repeats, year);
    if (narrow) {
      // Nearly full as soon as that many messages are pending.
      int room = 1 + chance.below(3);
      world.store.memoryUse(() -> pending() >= room ? 0.9 : 0.1);
    }
    choose(exactlyOnce, asks);
    int workers = 1 + chance.below(3);
    for (int i = 0; i < workers; i++) {
      world.start(String.valueOf((char) ('A' + i)), Interference::new);
    }
    if (asks) {
      // Makes a checkpoint before anything happens that an operator must judge.
      ending = true;
      for (Worker worker : world.workers) {
        world.kafka.group().giveAll(worker.bridge.consumer);
        worker.turn();
        worker.turn();
        worker.turn();
      }
      ending = false;
    }
  }

  /** Returns milliseconds. Not random, so that all other events stay as they are. */
  private long tolerance(long seed) {
    return seed % 5 == 0 && !year ? List.of(3L, 8L, 30L, 60L).get((int) (seed / 5 % 4)) : 0;
  }

  private LoopSettings.Far far() {
    if (year) {
      return new LoopSettings.Far(DAY.toMillis(), DAY.toMillis() / 2);
    }
    return chance.oneIn(3) ? new LoopSettings.Far(8, 4) : LoopSettings.Far.OFF;
  }

  /**
   * Chooses the kinds of faults of this trial. If all were to strike, the rare ones would be
   * hidden.
   */
  private void choose(boolean exactlyOnce, boolean asks) {
    for (Event event : Event.values()) {
      boolean allowed =
          switch (event) {
            case LOSE_CHECKPOINT -> exactlyOnce && !asks && chance.oneIn(4);
            case DAMAGE -> chance.oneIn(4);
            case GROW -> exactlyOnce && chance.oneIn(2);
            // Once a record is deleted from the intake, only the checkpoint tells what was judged.
            case FORGET ->
                (world.hasFar() || repeats)
                    && !possible.contains(Event.LOSE_CHECKPOINT)
                    && chance.below(3) > 0;
            case WRITE, OTHERS_TURN, CLOCK, RESOLVE -> true;
            default -> chance.below(3) > 0;
          };
      if (allowed) {
        // Retention has something to delete only now and then.
        int often = event == Event.FORGET ? 4 : 1;
        possible.addAll(Collections.nCopies(often, event));
      }
    }
  }

  private int pending() {
    return world.kafka.intake().stream()
        .mapToInt(partition -> world.store.contents(RuleTest.id(partition)).size())
        .sum();
  }

  List<String> events() {
    return world.events;
  }

  /** Records the events. */
  Trial telling() {
    world.tells = true;
    return this;
  }

  /** Throws a {@link Judge.Violation} if a promise is broken. */
  void run() {
    if (year) {
      runYear();
      return;
    }
    int events = 20 + chance.below(41);
    for (int i = 0; i < events; i++) {
      switch (chance.below(10)) {
        case 0, 1 -> workload.write();
        case 2 -> happen(Event.CLOCK, null);
        case 3 -> happen(chance.of(possible), null);
        default -> turn(chance.of(world.workers));
      }
    }
    end();
  }

  private void runYear() {
    while (world.clock.millis() < SimWorld.START + 365 * DAY.toMillis()) {
      switch (chance.below(40)) {
        case 0 -> workload.write();
        case 1, 2, 3, 4, 5, 6 -> happen(Event.CLOCK, null);
        case 7 -> happen(chance.of(possible), null);
        default -> turn(chance.of(world.workers));
      }
    }
    end();
  }

  /** Returns how often each event happened, by its name. */
  Map<String, Integer> happened() {
    Map<String, Integer> named = new TreeMap<>();
    happened.forEach((event, times) -> named.put(event.name().toLowerCase(Locale.ROOT), times));
    return named;
  }

  /** Returns the number of messages that producers wrote. */
  long messages() {
    return world.kafka.intake().stream()
        .map(partition -> world.judge.ledger(partition.partition()))
        .flatMap(ledger -> ledger.facts(ledger.end()).stream())
        .filter(fact -> fact.kind() == Fact.Kind.MESSAGE)
        .count();
  }

  /** Returns the number of copies that were written to the later topic. */
  long copies() {
    return world.kafka.intake().stream()
        .mapToLong(partition -> world.judge.ledger(partition.partition()).waitingLater(0))
        .sum();
  }

  private void turn(Worker worker) {
    world.clock.pass(chance.of(List.of(Duration.ofMillis(20), Duration.ofSeconds(3))));
    worker.turn();
  }

  private void end() {
    ending = true;
    world.tell("from here on nothing goes wrong");
    world.resolve(chance);
    world.kafka.accept();
    world.workers.forEach(worker -> worker.bridge.delivery.noFaults());
    workload.end();
    Duration pause = Duration.ofMillis(repeats ? Occurrences.EVERY / 8 : 30);
    int turns = FAIR_TURNS;
    if (year) {
      pause = DAY.dividedBy(8);
      turns = 8 * 2 * 400;
    }
    for (int i = 0; i < turns && !(i >= 12 && world.isIdle()); i++) {
      world.workers.forEach(Worker::turn);
      world.clock.pass(Duration.ofMillis(2_500));
      world.clock.advance(pause);
    }
    world.judge.end();
    punctuality();
  }

  /** Whatever has happened, what is written in quiet times goes out in time. */
  private void punctuality() {
    for (TopicPartition partition : world.kafka.intake()) {
      // Until then a topic may count as broken, and Redis as full. A sweep that is refused then has
      // the shard opened again.
      for (int i = 0; i < 2; i++) {
        world.clock.pass(Duration.ofMinutes(3));
        world.workers.forEach(Worker::turn);
      }
      world.promisePunctuality();
      workload.writeDueWithin(world.hasFar() && !year ? 8 : 200, partition);
      world.live(FAIR_TURNS);
    }
    world.judge.end();
  }

  private void happen(Event event, @Nullable Worker within) {
    happened.merge(event, 1, Integer::sum);
    switch (event) {
      case WRITE -> workload.write();
      case OTHERS_TURN -> othersTurn(1 + chance.below(6));
      case CLOCK -> world.clock.advance(Duration.ofMillis(pause()));
      case EVICT -> evict(within == null ? chance.of(world.workers) : within);
      case FENCE -> fence(within == null ? chance.of(world.workers) : within);
      case GIVE_UP -> giveUp(within == null ? chance.of(world.workers) : within);
      case HAND_OVER -> handOver(chance.of(world.workers));
      case REJOIN -> rejoin(within);
      case CRASH -> crash(within);
      case ROLL_BACK -> rollBack();
      case WIPE -> {
        world.tell("the store is emptied");
        world.store.wipe();
      }
      case DAMAGE -> damage();
      case LOSE_CHECKPOINT -> loseCheckpoint();
      case TRANSACT -> workload.transact();
      case RESOLVE -> world.resolve(chance);
      case REFUSE -> refuse();
      case TARGET_APPEARS -> {
        if (!world.kafka.hasTopic(SimWorld.MISSING)) {
          world.tell("the missing target is created");
          world.kafka.createTopic(SimWorld.MISSING, 1);
        }
      }
      case GROW -> {
        world.tell("the intake has two partitions");
        world.kafka.addPartitions(SimKafka.INTAKE, 2);
      }
      case FORGET -> forget();
    }
  }

  private long pause() {
    if (year) {
      return Duration.ofHours(1L + chance.below(12)).toMillis();
    }
    // Now and then until shortly before or after the next occurrence, or the one after that.
    boolean isLong = repeats && chance.below(2) == 0;
    return isLong
        ? chance.of(List.of(1L, 1L, 2L)) * Occurrences.EVERY - 20 + chance.below(40)
        : 1 + chance.below(8);
  }

  private void othersTurn(int turns) {
    if (world.depth() < 3) {
      for (int i = 0; i < turns; i++) {
        turn(chance.of(world.workers));
      }
    }
  }

  private void evict(Worker worker) {
    if (world.kafka.group().knows(worker.bridge.consumer)) {
      world.tell("%s is evicted", worker.name);
      world.kafka.group().evict(worker.bridge.consumer);
    }
    if (chance.below(2) == 1) {
      othersTurn(4 + chance.below(6));
    }
  }

  private void fence(Worker worker) {
    world.tell("%s is fenced", worker.name);
    worker.bridge.delivery.fence();
  }

  /**
   * Fences and evicts the live worker, in either order, as a peer does that has not heard of it.
   */
  private void giveUp(Worker worker) {
    if (chance.below(2) == 0) {
      fence(worker);
      evict(worker);
    } else {
      evict(worker);
      fence(worker);
    }
  }

  private void handOver(Worker to) {
    if (world.kafka.group().knows(to.bridge.consumer)) {
      world.tell("%s is to have every partition", to.name);
      world.kafka.group().giveAll(to.bridge.consumer);
    }
  }

  private void rejoin(@Nullable Worker within) {
    if (within != null && !world.kafka.group().knows(within.bridge.consumer)) {
      world.tell("%s joins again in the background", within.name);
      within.bridge.consumer.rejoinInBackground();
    }
  }

  private void crash(@Nullable Worker within) {
    if (within != null) {
      throw new Meddler.Crash();
    }
    Worker worker = chance.of(world.workers);
    if (!worker.busy) {
      worker.restart();
    }
  }

  private void rollBack() {
    if (!world.past.isEmpty()) {
      int back = chance.below(2) == 0 ? Math.min(4, world.past.size()) : world.past.size();
      world.rollBack(world.past.get(world.past.size() - 1 - chance.below(back)));
    }
  }

  private void damage() {
    TopicPartition partition = chance.of(world.kafka.intake());
    if (world.store.fedTo(RuleTest.id(partition)) >= 0) {
      world.tell("the store of %s contradicts itself", partition);
      world.store.damage(RuleTest.id(partition));
    }
  }

  private void loseCheckpoint() {
    if (!checkpointLost) {
      checkpointLost = true;
      TopicPartition partition = chance.of(world.kafka.intake());
      world.tell("the checkpoint of %s is lost", partition);
      world.kafka.group().forget(partition);
      world.judge.beLenient();
    }
  }

  /**
   * Deletes records that are no longer needed. The store alone still knows them, and may be wiped
   * as well.
   */
  private void forget() {
    TopicPartition partition = chance.of(world.kafka.intake());
    long start = world.kafka.log(partition).start();
    long needed = world.neededFrom(partition);
    if (needed > start) {
      boolean all = chance.below(3) > 0;
      world.forget(partition, all ? needed : start + 1 + chance.below((int) (needed - start)));
      if (chance.below(2) == 0) {
        happen(Event.WIPE, null);
      }
    }
  }

  private void refuse() {
    if (chance.below(2) == 0) {
      world.kafka.accept();
    } else {
      Exception why =
          chance.below(2) == 0
              ? new RecordTooLargeException("simulated")
              : new NotEnoughReplicasException("simulated");
      String topic = chance.of(List.of(SimWorld.TARGET, SimKafka.DEAD, SimKafka.INTAKE));
      world.tell("%s refuses some records: %s", topic, why);
      world.kafka.refuse(topic, Workload.REFUSED, why);
    }
  }

  /** Lets events happen between the steps of a worker. */
  private final class Interference implements Meddler {

    private final Worker worker;

    Interference(Worker worker) {
      this.worker = worker;
    }

    private void meddle(Object point) {
      if (!ending && chance.oneIn(rarity)) {
        world.tell("%s is slow at %s", worker.name, point);
        happen(chance.of(possible), worker);
        if (chance.below(2) == 1) {
          happen(chance.of(possible), worker);
        }
      }
    }

    @Override
    public void whileReading() {
      meddle("a pause between two reads");
    }

    @Override
    public Fate before(Call call) {
      meddle(call);
      if (!ending && lossy && chance.oneIn(2 * rarity)) {
        Fate fate = chance.of(List.of(Fate.IS_LOST, Fate.REPLY_IS_LOST));
        world.tell("%s: the %s of %s", call, fate, worker.name);
        return fate;
      }
      return Fate.TAKES_EFFECT;
    }

    @Override
    public void after(Call call) {
      meddle(call + ", done");
    }

    @Override
    public @Nullable Fault beforeDelivery() {
      meddle("the beginning of a delivery");
      if (!ending && lossy && chance.oneIn(rarity / 2)) {
        Fault fault = chance.of(List.of(Fault.values()));
        world.tell("%s is going to fail: %s", worker.name, fault);
        return fault;
      }
      return null;
    }

    @Override
    public void beforeCommit() {
      meddle("a commit");
    }

    @Override
    public void afterDelivery() {
      SimTransaction left = worker.bridge.delivery.leftOpen();
      if (left != null && !world.hanging.contains(left)) {
        world.hanging.add(left);
      }
      meddle("the end of a delivery");
    }
  }
}
