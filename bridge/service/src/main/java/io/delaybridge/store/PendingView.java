package io.delaybridge.store;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Verdict;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the pending messages of any shard, whoever owns it. Changes nothing. What it sees may be
 * older than what the owner knows: a message that has just been delivered can still be there. Safe
 * for use by many threads; every method blocks and throws {@link StoreException} if the store does
 * not answer.
 */
public interface PendingView {

  /**
   * A pending message.
   *
   * @param bytes what the store keeps of it, without its key
   * @param isFar whether it waits in the later topic
   */
  record Found(ShardId shard, DelayedMessage message, int bytes, boolean isFar) {

    /** One that waits in the store. */
    public Found(ShardId shard, DelayedMessage message, int bytes) {
      this(shard, message, bytes, false);
    }
  }

  /**
   * What the index of a shard says of an id.
   *
   * @param origin intake offset of the record that was said last of it
   * @param isFar whether that waits in the later topic; if not, it is in the store, or was
   *     delivered and its id not swept yet
   * @param at offset in the later topic if it is far, or {@link ShardStore.Named#SOMEWHERE}
   */
  record Said(ShardId shard, long origin, boolean isFar, long at) {}

  /**
   * A shard at a glance.
   *
   * @param next intake offset up to which the store has everything, or {@link ShardStore#ABSENT}
   * @param asks asks that are not answered yet, which may stand in the place of a message
   * @param overdue due messages, epoch milliseconds that were asked for included
   * @param nextDue from when on the first message can be delivered, epoch milliseconds: its due
   *     time, or when it was written if that was later; {@link Long#MAX_VALUE} if there is none
   */
  record Summary(ShardId shard, long next, long asks, long pending, long overdue, long nextDue) {}

  /** The message of that id in each of the shards that has one in its store. */
  List<Found> byId(List<ShardId> shards, String id);

  /** What each shard knows of that id; nothing of a shard that does not know it. */
  List<Said> said(List<ShardId> shards, String id);

  /** The message with that key. */
  Optional<Found> byKey(ShardId shard, Due key);

  /**
   * A part of a shard.
   *
   * @param last key of what was read last, which need not be a message; null if there is nothing
   *     behind it
   */
  record Slice(List<Found> found, @Nullable Due last) {}

  /**
   * Pending messages in the order of delivery.
   *
   * @param after key after which to begin; there need not be anything that has it
   * @param before epoch milliseconds of the due time at which to end, exclusive
   * @param limit how many are read at most, values included
   */
  Slice page(ShardId shard, Due after, long before, int limit);

  /**
   * A message that repeats, or one that did: its id may stand for something else by now.
   *
   * @param place when it is due, and how many of its shard that are due then come before it
   */
  record Repeating(String id, Due place) {}

  /**
   * Messages that repeat, near and far, in the order in which they are due.
   *
   * @param after place after which to begin
   * @param before epoch milliseconds of the due time at which to end, exclusive
   */
  List<Repeating> repeating(ShardId shard, Due after, long before, int limit);

  /** How each shard is at that time, epoch milliseconds. */
  List<Summary> summaries(List<ShardId> shards, long now);

  /**
   * How many messages of all the shards are due in each interval.
   *
   * @param bounds epoch milliseconds, ascending; element i of the answer counts from bound i,
   *     inclusive, to bound i + 1
   */
  List<Long> counts(List<ShardId> shards, List<Long> bounds);

  /** The answer to the ask at that intake offset, if it has been given within the last minute. */
  Optional<Verdict> answer(ShardId shard, long offset);
}
