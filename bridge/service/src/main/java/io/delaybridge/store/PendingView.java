package io.delaybridge.store;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Verdict;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Shows the pending messages of any shard, whoever owns it. Changes nothing. The view may be older
 * than what the owner knows: a message that has just been delivered can still be there. Safe for
 * use by many threads. Every method blocks, and throws {@link StoreException} if the store does not
 * answer.
 */
public interface PendingView {

  /**
   * A pending message.
   *
   * @param bytes stored size of the message, without its key
   * @param isFar whether it waits in the later topic
   */
  record Found(ShardId shard, DelayedMessage message, int bytes, boolean isFar) {

    /** A message that waits in the store. */
    public Found(ShardId shard, DelayedMessage message, int bytes) {
      this(shard, message, bytes, false);
    }

    /** Intake offset of the record that is pending, by which the message is found again. */
    public long offset() {
      return isFar ? message.offset() : message.readAt();
    }
  }

  /**
   * The answer of a shard's index about an id.
   *
   * @param origin intake offset of the last request for the id
   * @param isFar whether the message of that request waits in the later topic; if not, it is in the
   *     store, or it was delivered and its id has not been swept yet
   * @param at offset in the later topic if the message is far, or {@link
   *     ShardStore.Named#SOMEWHERE}
   */
  record Said(ShardId shard, long origin, boolean isFar, long at) {}

  /**
   * A summary of a shard.
   *
   * @param next intake offset up to which the store has everything, or {@link ShardStore#ABSENT}
   * @param asks number of asks that are not answered yet; an ask may stand in the place of a
   *     message
   * @param overdue number of messages that are due at the requested time, in epoch milliseconds, or
   *     before it
   * @param nextDue epoch milliseconds from which the first message can be delivered: its due time,
   *     or the time at which it was written if that was later; {@link Long#MAX_VALUE} if there is
   *     none
   */
  record Summary(ShardId shard, long next, long asks, long pending, long overdue, long nextDue) {}

  /** Returns the message with that id from each shard that has one in its store. */
  List<Found> byId(List<ShardId> shards, String id);

  /** Returns what each shard knows about that id; leaves out a shard that does not know it. */
  List<Said> said(List<ShardId> shards, String id);

  /** Returns the message with that key. */
  Optional<Found> byKey(ShardId shard, Due key);

  /**
   * A part of a shard.
   *
   * @param last key of the last entry that was read, which need not be a message; null if nothing
   *     follows it
   */
  record Slice(List<Found> found, @Nullable Due last) {}

  /**
   * Returns pending messages in the order of delivery.
   *
   * @param after key after which to begin; nothing needs to have this key
   * @param before due time at which to end, exclusive, in epoch milliseconds
   * @param limit how many entries are read at most, with their values
   * @param maxBytes stored bytes after which to stop; one entry is read, however large it is
   */
  Slice page(ShardId shard, Due after, long before, int limit, int maxBytes);

  /**
   * A message that repeats, or one that did: its id may stand for something else by now.
   *
   * @param due epoch milliseconds
   */
  record Repeating(String id, long due) {}

  /**
   * Returns messages that repeat, near and far, in the order in which they are due; those due at
   * the same time in the order of the UTF-8 of their ids.
   *
   * @param from due time at which to begin, in epoch milliseconds
   * @param after of those due at {@code from}, only the ones with a higher id are returned; null
   *     for all
   * @param before due time at which to end, exclusive, in epoch milliseconds
   */
  List<Repeating> repeating(
      ShardId shard, long from, @Nullable String after, long before, int limit);

  /** Returns a summary of each shard at that time, in epoch milliseconds. */
  List<Summary> summaries(List<ShardId> shards, long now);

  /**
   * Returns how many messages of all the shards are due in each interval.
   *
   * @param bounds epoch milliseconds, ascending; element i of the answer counts from bound i,
   *     inclusive, to bound i + 1
   */
  List<Long> counts(List<ShardId> shards, List<Long> bounds);

  /**
   * Returns the answer to the ask at that intake offset, if it was given within the last minute.
   */
  Optional<Verdict> answer(ShardId shard, long offset);
}
