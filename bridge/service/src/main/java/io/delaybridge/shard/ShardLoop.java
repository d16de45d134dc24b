package io.delaybridge.shard;

import io.delaybridge.message.ShardId;
import io.delaybridge.store.StoreException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs turns on its thread until it is told to stop. If a turn throws, or the thread is interrupted
 * while nobody told it to stop, the loop closes everything it holds and begins anew after a pause:
 * the group gives its partitions back to it, or to another loop. See {@link LoopKeeper} for what
 * interrupts it.
 */
public final class ShardLoop implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(ShardLoop.class);
  private static final Duration FIRST_BACKOFF = Duration.ofMillis(200);
  private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(10);

  private static final String WHY_IT_LEAVES = "the bridge stops";

  /** Members of the group that hear of a rebalance with their heartbeats need half a second. */
  private static final long LONGEST_HANDOVER = Duration.ofSeconds(2).toNanos();

  private final String name;
  private final Collection<String> intakes;
  private final Supplier<LoopPorts> makes;
  private final LoopSettings settings;
  private final LoopListener listener;
  private final Clocks clocks;

  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Queue<ShardId> resumed = new ConcurrentLinkedQueue<>();
  private volatile @Nullable LoopPorts open;
  private volatile LoopStatus status;
  private Duration backoff = FIRST_BACKOFF;

  /**
   * @param name of the loop, unique in its process
   * @param intakes topics to read
   * @param ports makes what the loop works with, each time it begins
   */
  public ShardLoop(
      String name,
      Collection<String> intakes,
      Supplier<LoopPorts> ports,
      LoopSettings settings,
      LoopListener listener,
      Clocks clocks) {
    this.name = name;
    this.intakes = List.copyOf(intakes);
    this.makes = ports;
    this.settings = settings;
    this.listener = listener;
    this.clocks = clocks;
    this.status =
        new LoopStatus(name, LoopStatus.State.JOINING, null, clocks.nanoTime(), List.of());
  }

  /** The state of the loop at the end of its last turn; may be called from any thread. */
  public LoopStatus status() {
    return status;
  }

  /**
   * Starts delivery of a paused shard again without an ask, which could not be read while the
   * intake waits for memory that only delivery frees. May be called from any thread; takes effect
   * with the next turn.
   *
   * @return false if this loop does not have the shard, or cannot tell how it stands: then the ask
   *     has to be in the log
   */
  public boolean resume(ShardId shard) {
    LoopStatus now = status;
    boolean here =
        now.state() == LoopStatus.State.RUNNING
            && now.shards().stream().anyMatch(each -> each.shard().equals(shard) && each.isOpen());
    if (here) {
      resumed.add(shard);
    }
    return here;
  }

  /**
   * Asks the loop to end after its current turn; may be called from any thread. Does not wake the
   * consumer: the turn would end before it has stored what it has read, and the loop makes more
   * turns before it ends.
   */
  public void stop() {
    stopped.countDown();
  }

  /**
   * Closes everything that can be closed from outside, for a loop whose thread heeds nothing: if
   * the thread ever comes back, it can neither write nor begin anew. Blocks; may be called from any
   * thread.
   */
  void abandon() {
    stopped.countDown();
    LoopPorts ports = open;
    if (ports != null) {
      ports.abandon();
    }
  }

  @Override
  public void run() {
    while (!isStopping()) {
      show(LoopStatus.State.JOINING, status.problem(), null);
      try (LoopPorts ports = makes.get()) {
        open = ports;
        live(ports);
      } catch (RuntimeException | Error e) {
        failed(e);
      } finally {
        open = null;
      }
    }
    show(LoopStatus.State.STOPPED, null, null);
  }

  private void live(LoopPorts ports) {
    try {
      awaitStore(ports);
      if (!isStopping()) {
        Runnable alive = () -> show(LoopStatus.State.JOINING, null, null);
        new Rehearsal(ports, alive).run(intakes);
        turns(ports);
      }
    } catch (InterruptException e) {
      if (!isStopping()) {
        // Closing has to wait for Kafka, in order to leave the group.
        boolean unused = Thread.interrupted();
      }
      throw e;
    }
  }

  /**
   * Waits until the store answers. A member that cannot reach the store would keep shards from
   * those that can open them.
   */
  private void awaitStore(LoopPorts ports) {
    while (!isStopping()) {
      try {
        Replies.await(ports.store().ping());
        return;
      } catch (StoreException e) {
        if (!String.valueOf(e.getMessage()).equals(status.problem())) {
          LOG.warn("Loop {} waits for Redis before it joins the group: {}", name, e.getMessage());
        }
        show(LoopStatus.State.JOINING, e.getMessage(), null);
        awaitStop(FIRST_BACKOFF);
      }
    }
  }

  /**
   * Requires an answer of the store. A loop that comes back to the group after it was taken out has
   * been away for some reason. If the reason is its connection to the store, it would keep its
   * shards from those that can open them.
   */
  private static void requireStore(LoopPorts ports) {
    try {
      Replies.await(ports.store().ping());
    } catch (StoreException e) {
      throw new ExpelledException(e);
    }
  }

  private void failed(Throwable failure) {
    boolean interrupted = failure instanceof InterruptException;
    if (isStopping() && interrupted) {
      LOG.debug("Loop {} was told to stop", name);
      return;
    }
    if (failure instanceof ExpelledException) {
      LOG.warn("Loop {} restarts: {}", name, failure.getMessage());
    } else {
      LOG.error("Loop {} failed and restarts in {} ms", name, backoff.toMillis(), failure);
    }
    String problem = interrupted ? "a turn hung and was interrupted" : failure.toString();
    show(LoopStatus.State.FAILED, problem, null);
    listener.beganAnew(name);
    pause();
  }

  private void turns(LoopPorts ports) {
    Assignment assignment = new Assignment(ports.consumer(), clocks);
    Turn turn = Turn.over(ports, assignment, settings, listener, clocks);
    ports.consumer().subscribe(intakes, assignment);
    while (!isStopping()) {
      for (ShardId shard = resumed.poll(); shard != null; shard = resumed.poll()) {
        if (!assignment.resume(shard)) {
          LOG.warn(
              "Shard {} was not resumed, because it is no longer here: send the call again", shard);
        }
      }
      listener.turned(name, turn.run());
      if (turn.wasTakenOut()) {
        requireStore(ports);
      }
      backoff = FIRST_BACKOFF;
      boolean member = turn.isMember();
      show(member ? LoopStatus.State.RUNNING : LoopStatus.State.JOINING, null, assignment);
    }
    handOver(ports, turn, assignment);
    turn.leave();
  }

  /**
   * Delivers until the group has taken the shards. The group knows that this member wants nothing
   * any more. If that takes long, the loop leaves with its shards, and the others get them once
   * they have noticed.
   */
  private void handOver(LoopPorts ports, Turn turn, Assignment assignment) {
    Consumer<?, ?> consumer = ports.consumer();
    int generation = consumer.groupMetadata().generationId();
    consumer.enforceRebalance(WHY_IT_LEAVES);
    long begun = clocks.nanoTime();
    assignment.handsOver(true);
    boolean asked = false;
    try {
      while (!assignment.all().isEmpty() && clocks.nanoTime() - begun < LONGEST_HANDOVER) {
        listener.turned(name, turn.run());
        if (!asked && consumer.groupMetadata().generationId() != generation) {
          // That division had begun before, and Kafka's client has forgotten the wish for another.
          consumer.enforceRebalance(WHY_IT_LEAVES);
          asked = true;
        }
      }
    } catch (HandedOverException e) {
      LOG.debug("Loop {} leaves the group: {}", name, e.getMessage());
    } finally {
      assignment.handsOver(false);
    }
  }

  private boolean isStopping() {
    return stopped.getCount() == 0;
  }

  private void show(
      LoopStatus.State state, @Nullable String problem, @Nullable Assignment assignment) {
    long now = clocks.now();
    List<ShardStatus> shards =
        assignment == null
            ? List.of()
            : assignment.all().stream().map(shard -> shard.status(now)).toList();
    status = new LoopStatus(name, state, problem, clocks.nanoTime(), shards);
  }

  private void pause() {
    if (!awaitStop(backoff)) {
      backoff = Duration.ofMillis(Math.min(2 * backoff.toMillis(), LONGEST_BACKOFF.toMillis()));
    }
  }

  /** Returns true if it was told to stop meanwhile, false if not, or if the wait was cut short. */
  private boolean awaitStop(Duration longest) {
    try {
      return stopped.await(longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      // Whoever wants the loop to end also calls stop().
      LOG.debug("The pause of loop {} was cut short", name, e);
      return false;
    }
  }
}
