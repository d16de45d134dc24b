package io.delaybridge.shard;

import static org.awaitility.Awaitility.await;

import io.delaybridge.delivery.CircuitBreaker;
import io.delaybridge.delivery.Delivery;
import io.delaybridge.delivery.Dispatch;
import io.delaybridge.delivery.Records;
import io.delaybridge.delivery.Router;
import io.delaybridge.delivery.TargetCatalog;
import io.delaybridge.delivery.TargetRules;
import io.delaybridge.delivery.Tracing;
import io.delaybridge.message.Reading;
import io.delaybridge.message.RetryPolicy;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.SimStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * A loop of the product on a thread of its own, with its keeper, on a simulated Kafka and store.
 * Each method that the loop calls can be made to fail or to hang, by its name. All calls of all
 * threads take turns.
 */
final class LoopWorld {

  private static final Duration LONGEST_TURN = Duration.ofMillis(400);
  private static final long TOLERANCE_MS = 10;
  private static final long NOW = 1_800_000_000_000L;

  /** An action before a call. */
  interface Trap {
    void spring() throws InterruptedException;
  }

  private final SimClock clock = new SimClock(NOW);
  private final SimKafka kafka = new SimKafka(clock);
  private final SimStore store = new SimStore();
  private final Clocks clocks =
      new Clocks(clock, System::nanoTime, this::waitForOthers, () -> false);
  private final Map<String, Trap> traps = new ConcurrentHashMap<>();
  private final List<SimConsumer> consumers = new CopyOnWriteArrayList<>();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final AtomicInteger restarts = new AtomicInteger();
  private final LoopListener listener =
      locked(
          LoopListener.class,
          new LoopListener() {
            @Override
            public void beganAnew(String loop) {
              restarts.incrementAndGet();
            }
          });
  private final TargetCatalog catalog =
      new TargetCatalog(SimAdmin.of(kafka), clocks.nanos(), Duration.ofSeconds(1));
  private final LoopKeeper keeper =
      new LoopKeeper("loop under test", this::loop, LONGEST_TURN, listener, clocks);
  private volatile @Nullable Thread watchdog;

  LoopWorld() {
    kafka.createTopic(SimKafka.INTAKE, 1);
    kafka.createTopic(SimKafka.DEAD, 1);
    kafka.createTopic(RuleTest.TARGET, 1);
  }

  private ShardLoop loop() {
    return new ShardLoop(
        "loop-0", List.of(SimKafka.INTAKE), this::ports, settings(TOLERANCE_MS), listener, clocks);
  }

  /** The loop has read a few messages, and others may come. */
  private void waitForOthers(long nanos) {
    try {
      traps.getOrDefault("wait", never()).spring();
      LockSupport.parkNanos(nanos);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  static LoopSettings settings(long tolerance) {
    return new LoopSettings(
        topic -> 100,
        1 << 20,
        Duration.ofMillis(100),
        topic -> Reading.latest(RuleTest.HOUR, 0),
        IntakeStart.EARLIEST,
        false,
        0.8,
        topic -> false,
        topic -> LoopSettings.Far.OFF,
        topic -> tolerance);
  }

  @SuppressWarnings("unchecked") // A class literal of an interface has no type parameters.
  private LoopPorts ports() {
    threads.add(Thread.currentThread());
    SimConsumer consumer = new SimConsumer(kafka, "member-" + consumers.size());
    consumers.add(consumer);
    return new LoopPorts(
        locked(Consumer.class, consumer),
        locked(ShardStore.class, store),
        locked(Delivery.class, new SimDelivery(kafka, consumer, "loop-0", true)),
        dispatch(),
        locked(IntakeTopics.class, kafka),
        LaterTopic.NONE,
        () -> expel(consumer));
  }

  private Dispatch dispatch() {
    CircuitBreaker breaker = new CircuitBreaker(clocks.nanos());
    TargetRules rules =
        new TargetRules(
            List.of(Pattern.compile(".*")), Set.of(SimKafka.INTAKE, SimKafka.DEAD), null);
    RetryPolicy retries = new RetryPolicy(5, Duration.ofMillis(10), Duration.ofSeconds(1));
    Router router = new Router(rules, catalog, breaker, retries, new Random(1), 0);
    return new Dispatch(
        intake -> router, new Records(SimKafka.DEAD), catalog, breaker, Tracing.off());
  }

  /**
   * Wraps the target so that it runs one call at a time. The trap runs before it blocks other
   * calls.
   */
  private <T> T locked(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call(target, method, arguments)));
  }

