package io.delaybridge.shard;

import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.ShardStore.Index;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The state that a loop keeps for one shard while the partition is assigned to it; thrown away with
 * the assignment. Confined to the loop's thread.
 *
 * <pre>
 *   CLOSED --acquire--> OPEN &lt;--memory, checkpoint size--> PAUSED
 *     ^                   |
 *     +--- store fails, falls silent, outcome unknown
 *   any --damage that only an operator can judge--> STOPPED --later--> CLOSED
 * </pre>
 */
final class Shard {

  private static final Duration FIRST_BACKOFF = Duration.ofMillis(50);
  private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(2);
  private static final Duration FIRST_HOLD = Duration.ofSeconds(1);
  private static final Duration LONGEST_HOLD = Duration.ofSeconds(30);
  private static final Duration STOPPED_BACKOFF = Duration.ofSeconds(10);

  final ShardId id;
  final TopicPartition partition;

  ShardStatus.State state = ShardStatus.State.CLOSED;
  @Nullable String problem = "not read yet";

  /** Why its intake should pause, although it may not be able to. */
  @Nullable String full;

  private long backoff;
  private long retryAt;
  private long holdBackoff;
  private long heldUntil;

  /**
   * Whether its keys contradict each other: then they must be dropped before it is opened again.
   */
  boolean damaged;

  /** Why the intake differs from what was read of it, or null. Only a restart resets this. */
  @Nullable String truncated;

  /** The highest leader epoch of the records that were read, -1 if none is known. */
  private int epoch = -1;

  /**
   * Up to this offset that epoch holds: records that another loop fed to the store may be newer.
   */
  private long readTo = -1;

  // Known while open.

  /** Offset of the first record that the intake had when the shard was opened. */
  long start;

  ShardStore.Shard key;

  /** The last answer of the store; between turns, the position of the consumer is equal to it. */
  long next;

  Frontier frontier = Frontier.NONE;
  Admission admission = Admission.of(0);
  int born;

  /** Whether an operator has stopped delivery; asks are still answered. Part of the checkpoint. */
  boolean paused;

  /** Whether the committed checkpoint says that delivery is paused. */
  boolean committedPaused;

  /** Whether it was resumed since. This outlives a close, because no ask in the log says so. */
  private boolean resumed;

  /**
   * Whether there was no checkpoint, but the store had the shard. Then the store is believed until
   * a checkpoint is committed.
   */
  boolean trustsStore;

  /** The last committed checkpoint and its offset, -1 if there is none. */
  Frontier committed = Frontier.NONE;

  long committedSeq;
  long committedOffset = -1;
  long lastCommit;

  /** Not later than the key of the first pending message, as far as is known. */
  Due first = Due.NEVER;

  /** Since when the first message of the last take could have been delivered. */
  long deliverableSince;

  /**
   * The batch that was polled in this turn. It is stored at the end of the turn, without the
   * messages that are out by then.
   */
  @Nullable Batch waiting;

  /** Whether to ask the store what is due although nothing is known to be due. */
  boolean look;

  long pending;
  long overdue;

  /**
   * The state of the later topic, with the copies that have gone there since the last checkpoint.
   */
  Laps laps = Laps.NONE;

  final LapClock lapClock = new LapClock();

  /** What the store's index of ids knows about far messages. */
  Index index = Index.NEAR;

  final Recall recall = new Recall();

  /** All messages before this offset were counted against the limits of the intake. */
  long countedTo;

  final Evidence evidence = new Evidence();

  final Sweep sweep = new Sweep();

  CompletableFuture<?> settling = CompletableFuture.completedFuture(null);

  Shard(ShardId id) {
    this.id = id;
    this.partition = new TopicPartition(id.topic(), id.partition());
    this.key = new ShardStore.Shard(id, "");
  }

  boolean isOpen() {
    return state.isOpen();
  }

  boolean isDueForAcquire(long nanoTime) {
    return !isOpen() && overdueForAcquire(nanoTime) >= 0;
  }

  /** Nanoseconds since it may be acquired again; negative if it may not yet. */
  long overdueForAcquire(long nanoTime) {
    return nanoTime - retryAt;
  }

  /** Nanoseconds until it may be acquired again. */
  long untilAcquire(long nanoTime) {
    return Math.max(0, -overdueForAcquire(nanoTime));
  }

  void close(String why, long nanoTime) {
    state = ShardStatus.State.CLOSED;
    waiting = null;
    problem = why;
    backoff = Math.min(Math.max(2 * backoff, FIRST_BACKOFF.toNanos()), LONGEST_BACKOFF.toNanos());
    retryAt = nanoTime + backoff;
  }

  void stop(String why, long nanoTime) {
    state = ShardStatus.State.STOPPED;
    waiting = null;
    problem = why;
    retryAt = nanoTime + STOPPED_BACKOFF.toNanos();
  }

