package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Answers to a liveness probe about loops that hang, with a clock that the test moves. */
class LostLoopTest {

  private static final Duration LONGEST_TURN = Duration.ofSeconds(30);
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final AtomicLong nanos = new AtomicLong();
  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicInteger begun = new AtomicInteger();
  private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
  private final LoopKeeper keeper =
      new LoopKeeper(
          "loop under test",
          () ->
              new ShardLoop(
                  "loop-0",
                  List.of("intake"),
                  this::hang,
                  LoopWorld.settings(0),
                  new LoopListener() {},
                  clocks()),
          LONGEST_TURN,
          new LoopListener() {},
          clocks());

  private Clocks clocks() {
    return new Clocks(InstantSource.system(), nanos::get, LockSupport::parkNanos, () -> false);
  }

  /** Hangs like a call that waits for ever and ignores interrupts. */
  private LoopPorts hang() {
    threads.add(Thread.currentThread());
    begun.incrementAndGet();
    while (true) {
      try {
        release.await();
        throw new IllegalStateException("the test is over");
      } catch (InterruptedException e) {
        // This interrupt does not cut the next wait short.
      }
    }
  }

  @AfterEach
  void end() throws InterruptedException {
    keeper.stop();
    release.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
    keeper.check();
  }

  @Test
  void aLoopThatWasNotStartedIsNotLost() {
    pass(LONGEST_TURN.multipliedBy(100));

    assertThat(keeper.lost()).isNull();
  }

  @Test
  void aLoopIsNotLostAsLongAsItsKeeperCanHelpAndIsOnceItCanNot() {
    keeper.start();
    awaitBegun(1);
    pass(LONGEST_TURN.plusSeconds(1));
    assertThat(keeper.status().state()).isEqualTo(LoopStatus.State.HANGS);
    assertThat(keeper.lost()).as("was only just interrupted").isNull();
    pass(LONGEST_TURN.plusSeconds(1));
    awaitBegun(2);
    assertThat(keeper.lost()).as("a fresh one is in its place").isNull();

    for (int i = 0; i < 3; i++) {
      pass(LONGEST_TURN.plusSeconds(1));
      assertThat(keeper.lost()).as("may still be closing").isNull();
    }
    pass(LONGEST_TURN.plusSeconds(1));

    assertThat(begun).as("a second one is not left behind").hasValue(2);
    assertThat(keeper.lost()).contains("loop-0: no turn for 124 s", "LostLoopTest.hang");
  }

  @Test
  void aLoopThatNobodyLooksAfterIsLost() {
    keeper.start();
    awaitBegun(1);

    nanos.addAndGet(LONGEST_TURN.multipliedBy(4).plusSeconds(1).toNanos());

    assertThat(keeper.lost()).contains("loop-0: no turn for 121 s");
  }

  private void awaitBegun(int times) {
    await().atMost(LIMIT).until(() -> begun.get() == times);
  }
}
