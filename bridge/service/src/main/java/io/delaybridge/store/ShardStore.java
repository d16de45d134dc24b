package io.delaybridge.store;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Verdict;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The pending messages of shards. One instance belongs to one loop and is called by its thread
 * only. Calls for one shard take effect in the order in which they were made; a future lets a loop
 * have several shards under way at once. Futures fail with {@link StoreException} and nothing else,
 * and always complete.
 *
 * <p>Every operation is atomic and may be repeated without harm.
 */
public interface ShardStore extends AutoCloseable {

  /** {@code next} of a shard of which the store has nothing. */
  long ABSENT = -1;

  /** What the store has of a shard. Connects first if need be. */
  CompletableFuture<Opened> open(Shard shard);

  /**
   * Applies the entries and moves {@code next}, if it still is {@code expectedNext}: neither a
   * stale owner nor a store that lost its tail can slip anything in or skip anything.
   *
   * @param expectedNext intake offset, or {@link #ABSENT} to create the shard
   * @param newNext the consumer's position after the entries
   */
  CompletableFuture<Ingested> ingest(
      Shard shard, long expectedNext, long newNext, List<Entry> entries);

  /**
   * Ingests as above what is left of records of which some went out already, even if the store is
   * full: until it is in, nothing is taken from the shard, or what is out goes out again.
   */
  default CompletableFuture<Ingested> ingestRest(
      Shard shard, long expectedNext, long newNext, List<Entry> entries) {
    return ingest(shard, expectedNext, newNext, entries);
  }

  /**
   * Reads a prefix of what is due, in key order. Changes nothing.
   *
   * @param now epoch milliseconds; a message is due if its due time is not later
   * @param maxCount most messages to return
   * @param maxBytes stored bytes after which to stop; one message is returned however large
   */
  CompletableFuture<Taken> take(Shard shard, long now, int maxCount, int maxBytes);

  /**
   * Removes these messages, which Kafka has committed.
   *
   * @param seq number of the committed checkpoint
   * @return pending messages that are left
   */
  CompletableFuture<Long> settle(Shard shard, long seq, List<Settled> messages);

  /**
   * Removes what a pair of the frontier says is settled: everything with a key below this one. If
   * the shard was fed beyond {@code next}, nothing is removed: the pair does not speak of what came
   * later, and whoever has fed it finds what is covered.
   *
   * @param next intake offset below which the pair speaks
   * @param messages what is known to be among them, for the sake of their ids
   */
  CompletableFuture<Long> settleBelow(
      Shard shard, long seq, long next, Due key, List<Settled> messages);

  /**
   * Leaves the answer to an ask where whoever asked can find it, for a minute.
   *
   * @param offset intake offset of the ask
   */
  CompletableFuture<Void> answer(Shard shard, long offset, Verdict verdict);

  /** Forgets the shard altogether, before it is rebuilt; returns how many keys there were. */
  CompletableFuture<Long> drop(Shard shard);

  /**
   * A page of the ids that the shard knows, with where to go on; the cursor "0" begins and ends.
   */
  CompletableFuture<Ids> ids(Shard shard, String cursor, int count);

  /**
   * Removes those of the ids that name no pending message, unless another instance has opened the
   * shard since this one did, or the store has fallen back: what is fed again needs its ids.
   *
   * @param fedTo intake offset that {@code next} must have reached
   */
  CompletableFuture<Long> sweep(Shard shard, long fedTo, List<String> ids);

  /**
   * Adds the ids of copies in the later topic to the index, before anything is fed to a shard whose
   * index knows nothing of them: each is far, unless the index has a higher origin for the id, and
   * replaces what is pending of a lower one. Does nothing if the index is complete, if {@code next}
   * is not the expected one, or if another instance has opened the shard since this one did. To be
   * awaited: the last call must not take effect without those before it.
   *
   * @param expectedNext intake offset, or {@link #ABSENT} to create the shard
   * @param newNext intake offset that it begins with if it is created
   * @param last whether that were all
   * @return {@code next} as it is then; another one than expected, maybe {@link #ABSENT}, if
   *     nothing was done, unless the index is complete
   */
  CompletableFuture<Long> recall(
      Shard shard, long expectedNext, long newNext, List<Named> copies, boolean last);

  /**
   * From now on, what the index does not name is cancelled, replaced or delivered: all that could
   * say otherwise was fed. Does nothing if another instance has opened the shard since this one
   * did, if the store has fallen back, or if not everything was recalled.
   *
   * @param fedTo intake offset that {@code next} must have reached
   * @return whether the index is complete
   */
  CompletableFuture<Boolean> complete(Shard shard, long fedTo);

