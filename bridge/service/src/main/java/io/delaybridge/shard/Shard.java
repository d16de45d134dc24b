package io.delaybridge.shard;

import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.ShardStore.Index;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The state that a loop keeps for one shard while the partition is assigned to it; thrown away with
 * the assignment. Confined to the loop's thread.
 */
final class Shard {

  final ShardId id;
  final TopicPartition partition;
  final Phase phase = new Phase();
  final Progress progress = new Progress();
  final Backlog backlog = new Backlog();
  final LapClock lapClock = new LapClock();
  final Recall recall = new Recall();
  final Evidence evidence = new Evidence();
  final Sweep sweep = new Sweep();

  /** Offset of the first record that the intake had when the shard was opened. */
  long start;

  ShardStore.Shard key;

  /** The state of the store's index of ids with respect to far messages. */
  Index index = Index.NEAR;

  /** All messages before this offset were counted against the limits of the intake. */
  long countedTo;

  /**
   * The far messages beyond a limit of the intake that have not left, by intake offset, with their
   * ids. They become dead letters instead.
   */
  final Map<Long, @Nullable String> tooMany = new HashMap<>();

  CompletableFuture<?> settling = CompletableFuture.completedFuture(null);

  /** Key of the message that the shard was held for last. */
  private Due held = Due.NEVER;

  Shard(ShardId id) {
    this.id = id;
    this.partition = new TopicPartition(id.topic(), id.partition());
    this.key = new ShardStore.Shard(id, "");
  }

  boolean isOpen() {
    return phase.isOpen();
  }

  /**
   * Is open from now on.
   *
   * @param next intake offset up to which the store has everything, or {@link ShardStore#ABSENT}
   * @param logEnd intake offset at which the log ends
   * @param now epoch milliseconds
   */
  void open(long next, long logEnd, long now) {
    phase.open();
    backlog.open(next);
    evidence.clear();
    tooMany.clear();
    settling = CompletableFuture.completedFuture(null);
    lapClock.open(progress.laps().copies(), now);
    sweep.open(logEnd);
  }

  /** Nothing is taken for a while, longer each time: this message cannot go anywhere. */
  void hold(String why, Due key, long nanoTime) {
    phase.hold(why, nanoTime);
    held = key;
    evidence.clear();
  }

  /**
   * Whether the first message, which may be an ask, is the one that could not go anywhere just now.
   */
  boolean isStuck(long nanoTime) {
    return phase.isHeld(nanoTime) && backlog.first().equals(held);
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

  /** Copies that were counted are gone; these are left. */
  void passOver(Laps rest) {
    progress.passOver(rest);
    lapClock.judged(rest.copies());
  }

  /**
   * Counts a message that has gone to the later topic; if none was there, it is the first to look
   * at.
   */
  void wentLater(long now) {
    if (progress.laps().copies() == 0) {
      lapClock.first(now);
    }
    progress.laps(progress.laps().plus(1));
  }

  /** True if the store must be fed again before anything may be taken. */
  boolean isBehindCheckpoint() {
    return backlog.next() < progress.decidedTo();
  }

  /** Whether only asks are taken, because the shard is paused or held. */
  boolean takesAsksOnly(long nanoTime) {
    return progress.isPaused() || phase.isHeld(nanoTime);
  }

  /**
   * Whether the recall of its far messages has failed and pauses: until it ends, nothing is due.
   */
  boolean awaitsRecall(long now) {
    return recall.isRunning() && lapClock.at() > now;
  }

  /** The due time, in epoch milliseconds, up to which messages may be taken. */
  long horizon(long now) {
    return progress.isPaused() ? Due.ASKED : now;
  }

  /** Resumes delivery, whatever the last checkpoint says. */
  void resume() {
    progress.resume();
    backlog.askAgain();
  }

  /** Waits for the next answer of the store before the shard leaves. */
  void settling(CompletableFuture<?> reply) {
    settling = CompletableFuture.allOf(settling, reply);
  }

  ShardStatus status(long now) {
    boolean rebuilding = isOpen() && isBehindCheckpoint();
    String problem = phase.problem();
    String unreadable = lapClock.problem();
    Due first = backlog.first();
    return new ShardStatus(
        id,
        phase.state(),
        rebuilding && unreadable == null
            ? "fed again from the intake, up to %d of %d"
                .formatted(backlog.next(), progress.decidedTo())
            : problem == null ? unreadable : problem,
        backlog.pending(),
        first.time() <= now ? Math.max(backlog.overdue(), 1) : 0,
        // An ask is due since it was read, which is just now.
        first.time() == Due.ASKED ? now : Math.max(first.time(), backlog.deliverableSince()),
        backlog.next(),
        rebuilding,
        progress.isPaused(),
        new ShardStatus.Later(progress.laps().copies(), lapClock.ends()),
        isOpen() ? progress.checkpoint() : null);
  }
}
