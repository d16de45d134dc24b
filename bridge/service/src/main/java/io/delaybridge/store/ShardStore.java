package io.delaybridge.store;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Stores the pending messages of shards. An instance belongs to one loop, and only the thread of
 * that loop calls it. Calls for one shard take effect in the order in which they were made. The
 * methods return futures so that a loop can have several shards under way at once. A future always
 * completes, and fails only with {@link StoreException}.
 *
 * <p>Every operation is atomic and may be repeated without harm.
 */
public interface ShardStore extends AutoCloseable {

  /** The {@code next} of a shard that the store does not have. */
  long ABSENT = -1;

  /** Nothing was swept: another instance has opened the shard since, or has written to it. */
  long NOT_OWNER = -1;

  /**
   * Whoever waits for an answer waits no longer than this. The store has its own, shorter time-out;
   * this one only says that it broke its promise.
   */
  Duration LONGEST_ANSWER = Duration.ofSeconds(60);

  /** Opens a shard and returns what the store has of it. Connects first if necessary. */
  CompletableFuture<Opened> open(Shard shard);

  /**
   * Applies the entries and moves {@code next}, but only if it still is {@code expectedNext}. So
   * neither a stale owner nor a store that lost its tail can insert or skip anything.
   *
   * @param expectedNext intake offset, or {@link #ABSENT} to create the shard
   * @param newNext the consumer's position after the entries
   */
  CompletableFuture<Ingested> ingest(
      Shard shard, long expectedNext, long newNext, List<Entry> entries);

  /**
   * Ingests as above, even if the store is full. It is for the rest of a batch of records of which
   * some went out already: until the rest is stored, nothing is taken from the shard, or the
   * records that are out go out again.
   */
  default CompletableFuture<Ingested> ingestRest(
      Shard shard, long expectedNext, long newNext, List<Entry> entries) {
    return ingest(shard, expectedNext, newNext, entries);
  }

  /**
   * Reads a prefix of the due messages, in key order. Changes nothing.
   *
   * @param now epoch milliseconds; a message is due if its due time is not later
   * @param maxCount most messages to return
   * @param maxBytes stored bytes after which to stop; one message is returned, however large it is
   */
  CompletableFuture<Taken> take(Shard shard, long now, int maxCount, int maxBytes);

  /**
   * Removes these messages, which Kafka has committed.
   *
   * @param seq number of the committed checkpoint. The store keeps it only if no other instance has
   *     opened the shard since this one did: a shard that was emptied and is fed again is not
   *     settled because a former owner was late
   * @return how many pending messages are left
   */
  CompletableFuture<Long> settle(Shard shard, long seq, List<Settled> messages);

  /**
   * Removes what a pair of the frontier says is settled: every message with a key below this one.
   * If the shard was fed beyond {@code next}, nothing is removed, because the pair does not apply
   * to later records. Whoever fed the shard finds what is covered.
   *
   * @param next the pair applies to intake offsets below this one
   * @param messages messages that are known to be among those removed; needed for their ids
   */
  CompletableFuture<Long> settleBelow(
      Shard shard, long seq, long next, Due key, List<Settled> messages);

  /**
   * Keeps the answer to an ask for a minute, where whoever asked can find it.
   *
   * @param offset intake offset of the ask
   */
  CompletableFuture<Void> answer(Shard shard, long offset, Verdict verdict);

  /** Removes the whole shard, before it is rebuilt; returns how many keys there were. */
  CompletableFuture<Long> drop(Shard shard);

  /**
   * Returns a page of the ids that the shard knows, and the cursor of the next page. The cursor "0"
   * begins and ends.
   */
  CompletableFuture<Ids> ids(Shard shard, String cursor, int count);

  /**
   * Removes those of the ids that name no pending message. Does nothing if another instance has
   * opened the shard since this one did, or has written to it: an id may name a message that it
   * puts back. Does nothing if the store has fallen back, either: records that are fed again need
   * their ids.
   *
   * @param fedTo intake offset that {@code next} must have reached
   * @return how many were removed, or {@link #NOT_OWNER}
   */
  CompletableFuture<Long> sweep(Shard shard, long fedTo, List<String> ids);

  /**
   * Adds the ids of copies in the later topic to the index, before anything is fed to a shard whose
   * index does not know these copies. Each copy is far and replaces a pending message of its id
   * that has a lower origin, unless the index has a higher origin for the id. Does nothing if the
   * index is complete, if {@code next} is not the expected one, if the page before this one is not
   * there any more, or if another instance has opened the shard since this one did. The caller must
   * await each call.
   *
   * @param expectedNext intake offset, or {@link #ABSENT} to create the shard
   * @param newNext intake offset at which the shard begins if it is created
   * @return {@code next} after the call; if nothing was done, it differs from the expected one and
   *     may be {@link #ABSENT}, unless the index is complete
   */
  CompletableFuture<Long> recall(
      Shard shard, long expectedNext, long newNext, List<Named> copies, Page page);

  /**
   * Marks the index complete: from now on, a message that the index does not name is cancelled,
   * replaced or delivered, because every record that could say otherwise was fed. Does nothing if
   * another instance has opened the shard since this one did, if the store has fallen back, or if
   * not everything was recalled.
   *
   * @param fedTo intake offset that {@code next} must have reached
   * @return whether the index is complete
   */
  CompletableFuture<Boolean> complete(Shard shard, long fedTo);