  /** Tells which of these messages their ids stand for. Changes nothing. */
  CompletableFuture<Judged> judge(Shard shard, List<Named> copies);

  /**
   * Notes where in the later topic these are, those of which the id still stands for that, and for
   * something far. The id of what is {@linkplain Named#NOWHERE nowhere} is free.
   *
   * @param seq number of the committed checkpoint
   */
  CompletableFuture<Void> place(Shard shard, long seq, List<Named> copies);

  /** Succeeds if the store can be reached; of several servers, one of them. */
  CompletableFuture<Void> ping();

  /** Share of the memory limit in use, 0 to 1; 0 if the store has no limit. */
  CompletableFuture<Double> memoryUse();

  @Override
  void close();

  /**
   * A shard as the store must know it.
   *
   * @param topicId Kafka's id of the intake topic, which changes when it is created anew
   * @param isRecalled whether the ids of what is far were recalled: a store that knows nothing of
   *     that any more takes nothing in
   */
  record Shard(ShardId id, String topicId, boolean isRecalled) {

    /** One that nothing was recalled of. */
    public Shard(ShardId id, String topicId) {
      this(id, topicId, false);
    }

    /** The same from when on all was recalled. */
    public Shard recalled() {
      return new Shard(id, topicId, true);
    }
  }

  /**
   * @param next intake offset up to which the store has everything, or {@link #ABSENT}
   * @param seq number of the last checkpoint that was settled here
   * @param count pending messages
   * @param ids that the shard knows; those that name no pending message are among them
   * @param far of those, the ones that stand for a message in the later topic
   */
  record Opened(long next, long seq, long count, long ids, Index index, long far) {

    /** Of a shard that has to do with nothing far. */
    public Opened(long next, long seq, long count, long ids) {
      this(next, seq, count, ids, Index.NEAR, 0);
    }
  }

  /** What the index of a shard knows of messages that are not in the store. */
  enum Index {
    /** Nothing was recalled: right as long as there is no later topic. */
    NEAR,
    /**
     * The ids of all copies in the later topic were recalled, but not all was fed that may have
     * taken them back. What the index does not name may live: what takes something back leaves a
     * mark, and acts only on what was said before it.
     */
    RECALLED,
    /** What the index does not name is over. */
    COMPLETE
  }

  /**
   * A message that its id may stand for.
   *
   * @param origin intake offset of its first record
   * @param at offset of its copy in the later topic, {@link #SOMEWHERE} or {@link #NOWHERE}
   * @param next when it is due if it repeats, epoch milliseconds, or {@link #ONCE}
   */
  record Named(String id, long origin, long at, long next) {

    /** The {@code at} of what is near, and of what will be known again after the next lap. */
    public static final long SOMEWHERE = -1;

    /** The {@code at} of what has become a dead letter. */
    public static final long NOWHERE = -2;

    /** The {@code next} of what does not repeat, or if nobody asks. */
    public static final long ONCE = -1;

    /** One that nobody asks the place of. */
    public Named(String id, long origin) {
      this(id, origin, SOMEWHERE);
    }

    /** One of which nobody asks whether it repeats. */
    public Named(String id, long origin, long at) {
      this(id, origin, at, ONCE);
    }
  }

  /**
   * @param next as the store saw it, or {@link #ABSENT}
   * @param complete whether the index is; else nothing follows from the rest
   * @param alive of each message, whether its id stands for it
   */
  record Judged(long next, boolean complete, List<Boolean> alive) {}

  /**
   * @param applied false if {@code next} was not the expected one; nothing was changed then
   * @param next intake offset to go on from, or {@link #ABSENT}
   * @param count pending messages
   */
  record Ingested(boolean applied, long next, long count) {}

  /**
   * @param next as the take saw it, or {@link #ABSENT}
   * @param messages due messages in key order
   * @param first key of the first message that was not returned, {@link Due#NEVER} if none is left
   * @param count pending messages, the returned ones included
   * @param overdue due messages, the returned ones included
   */
  record Taken(long next, List<DelayedMessage> messages, Due first, long count, long overdue) {}

  /**
   * @param message as it was taken
   * @param keepId its id lives on: a retry copy of it is on its way, or the frontier had covered
   *     it; or it is far, and waits in the later topic or is on its way home
   * @param at offset of its copy in the later topic, or {@link Named#SOMEWHERE}
   */
  record Settled(DelayedMessage message, boolean keepId, long at) {

    /** One that has no copy in the later topic, or nobody knows where. */
    public Settled(DelayedMessage message, boolean keepId) {
      this(message, keepId, Named.SOMEWHERE);
    }
  }

  /**
   * @param cursor where the next page begins, "0" if this was the last
   * @param ids as the producers wrote them
   */
  record Ids(String cursor, List<String> ids) {}
}