  private @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      traps.getOrDefault(method.getName(), never()).spring();
      synchronized (kafka) {
        Object result = method.invoke(target, arguments);
        if (result instanceof ConsumerRecords<?, ?> records && records.isEmpty()) {
          // Waits as a consumer does, so that an idle loop is quiet.
          kafka.wait(2);
        }
        return result;
      }
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  void at(String method, Trap trap) {
    traps.put(method, trap);
  }

  static Trap never() {
    return () -> {};
  }

  static Trap always(Supplier<RuntimeException> failure) {
    return () -> {
      throw failure.get();
    };
  }

  static Trap once(Supplier<RuntimeException> failure) {
    AtomicInteger calls = new AtomicInteger();
    return () -> {
      if (calls.getAndIncrement() == 0) {
        throw failure.get();
      }
    };
  }

  /** Blocks the first calls until it is released, or until the thread is interrupted. */
  static final class Hang implements Trap {
    private final boolean heedsInterrupts;
    private final CountDownLatch reached;
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger left;

    Hang(boolean heedsInterrupts) {
      this(heedsInterrupts, 1);
    }

    Hang(boolean heedsInterrupts, int calls) {
      this.heedsInterrupts = heedsInterrupts;
      this.reached = new CountDownLatch(calls);
      this.left = new AtomicInteger(calls);
    }

    @Override
    public void spring() throws InterruptedException {
      if (left.getAndDecrement() <= 0) {
        return;
      }
      reached.countDown();
      boolean interrupted = false;
      while (released.getCount() > 0) {
        try {
          released.await();
        } catch (InterruptedException e) {
          if (heedsInterrupts) {
            throw e;
          }
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    void awaitReached(Duration limit) {
      await().atMost(limit).until(() -> reached.getCount() == 0);
    }

    void release() {
      released.countDown();
    }
  }

  /** Starts the loop; nobody looks after it yet. */
  void start() {
    keeper.start();
  }

  /** From now on the keeper looks after the loop. */
  void keep() {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (true) {
                  keeper.check();
                  synchronized (traps) {
                    traps.wait(20);
                  }
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "keeper under test");
    thread.setDaemon(true);
    thread.start();
    watchdog = thread;
  }

  void tellToStop() {
    keeper.stop();
  }

  boolean awaitEnd(Duration longest) throws InterruptedException {
    return keeper.awaitEnd(longest.toMillis());
  }

  void stop() throws InterruptedException {
    tellToStop();
    keeper.join(200);
  }

  LoopStatus status() {
    return keeper.status();
  }

  int restarts() {
    return restarts.get();
  }

  /** Returns how many loops have been made ready to turn. */
  int made() {
    return consumers.size();
  }

  boolean firstHasEnded() {
    return !threads.get(0).isAlive();
  }

  private void expel(SimConsumer consumer) {
    synchronized (kafka) {
      kafka.group().evict(consumer);
    }
  }

  /** Evicts the first consumer, as a peer does that has not heard of the process. */
  void expelFirst() {
    expel(consumers.get(0));
  }

  /** Returns the consumers that the group knows. */
  List<SimConsumer> members() {
    synchronized (kafka) {
      return consumers.stream().filter(kafka.group()::knows).toList();
    }
  }

  /** Schedules a message that is due at once. */
  void schedule(String value) {
    synchronized (kafka) {
      kafka.append(
          RuleTest.request(RuleTest.P0, RuleTest.TARGET, value, NOW - RuleTest.START, null), false);
    }
  }

  List<String> delivered() {
    synchronized (kafka) {
      return kafka.records(RuleTest.TARGET).stream().map(LoopKeeperTest::value).toList();
    }
  }

  void end() throws InterruptedException {
    Thread keeping = watchdog;
    if (keeping != null) {
      keeping.interrupt();
      keeping.join();
    }
    stop();
  }
}