  /** Tells for each of these messages whether its id stands for it. Changes nothing. */
  CompletableFuture<Judged> judge(Shard shard, List<Named> copies);

  /**
   * Notes where in the later topic these copies are. Affects only those whose id still stands for
   * that message, and for something far. The id of a copy that is {@linkplain Named#NOWHERE
   * nowhere} becomes free.
   *
   * @param seq number of the committed checkpoint
   */
  CompletableFuture<Void> place(Shard shard, long seq, List<Named> copies);

  /** Succeeds if the store can be reached; with several servers, if one of them can. */
  CompletableFuture<Void> ping();

  /** Share of the memory limit in use, 0 to 1; 0 if the store has no limit. */
  CompletableFuture<Double> memoryUse();

  @Override
  void close();

  /**
   * A shard as the store must know it.
   *
   * @param topicId Kafka's id of the intake topic, which changes when the topic is created anew
   * @param isRecalled whether the ids of far messages were recalled. If they were, a store that no
   *     longer knows them takes nothing in
   */
  record Shard(ShardId id, String topicId, boolean isRecalled) {

    /** A shard for which nothing was recalled. */
    public Shard(ShardId id, String topicId) {
      this(id, topicId, false);
    }

    /** The same shard after everything was recalled. */
    public Shard recalled() {
      return new Shard(id, topicId, true);
    }
  }

  /**
   * @param next intake offset up to which the store has everything, or {@link #ABSENT}
   * @param seq number of the last checkpoint that was settled here
   * @param count number of pending messages
   * @param ids number of ids that the shard knows, including those that name no pending message
   * @param far how many of these ids stand for a message in the later topic
   */
  record Opened(long next, long seq, long count, long ids, Index index, long far) {

    /** The answer for a shard that has nothing to do with far messages. */
    public Opened(long next, long seq, long count, long ids) {
      this(next, seq, count, ids, Index.NEAR, 0);
    }
  }

  /** The state of a shard's index with respect to messages that are not in the store. */
  enum Index {
    /** Nothing was recalled. This is right as long as there is no later topic. */
    NEAR,
    /**
     * The ids of all copies in the later topic were recalled, but not every record was fed that may
     * have taken one of them back. A message that the index does not name may be alive. So a record
     * that takes a message back leaves a mark, and acts only on messages that were requested before
     * it.
     */
    RECALLED,
    /** A message that the index does not name is over. */
    COMPLETE
  }

  /**
   * A page of copies that are recalled. Offsets are of the later topic.
   *
   * @param after where the page before it has ended, or {@link #FIRST}: a store that has lost that
   *     page takes no other
   * @param upTo where it ends
   * @param last whether it is the last one
   */
  record Page(long after, long upTo, boolean last) {

    /** The {@code after} of the first page, with which a recall begins. */
    public static final long FIRST = -1;
  }

  /**
   * A message that its id may stand for.
   *
   * @param origin intake offset of its first record
   * @param at offset of its copy in the later topic, {@link #SOMEWHERE} or {@link #NOWHERE}
   * @param next due time of the next occurrence if the message repeats, epoch milliseconds, or
   *     {@link #ONCE}
   */
  record Named(String id, long origin, long at, long next) {

    /**
     * The {@code at} of a near message, and of a copy whose offset will be known again after the
     * next lap.
     */
    public static final long SOMEWHERE = -1;

    /** The {@code at} of a message that has become a dead letter. */
    public static final long NOWHERE = -2;

    /** The {@code next} of a message that does not repeat, or where it does not matter. */
    public static final long ONCE = -1;

    /** A message whose place does not matter. */
    public Named(String id, long origin) {
      this(id, origin, SOMEWHERE);
    }

    /** A message for which it does not matter whether it repeats. */
    public Named(String id, long origin, long at) {
      this(id, origin, at, ONCE);
    }
  }

  /**
   * @param next as the store saw it, or {@link #ABSENT}
   * @param complete whether the index is complete; if not, nothing follows from the rest
   * @param alive for each message, whether its id stands for it
   */
  record Judged(long next, boolean complete, List<Boolean> alive) {}

  /**
   * @param applied false if {@code next} was not the expected one; nothing was changed then
   * @param next intake offset to go on from, or {@link #ABSENT}
   * @param count number of pending messages
   */
  record Ingested(boolean applied, long next, long count) {}

  /**
   * @param next as the take saw it, or {@link #ABSENT}
   * @param messages due messages in key order
   * @param first key of the first message that was not returned, {@link Due#NEVER} if none is left
   * @param count number of pending messages, including those returned
   * @param overdue number of due messages, including those returned
   */
  record Taken(long next, List<DelayedMessage> messages, Due first, long count, long overdue) {}

  /**
   * @param message as it was taken
   * @param keepId whether its id stays in the index: a retry copy of the message is on its way, or
   *     the frontier had covered it, or it is far and waits in the later topic or is on its way
   *     home
   * @param at offset of its copy in the later topic, or {@link Named#SOMEWHERE}
   */
  record Settled(DelayedMessage message, boolean keepId, long at) {

    /** A message that has no copy in the later topic, or a copy at an unknown offset. */
    public Settled(DelayedMessage message, boolean keepId) {
      this(message, keepId, Named.SOMEWHERE);
    }
  }

  /**
   * @param cursor cursor of the next page, "0" if this was the last one
   * @param ids as the producers wrote them
   */
  record Ids(String cursor, List<String> ids) {}
}
