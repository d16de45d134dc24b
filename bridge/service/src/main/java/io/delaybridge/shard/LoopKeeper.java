package io.delaybridge.shard;

import io.delaybridge.message.ShardId;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a loop turning. A loop that has not finished a turn for too long hangs: its thread is
 * interrupted, so that it closes what it has, leaves the group and begins anew. A loop that does
 * not heed the interrupt for as long again is abandoned: its producer and its connection to the
 * store are closed from outside, its consumer leaves the group by itself, and a fresh loop takes
 * its place. See ADR 14, also for what an abandoned loop can still do.
 *
 * <p>Safe for use by many threads, but {@link #check} is for one.
 */
public final class LoopKeeper {

  private static final Logger LOG = LoggerFactory.getLogger(LoopKeeper.class);
  private static final int FRAMES = 6;

  /** Time for an interrupted loop to close when servers do not answer: much more than it takes. */
  private static final Duration CLOSING = Duration.ofSeconds(30);

  /** Frames that do not tell what a thread is about. */
  private static final Pattern JDK = Pattern.compile("(java|jdk|sun)\\.");

  private final String threadName;
  private final Supplier<ShardLoop> fresh;
  private final Duration longestTurn;
  private final LoopListener listener;
  private final Clocks clocks;
  private volatile Seat seat;
  private volatile @Nullable Thread abandoned;
  private volatile boolean stopping;

  /** A loop and the thread that runs it. */
  private static final class Seat {
    final ShardLoop loop;
    final Thread thread;
    boolean interrupted;

    Seat(ShardLoop loop, String threadName) {
      this.loop = loop;
      this.thread = new Thread(loop, threadName);
      // Another one takes its place.
      thread.setUncaughtExceptionHandler(
          (dead, failure) -> LOG.error("Thread {} has died", dead.getName(), failure));
    }
  }

  /**
   * @param threadName name of the loop's thread
   * @param fresh makes the loop, again for each one that is abandoned
   * @param longestTurn a loop whose turn takes longer hangs
   */
  public LoopKeeper(
      String threadName,
      Supplier<ShardLoop> fresh,
      Duration longestTurn,
      LoopListener listener,
      Clocks clocks) {
    this.threadName = threadName;
    this.fresh = fresh;
    this.longestTurn = longestTurn;
    this.listener = listener;
    this.clocks = clocks;
    this.seat = new Seat(fresh.get(), threadName);
  }

  /** Starts the thread of the loop. */
  public void start() {
    seat.thread.start();
  }

  /** The state of the loop at the end of its last turn; {@code HANGS} if that is too long ago. */
  public LoopStatus status() {
    Seat now = seat;
    LoopStatus status = now.loop.status();
    return now.thread.getState() != Thread.State.NEW && hangs(status)
        ? new LoopStatus(
            status.loop(),
            LoopStatus.State.HANGS,
            problem(now, status),
            status.lastTurn(),
            status.shards())
        : status;
  }

  /**
   * Why only another process can help, or null. By then the loop has been interrupted, and should
   * have begun anew or been abandoned. Servers that are away do not cause this, for however long: a
   * loop that waits for them heeds an interrupt.
   */
  public @Nullable String lost() {
    Seat now = seat;
    LoopStatus status = now.loop.status();
    boolean lost =
        now.thread.getState() != Thread.State.NEW
            && hangs(status)
            && quiet(status) > longestTurn.multipliedBy(3).plus(CLOSING).toNanos();
    return lost ? "%s: %s".formatted(status.loop(), problem(now, status)) : null;
  }

  /** Passes the call on to the loop, unless it hangs; see {@link ShardLoop#resume}. */
  public boolean resume(ShardId shard) {
    ShardLoop loop = seat.loop;
    return !hangs(loop.status()) && loop.resume(shard);
  }

  /** Asks the loop to end. */
  public void stop() {
    stopping = true;
    seat.loop.stop();
  }

  /** Waits at most this long for the loop to end; returns true if it has. */
  public boolean awaitEnd(long millis) throws InterruptedException {
    Thread thread = seat.thread;
    thread.join(millis);
    return !thread.isAlive();
  }

  /**
   * Waits this long for the loop to end; then interrupts its thread.
   *
   * @return true if the loop has ended by itself
   */
  public boolean join(long millis) throws InterruptedException {
    Thread thread = seat.thread;
    thread.join(millis);
    if (thread.isAlive()) {
      LOG.warn("Thread {} did not end in time and is interrupted", thread.getName());
      thread.interrupt();
      return false;
    }
    return true;
  }

  /**
   * Checks whether the loop turns. To be called several times within the longest turn. Does not
   * block.
   */
  public void check() {
    Seat now = seat;
    LoopStatus status = now.loop.status();
    if (stopping) {
      return;
    }
    if (!now.thread.isAlive()) {
      LOG.error("The thread of loop {} has ended; the loop is restarted", status.loop());
      replace(status);
    } else if (!hangs(status)) {
      now.interrupted = false;
    } else if (!now.interrupted) {
      now.interrupted = true;
      LOG.error("Loop {} hangs and is interrupted: {}", status.loop(), problem(now, status));
      now.thread.interrupt();
    } else if (quiet(status) > 2 * longestTurn.toNanos() && mayAbandon()) {
      LOG.error(
          "Loop {} still hangs, so a new thread takes its place: {}",
          status.loop(),
          problem(now, status));
      abandoned = now.thread;
      Thread closing = new Thread(now.loop::abandon, threadName + "-abandoned");
      closing.setDaemon(true);
      closing.start();
      replace(status);
    }
  }

  private void replace(LoopStatus status) {
    Seat next = new Seat(fresh.get(), threadName);
    seat = next;
    if (stopping) {
      next.loop.stop();
    }
    next.thread.start();
    listener.beganAnew(status.loop());
  }

  /**
   * Whether a loop may be abandoned. One thread left behind is bearable; if there were more, nobody
   * would notice until memory ends.
   */
  private boolean mayAbandon() {
    Thread before = abandoned;
    return before == null || !before.isAlive();
  }

  /** Whether the loop hangs. A loop that failed pauses; one that has ended is in nobody's way. */
  private boolean hangs(LoopStatus status) {
    return status.state() != LoopStatus.State.FAILED
        && status.state() != LoopStatus.State.STOPPED
        && quiet(status) > longestTurn.toNanos();
  }

  private long quiet(LoopStatus status) {
    return clocks.nanoTime() - status.lastTurn();
  }

  private String problem(Seat of, LoopStatus status) {
    String where =
        Arrays.stream(of.thread.getStackTrace())
            .map(frame -> frame.getClassName() + "." + frame.getMethodName())
            .filter(frame -> !JDK.matcher(frame).lookingAt())
            .limit(FRAMES)
            .collect(Collectors.joining(" < "));
    String last = mayAbandon() ? "" : "; an earlier thread hangs as well, restart the process";
    return "no turn for %d s%s; it is in %s"
        .formatted(Duration.ofNanos(quiet(status)).toSeconds(), last, where);
  }
}
