package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delaybridge.delivery.CircuitBreaker;
import io.delaybridge.delivery.Dispatch;
import io.delaybridge.delivery.Records;
import io.delaybridge.delivery.TargetCatalog;
import io.delaybridge.message.Due;
import io.delaybridge.store.Entry;
import io.delaybridge.store.MemoryShardStore;
import io.delaybridge.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.errors.InterruptException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a loop does before it joins the group, on a clock that moves on when it is looked at. */
class PracticeTest {

  private static final Duration LONGEST = Duration.ofMillis(500);
  private static final Duration TURN = Duration.ofMillis(50);
  private static final long NOW = 1_800_000_000_000L;

  private final AtomicLong nanos = new AtomicLong();
  private final Clocks clocks =
      new Clocks(
          () -> Instant.ofEpochMilli(NOW).plusNanos(nanos.get()),
          () -> nanos.addAndGet(Duration.ofMillis(1).toNanos()));
  private final SimKafka kafka = new SimKafka(new SimClock(NOW));
  private final Watched store = new Watched();
  private final Practice practice = practice(LONGEST, SimKafka.DEAD);
  private int alive;

  PracticeTest() {
    kafka.createTopic(SimKafka.DEAD, 1);
  }

  /** A store that tells what was asked of it, and fails or is silent when told to. */
  private static final class Watched extends PassingStore {
    private final MemoryShardStore memory;
    private final List<Shard> opened = new ArrayList<>();
    private final List<Entry> ingested = new ArrayList<>();
    private int taken;
    private int settled;
    private boolean silent;
    private int failsAfter = Integer.MAX_VALUE;

    Watched() {
      this(new MemoryShardStore());
    }

    private Watched(MemoryShardStore memory) {
      super(memory);
      this.memory = memory;
    }

    @Override
    public CompletableFuture<Opened> open(Shard shard) {
      opened.add(shard);
      return silent ? new CompletableFuture<>() : super.open(shard);
    }

    @Override
    public CompletableFuture<Ingested> ingest(
        Shard shard, long expectedNext, long newNext, List<Entry> entries) {
      if (ingested.size() >= failsAfter) {
        return CompletableFuture.failedFuture(
            new StoreException("Redis does not answer", new IOException("cut")));
      }
      ingested.addAll(entries);
      return super.ingest(shard, expectedNext, newNext, entries);
    }

    @Override
    public CompletableFuture<Taken> take(Shard shard, long now, int maxCount, int maxBytes) {
      return super.take(shard, now, maxCount, maxBytes)
          .whenComplete((answer, failure) -> taken += answer.messages().size());
    }

    @Override
    public CompletableFuture<Long> settleBelow(
        Shard shard, long seq, long next, Due key, List<Settled> messages) {
      settled += messages.size();
      return super.settleBelow(shard, seq, next, key, messages);
    }

    /** Whether nothing is left of the only shard that was opened. */
    boolean isEmpty() {
      return opened.size() == 1
          && memory.open(opened.get(0)).join().equals(new Opened(ABSENT, 0, 0, 0));
    }
  }

  private Practice practice(Duration longest, String target) {
    TargetCatalog catalog =
        new TargetCatalog(SimAdmin.of(kafka), clocks.nanos(), Duration.ofSeconds(1));
    return new Practice(longest, catalog, target, clocks);
  }

  private LoopPorts ports(boolean transactional) {
    SimConsumer consumer = new SimConsumer(kafka, "member");
    CircuitBreaker breaker = new CircuitBreaker(clocks.nanos());
    TargetCatalog none = new TargetCatalog(SimAdmin.of(kafka), clocks.nanos(), Duration.ZERO);
    return new LoopPorts(
        consumer,
        store,
        new SimDelivery(kafka, consumer, "loop-0", transactional),
        new Dispatch(
            intake -> {
              throw new IllegalStateException("this is for what users send");
            },
            new Records(SimKafka.DEAD),
            none,
            breaker),
        kafka,
        LaterTopic.NONE,
        () -> {});
  }

  /** Returns how long it took. */
  private Duration run(Practice tried, boolean transactional, int turns) {
    long begun = nanos.get();
    tried.run(ports(transactional), LoopWorld.settings(), () -> alive++, () -> alive > turns);
    return Duration.ofNanos(nanos.get() - begun);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLoopTurnsForAsLongAsItMayAndLeavesNothing(boolean transactional) {
    Duration taken = run(practice, transactional, Integer.MAX_VALUE);

    assertThat(taken).isBetween(LONGEST, LONGEST.plus(TURN));
    assertThat(alive).isGreaterThan(10);
    assertThat(store.ingested).hasAtLeastOneElementOfType(Entry.Schedule.class);
    assertThat(store.ingested).hasAtLeastOneElementOfType(Entry.Cancel.class);
    assertThat(store.ingested)
        .noneMatch(entry -> entry instanceof Entry.Schedule it && it.message().isMalformed());
    assertThat(store.taken).isPositive();
    assertThat(store.settled).isPositive();
    assertThat(store.isEmpty()).isTrue();
    assertThat(kafka.records(SimKafka.DEAD)).isEmpty();
  }

  @Test
  void itEndsWhenTheLoopIsToldToStop() {
    Duration taken = run(practice, true, 3);

    assertThat(taken).isLessThan(LONGEST);
    assertThat(alive).isEqualTo(4);
    assertThat(store.isEmpty()).isTrue();
  }

  @Test
  void aLoopThatHasNoTimeForItDoesNotBegin() {
    run(practice(Duration.ZERO, SimKafka.DEAD), true, Integer.MAX_VALUE);

    assertThat(alive).isZero();
    assertThat(store.opened).isEmpty();
  }

  @Test
  void whoTakesThePlaceOfALoopDoesNotPractiseAgain() {
    run(practice, true, 1);
    run(practice, true, Integer.MAX_VALUE);

    assertThat(store.opened).hasSize(1);
  }

  @Test
  void aStoreThatFailsEndsItAndIsCleanedUp() {
    store.failsAfter = 100;

    Duration taken = run(practice, true, Integer.MAX_VALUE);

    assertThat(taken).isLessThan(LONGEST);
    assertThat(store.isEmpty()).isTrue();
  }

  @Test
  void withoutATopicThatRecordsCouldGoToThereIsNone() {
    run(practice(LONGEST, "missing"), true, Integer.MAX_VALUE);

    assertThat(store.opened).isEmpty();
  }

  @Test
  void anInterruptIsNotSwallowed() {
    store.silent = true;
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> run(practice, true, Integer.MAX_VALUE))
        .isInstanceOf(InterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aLoopSaysThatItWarmsUpHasNotJoinedAndTellsNobodyOfWhatItMadeUp()
      throws InterruptedException {
    LoopWorld world = new LoopWorld(LONGEST);
    List<String> opens = new CopyOnWriteArrayList<>();
    AtomicInteger told = new AtomicInteger();
    world.at(
        "open",
        () -> {
          LoopStatus status = world.status();
          opens.add(status.state() + " " + status.problem() + " " + world.members().size());
        });
    for (String event : List.of("ingested", "delivered", "memory")) {
      world.at(event, () -> told.addAndGet(world.members().isEmpty() ? 1 : 0));
    }
    world.schedule("a");
    try {
      world.start();
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(world.delivered()).containsExactly("a"));

      assertThat(opens)
          .as("the rehearsal, the practice and the shard itself")
          .containsExactly("JOINING null 0", "JOINING warming up 0", "JOINING null 1");
      assertThat(told).hasValue(0);
      assertThat(world.restarts()).isZero();
    } finally {
      world.end();
    }
  }
}