  /** Nothing is taken for a while, longer each time. */
  void hold(String why, long nanoTime) {
    problem = why;
    evidence.clear();
    holdBackoff = Math.min(Math.max(2 * holdBackoff, FIRST_HOLD.toNanos()), LONGEST_HOLD.toNanos());
    heldUntil = nanoTime + holdBackoff;
  }

  void released() {
    if (holdBackoff > 0) {
      holdBackoff = 0;
      problem = null;
    }
  }

  boolean isHeld(long nanoTime) {
    return holdBackoff > 0 && nanoTime - heldUntil < 0;
  }

  /**
   * @param logEnd intake offset at which the log ends
   * @param now epoch milliseconds
   */
  void opened(long logEnd, long now) {
    holdBackoff = 0;
    state = ShardStatus.State.OPEN;
    problem = null;
    full = null;
    evidence.clear();
    settling = CompletableFuture.completedFuture(null);
    first = Due.NEVER;
    look = true;
    lapClock.open(laps.copies(), now);
    sweep.open(logEnd);
  }

  /**
   * Notes how much the store's index knows about far messages. It must not know less when it is
   * fed.
   */
  void knows(Index known) {
    index = known;
    if (known != Index.NEAR) {
      key = key.recalled();
    }
  }

  /**
   * Counts a message that has gone to the later topic; if none was there, it is the first to look
   * at.
   */
  void wentLater(long now) {
    if (laps.copies() == 0) {
      lapClock.first(now);
    }
    laps = laps.plus(1);
  }

  /** Notes that these messages are out: they need not be stored any more. */
  void out(List<ShardStore.Settled> messages) {
    if (waiting != null) {
      waiting = waiting.without(messages);
    }
  }

  /** Notes that the store and Kafka work for this shard. */
  void worked() {
    backoff = 0;
  }

  /**
   * The offset up to which the store must have been fed before anything may be taken. It includes
   * everything that the frontier settles, and everything that was read by the last checkpoint,
   * because the last of it may be a cancel.
   */
  long decidedTo() {
    return Math.max(frontier.highest(), committedOffset);
  }

  /** True if the store must be fed again before anything may be taken. */
  boolean isBehindCheckpoint() {
    return next < decidedTo();
  }

  /** Whether only asks are taken, because the shard is paused or held. */
  boolean takesAsksOnly(long nanoTime) {
    return paused || isHeld(nanoTime);
  }

  /** The due time, in epoch milliseconds, up to which messages may be taken. */
  long horizon(long now) {
    return paused ? Due.ASKED : now;
  }

  /** Resumes delivery, whatever the last checkpoint says. */
  void resume() {
    resumed = true;
    paused = false;
    look = true;
  }

  /** Takes over what the last checkpoint says. */
  void pausedBefore(boolean committedSo) {
    committedPaused = committedSo;
    paused = committedSo && !resumed;
  }

  Checkpoint checkpoint() {
    return checkpoint(frontier, committedSeq, paused);
  }

  Checkpoint checkpoint(Frontier settled, long number, boolean pausing) {
    return checkpoint(settled, number, pausing, laps);
  }

  Checkpoint checkpoint(Frontier settled, long number, boolean pausing, Laps later) {
    return new Checkpoint(key.topicId(), number, settled, admission, born, later, pausing);
  }

  /**
   * Notes how far the intake was read. The epoch lets Kafka tell whether a log still has the
   * records before an offset. An epoch higher than that of the last record serves as well, if it
   * was read from the same log.
   */
  void read(OffsetAndMetadata position) {
    position
        .leaderEpoch()
        .ifPresent(
            it -> {
              epoch = Math.max(epoch, it);
              readTo = Math.max(readTo, position.offset());
            });
  }

  /** The committed offset is never lowered, so that ordinary lag tools work. */
  OffsetAndMetadata offset(long takenNext, Checkpoint checkpoint) {
    long offset = Math.max(takenNext, committedOffset);
    return new OffsetAndMetadata(
        offset, offset <= readTo ? Optional.of(epoch) : Optional.empty(), checkpoint.encode());
  }

  void committed(long offset, Frontier settled, long number, boolean pausing, long nanoTime) {
    committedPaused = pausing;
    resumed = false;
    frontier = settled;
    committed = settled;
    trustsStore = false;
    committedSeq = number;
    committedOffset = Math.max(offset, committedOffset);
    lastCommit = nanoTime;
  }

  ShardStatus status(long now) {
    boolean rebuilding = isOpen() && isBehindCheckpoint();
    return new ShardStatus(
        id,
        state,
        rebuilding
            ? "fed again from the intake, up to %d of %d".formatted(next, decidedTo())
            : problem == null ? full == null ? lapClock.problem() : full : problem,
        pending,
        first.time() <= now ? Math.max(overdue, 1) : 0,
        // An ask is due since it was read, which is just now.
        first.time() == Due.ASKED ? now : Math.max(first.time(), deliverableSince),
        next,
        rebuilding,
        paused,
        new ShardStatus.Later(laps.copies(), lapClock.ends()),
        isOpen() ? checkpoint() : null);
  }
}
