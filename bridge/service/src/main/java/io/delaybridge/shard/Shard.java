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
 * What a loop remembers of one shard while the partition is assigned to it; thrown away with the
 * assignment. Confined to the loop's thread.
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

  /** Its keys contradict each other: they must be dropped before it is opened again. */
  boolean damaged;

  /** Why the intake is not what was read of it, or null. Only a restart takes that back. */
  @Nullable String truncated;

  /** The highest leader epoch of what was read, -1 if none is known. */
  private int epoch = -1;

  /** Up to this offset that epoch tells: what somebody else has fed the store with may be newer. */
  private long readTo = -1;

  // Known while open.

  /** Offset of the first record that the intake had when the shard was opened. */
  long start;

  ShardStore.Shard key;

  /** What the store answered last; the position of the consumer is equal to it between turns. */
  long next;

  Frontier frontier = Frontier.NONE;
  Admission admission = Admission.of(0);
  int born;

  /** An operator has stopped delivery; asks are still answered. Part of the checkpoint. */
  boolean paused;

  /** What the committed checkpoint says of that. */
  boolean committedPaused;

  /** It was resumed since, which outlives that it is closed: no ask in the log says so. */
  private boolean resumed;

  /**
   * There was no checkpoint, but the store had the shard: it is believed until one is committed.
   */
  boolean trustsStore;

  /** The last committed checkpoint and its offset, -1 if there is none. */
  Frontier committed = Frontier.NONE;

  long committedSeq;
  long committedOffset = -1;
  long lastCommit;

  /** Not later than the key of the first pending message, as far as is known. */
  Due first = Due.NEVER;

  /** Since when the first message that was taken last could have been delivered. */
  long deliverableSince;

  /** What was polled in this turn and is stored at its end, without what is out by then. */
  @Nullable Batch waiting;

  /** The store is to be asked what is due although nothing is known to be. */
  boolean look;

  long pending;
  long overdue;

  /** How the later topic stands, with what has gone there since the last checkpoint. */
  Laps laps = Laps.NONE;

  final LapClock lapClock = new LapClock();

  /** What the store's index of ids knows of what is far. */
  Index index = Index.NEAR;

  final Recall recall = new Recall();

  /** All before this offset were counted against the limits of the intake. */
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

  /** The store's index knows so much of what is far, and must not know less when it is fed. */
  void knows(Index known) {
    index = known;
    if (known != Index.NEAR) {
      key = key.recalled();
    }
  }

  /** A message has gone to the later topic; if nothing was there, it is the first to look at. */
  void wentLater(long now) {
    if (laps.copies() == 0) {
      lapClock.first(now);
    }
    laps = laps.plus(1);
  }

  /** These need not be stored any more. */
  void out(List<ShardStore.Settled> messages) {
    if (waiting != null) {
      waiting = waiting.without(messages);
    }
  }

  /** The store and Kafka work for this shard. */
  void worked() {
    backoff = 0;
  }

  /**
   * What the store must have been fed with before anything may be taken: all that is settled by the
   * frontier, and all that was read by the last checkpoint, for a cancel may be the last of it.
   */
  long decidedTo() {
    return Math.max(frontier.highest(), committedOffset);
  }

  /** True if the store must be fed again before anything may be taken. */
  boolean isBehindCheckpoint() {
    return next < decidedTo();
  }

  /** Of a paused or held shard only asks are taken. */
  boolean takesAsksOnly(long nanoTime) {
    return paused || isHeld(nanoTime);
  }

  /** Up to which due time, in epoch milliseconds, things may be taken. */
  long horizon(long now) {
    return paused ? Due.ASKED : now;
  }

  /** It is delivered from again, whatever the last checkpoint says. */
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
   * So much is read. Kafka can tell by the epoch whether a log still has what is before an offset;
   * a higher one than that of the last record does as well, if it was read from the same log.
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
