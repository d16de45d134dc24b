package io.delaybridge.shard;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.store.ShardStore.Settled;
import io.delaybridge.store.ShardStore.Taken;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The content of the store for a shard, as far as the loop knows, and the next batch for it. */
final class Backlog {

  private long next;
  private Due first = Due.NEVER;
  private long deliverableSince;
  private @Nullable Batch waiting;
  private boolean look;
  private long pending;
  private long overdue;

  /** So many are pending, as the store says when it is asked first. */
  void found(long count) {
    pending = count;
    overdue = 0;
  }

  /** The shard is open: the store is asked what is due. */
  void open(long storeNext) {
    next = storeNext;
    first = Due.NEVER;
    look = true;
  }

  /** Drops the polled batch, which is polled again. */
  void close() {
    waiting = null;
  }

  /** The intake is read from there on, as the store has no more, or more than it had. */
  void follow(long storeNext) {
    next = storeNext;
    // It is polled again.
    waiting = null;
    // Whoever else fed the store may have fed it something that is due.
    look = true;
  }

  /** The store created the shard with that offset, or kept it. */
  void recalled(long storeNext) {
    next = storeNext;
  }

  /**
   * The last answer of the store: it has everything of the intake below this offset. Between turns,
   * the position of the consumer is equal to it.
   */
  long next() {
    return next;
  }

  /** Not later than the key of the first pending message, as far as is known. */
  Due first() {
    return first;
  }

  /** Since when the first message of the last take could have been delivered. */
  long deliverableSince() {
    return deliverableSince;
  }

  /** Number of pending messages, as far as is known. */
  long pending() {
    return pending;
  }

  /** Number of those that were due at the last take and are not out. */
  long overdue() {
    return overdue;
  }

  /** Whether to ask the store what is due although nothing is known to be due. */
  boolean isToBeAsked() {
    return look;
  }

  /** The store is asked what is due, although nothing is known to be due. */
  void askAgain() {
    look = true;
  }

  /**
   * The batch that was polled in this turn. It is stored at the end of the turn, without the
   * messages that are out by then.
   */
  @Nullable Batch waiting() {
    return waiting;
  }

  /** This batch is stored at the end of the turn. */
  void await(Batch batch) {
    waiting = batch;
  }

  /** Hands out the batch that has waited. */
  Optional<Batch> takeWaiting() {
    Batch batch = waiting;
    waiting = null;
    return Optional.ofNullable(batch);
  }

  /** The store has this batch. */
  void stored(Batch batch, long count) {
    assert batch.position() >= next : "what is stored is behind what was stored before";
    next = batch.position();
    first = Due.earlier(first, batch.first());
    pending = count;
  }

  /** The store must be fed before anything is taken from it. */
  void notYet(long count) {
    pending = count;
    look = true;
  }

  /**
   * This is due, with what was polled in this turn.
   *
   * @param now epoch milliseconds
   */
  void taken(Taken taken, long now) {
    pending = taken.count();
    look = false;
    if (taken.messages().isEmpty()) {
      first = taken.first();
    } else {
      DelayedMessage message = taken.messages().get(0);
      first = message.key();
      // Not later than now, in case the producer's clock is ahead.
      deliverableSince = Math.min(message.deliverableSince(), now);
    }
  }

  /** So many were due at the last take. */
  void overdue(long count) {
    overdue = count;
  }

  /** The first of what was taken is this one, since those before it were out already. */
  void beginsWith(Due key) {
    first = key;
  }

  /** These are out: they need not be stored any more. */
  void out(List<Settled> messages) {
    if (waiting != null) {
      waiting = waiting.without(messages);
    }
  }

  /** So many are out and settled, and this is the first of the others. */
  void settled(int count, Due firstOfOthers) {
    first = firstOfOthers;
    overdue = Math.max(0, overdue - count);
    pending = Math.max(0, pending - count);
  }
}
