package io.delaybridge.shard;

import io.delaybridge.delivery.Delivery;
import io.delaybridge.delivery.Outcome;
import io.delaybridge.message.Reading;
import io.delaybridge.schemas.DelayTopics;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.ShardStore.Index;
import io.delaybridge.store.ShardStore.Opened;
import io.delaybridge.store.StoreException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out where a shard stands before the loop works on it: what Kafka has committed, what the
 * store has, and what follows from the two.
 *
 * <table>
 *   <caption>checkpoint, store, then</caption>
 *   <tr><td>there</td><td>there</td><td>go on</td></tr>
 *   <tr><td>there</td><td>empty</td><td>rebuild from the start of the intake</td></tr>
 *   <tr><td>absent</td><td>there</td><td>trust the store, write a checkpoint soon</td></tr>
 *   <tr><td>absent</td><td>empty</td><td>new, or ask the operator</td></tr>
 * </table>
 */
final class Acquire {

  private static final Logger LOG = LoggerFactory.getLogger(Acquire.class);

  private static final String NO_LATER_LEADER = "its partition of the later topic has no leader";
  private static final Duration OFFSETS_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration BUDGET = Duration.ofSeconds(1);

  private final Consumer<byte[], byte[]> consumer;
  private final Delivery delivery;
  private final ShardStore store;
  private final IntakeTopics topics;
  private final Beginning beginning;
  private final LaterTopic later;
  private final Assignment assignment;
  private final LoopSettings settings;
  private final Clocks clocks;
  private final LoopListener listener;

  Acquire(
      LoopPorts ports,
      Assignment assignment,
      LoopSettings settings,
      Clocks clocks,
      LoopListener listener) {
    this.consumer = ports.consumer();
    this.delivery = ports.delivery();
    this.store = ports.store();
    this.topics = ports.topics();
    this.beginning = new Beginning(ports, settings);
    this.later = ports.later();
    this.assignment = assignment;
    this.settings = settings;
    this.clocks = clocks;
    this.listener = listener;
  }

  /** Opens every shard that is not open and whose time for another try has come. */
  void run() {
    long begun = clocks.nanoTime();
    for (Shard shard : due(begun)) {
      if (clocks.nanoTime() - begun > BUDGET.toNanos()) {
        // The open shards have waited long enough; the next turn goes on with the closed ones.
        return;
      }
      acquire(shard);
    }
  }

  /** The one that has waited longest is first: a few that take all the time must not hide it. */
  private List<Shard> due(long nanoTime) {
    return assignment.all().stream()
        .filter(shard -> shard.phase.isDueForAcquire(nanoTime))
        .sorted(Comparator.comparingLong(shard -> -shard.phase.overdueForAcquire(nanoTime)))
        .toList();
  }

  private void acquire(Shard shard) {
    try {
      TopicPartition partition = shard.partition;
      String truncated = shard.phase.truncated();
      if (truncated != null) {
        throw new StopException(truncated);
      }
      IntakeTopics.Facts facts = topics.facts(partition.topic());
      if (facts.leaderless().contains(partition.partition())) {
        // Asking for its offsets would hold up the open shards until the request times out.
        assignment.close(shard, "its partition has no leader");
        return;
      }
      IntakeTopics.Facts copies =
          later.exists(partition.topic())
              ? topics.facts(DelayTopics.laterOf(partition.topic()))
              : null;
      if (copies != null && copies.partitions() <= partition.partition()) {
        // For the same reason: Kafka waits for a partition that it does not know.
        assignment.close(shard, "its later topic does not have this partition yet");
        return;
      }
      // Waits for the transaction of a predecessor, if one is open.
      Committed committed = Committed.read(consumer, partition);
      Checkpoint checkpoint = committed.checkpoint();
      if (checkpoint != null && !checkpoint.topicId().equals(facts.id())) {
        throw new StopException(
            ("the checkpoint belongs to the topic with id %s, but the intake now has id %s; restore"
                    + " the old topic, or remove the checkpoint and the keys in Redis")
                .formatted(checkpoint.topicId(), facts.id()));
      }
      shard.key = new ShardStore.Shard(shard.id, facts.id());
      boolean isLed = copies == null || !copies.leaderless().contains(partition.partition());
      if (checkpoint == null && !isLed) {
        assignment.close(shard, NO_LATER_LEADER);
        return;
      }
      Opened opened = open(shard);
      long start = one(consumer.beginningOffsets(List.of(partition), OFFSETS_TIMEOUT));
      long end = one(consumer.endOffsets(List.of(partition), OFFSETS_TIMEOUT));
      checkHistory(shard, committed);
      settle(shard, committed, facts, opened);
      begin(shard, checkpoint, opened, start, end, isLed);
    } catch (StopException | Checkpoint.UnreadableException e) {
      assignment.stop(shard, String.valueOf(e.getMessage()));
    } catch (StoreException e) {
      assignment.failed(shard, e);
    } catch (LogTruncationException e) {
      assignment.truncated(shard, e);
    } catch (InterruptException e) {
      throw e;
    } catch (UnknownTopicOrPartitionException e) {
      assignment.close(shard, "its intake or its later topic is missing");
    } catch (KafkaException e) {
      assignment.close(shard, "its checkpoint cannot be read from Kafka: " + e.getMessage());
    }
  }

  /**
   * Has Kafka compare the intake with what was read. An intake that was truncated and has grown
   * again has other records at offsets that were read already; see ADR 27.
   *
   * @throws LogTruncationException if Kafka finds a difference, for this shard or another one
   */
  private void checkHistory(Shard shard, Committed committed) {
    if (committed.epoch().isPresent()) {
      OffsetAndMetadata read = new OffsetAndMetadata(committed.offset(), committed.epoch(), "");
      shard.progress.read(read);
      consumer.seek(shard.partition, read);
      consumer.position(shard.partition, OFFSETS_TIMEOUT);
    }
  }

  /**
   * Whether there was a checkpoint, but Redis has nothing, or has nothing left. A rebuild that was
   * overtaken by retention counts as nothing, unless a message is pending that the intake no longer
   * has.
   */
  private static boolean isEmptied(@Nullable Checkpoint checkpoint, Opened opened, long start) {
    // Nobody has settled anything of what is fed again, or not all of it is fed.
    boolean isFed = opened.seq() > 0 && opened.index() != Index.RECALLED;
    return checkpoint != null && !isFed && opened.count() == 0 && opened.next() < start;
  }

  private static long one(Map<TopicPartition, Long> offsets) {
    return offsets.values().iterator().next();
  }

  private Opened open(Shard shard) {
    if (shard.phase.isDamaged()) {
      drop(shard, String.valueOf(shard.phase.problem()));
    }
    try {
      return Replies.await(store.open(shard.key));
    } catch (StoreException.Corrupt e) {
      drop(shard, String.valueOf(e.getMessage()));
      return Replies.await(store.open(shard.key));
    }
  }

  private void drop(Shard shard, String why) {
    LOG.error("{}; the bridge drops the keys of the shard and rebuilds it from the intake", why);
    Replies.await(store.drop(shard.key));
    shard.phase.dropped();
  }

  /** Takes over what was committed. */
  private void settle(Shard shard, Committed committed, IntakeTopics.Facts facts, Opened opened) {
    Checkpoint checkpoint = committed.checkpoint();
    boolean trustsStore = checkpoint == null && opened.next() != ShardStore.ABSENT;
    shard.progress.open(
        checkpoint == null ? first(shard, facts, opened) : checkpoint,
        committed.offset(),
        trustsStore);
    shard.backlog.found(opened.count());
    if (opened.ids() - opened.far() > opened.count()) {
      shard.sweep.idsAreLeft();
    }
  }

  /** Returns the first checkpoint of a shard that has none. */
  private Checkpoint first(Shard shard, IntakeTopics.Facts facts, Opened opened) {
    return new Checkpoint(
        facts.id(),
        opened.seq(),
        Frontier.NONE,
        Admission.of(reading(shard)),
        facts.partitions(),
        laps(shard),
        false);
  }

  /**
   * Of a shard without a checkpoint: begins where its later topic does. Otherwise, as soon as a
   * copy is counted, what retention deleted long ago would look like a loss.
   */
  private Laps laps(Shard shard) {
    return later.exists(shard.id.topic())
        ? new Laps(
            one(
                consumer.beginningOffsets(
                    List.of(LaterTopic.partition(shard.id)), OFFSETS_TIMEOUT)),
            0)
        : Laps.NONE;
  }

  /**
   * @param isLed whether the offsets of its partition of the later topic can be asked for
   */
  private void begin(
      Shard shard,
      @Nullable Checkpoint checkpoint,
      Opened opened,
      long start,
      long end,
      boolean isLed)
      throws StopException, Checkpoint.UnreadableException {
    boolean emptied = isEmptied(checkpoint, opened, start);
    long position = emptied ? start : stored(shard, checkpoint, opened, start, end);
    // An empty Redis is fed with what is left of the intake; all that was not read must be there.
    long needed = emptied ? shard.progress.offset() : position;
    if (needed < start && !settings.skipDeleted()) {
      throw new StopException(
          ("offsets %d to %d of the intake were deleted before they were stored; set"
                  + " intake.skipDeleted to true to go on without them")
              .formatted(needed, start));
    }
    position = Math.max(position, start);
    shard.start = start;
    // Committed records were read, and stay under the rule that they were read by.
    long read = Math.max(position, shard.progress.decidedTo());
    if (read > end) {
      assignment.truncated(
          shard, "the intake ends at offset %d, but was read up to %d".formatted(end, read));
      return;
    }
    if (opened.index() != Index.COMPLETE && !isLed) {
      assignment.close(shard, NO_LATER_LEADER);
      return;
    }
    if (needed < start) {
      LOG.warn(
          "Shard {}: offsets {} to {} of the intake were deleted before they were stored; they are"
              + " skipped, because intake.skipDeleted is true",
          shard.id,
          needed,
          start);
    }
    var rule = new Admission.Rule(read, reading(shard));
    if (shard.progress.admit(rule, start) && checkpoint != null && !isCommitted(shard)) {
      return;
    }
    long logEnd = topics.logEnd(shard.partition);
    look(shard, opened, emptied || opened.next() == ShardStore.ABSENT ? start : 0);
    if (emptied && end > start) {
      LOG.warn("Shard {} is not in Redis: rebuilt from offset {} to {}", shard.id, start, end);
      listener.refed(shard.id);
    }
    shard.open(opened.next(), logEnd, clocks.now());
    consumer.seek(shard.partition, position);
    assignment.read(shard);
    LOG.info(
        "Shard {} is open: offset {}, {} pending, checkpoint {}",
        shard.id,
        position,
        shard.backlog.pending(),
        checkpoint == null ? "absent" : checkpoint.encode());
  }

  /** Returns the offset up to which the store has the intake, or that of a shard that begins. */
  private long stored(
      Shard shard, @Nullable Checkpoint checkpoint, Opened opened, long start, long end)
      throws StopException, Checkpoint.UnreadableException {
    if (opened.next() == ShardStore.ABSENT) {
      return beginning.of(shard, start, end);
    }
    warnOfLostCheckpoint(shard, checkpoint, opened);
    return opened.next();
  }

  /**
   * Commits the rules by which the shard reads from now on. Otherwise, a successor could not know
   * by which rule a record was read, and a record that is fed again must get the key it had.
   */
  private boolean isCommitted(Shard shard) {
    Outcome outcome =
        delivery.commit(Map.of(shard.partition, shard.progress.last()), consumer.groupMetadata());
    if (outcome instanceof Outcome.Done) {
      shard.progress.lastCommitted();
      return true;
    }
    assignment.close(shard, "how it reads from now on could not be committed: " + outcome);
    return false;
  }

  private Reading reading(Shard shard) {
    return settings.reading().apply(shard.id.topic());
  }

  /**
   * Notes what the store knows about far messages, and what it must learn before anything is read.
   *
   * @param without offset below which the intake no longer has the records that an empty store
   *     would be fed with. An unknown id may be that of a repeating message whose request was
   *     there. Then absence must prove nothing, even if there is nothing to recall
   */
  private void look(Shard shard, Opened opened, long without) {
    shard.knows(opened.index());
    // An index that does not know all yet may have fallen back as well, and is told again.
    boolean exists = later.exists(shard.id.topic());
    boolean knowsAll = opened.index() == Index.COMPLETE;
    if (!knowsAll && exists) {
      // Includes copies that are committed but not visible yet.
      long end = topics.logEnd(LaterTopic.partition(shard.id));
      Laps laps = shard.progress.laps();
      boolean wasFed = opened.index() == Index.NEAR && opened.next() >= shard.start;
      shard.recall.begin(laps.judged(), end, wasFed && end == 0 && laps.equals(Laps.NONE));
    } else if (!knowsAll && (without > 0 || opened.index() == Index.RECALLED)) {
      shard.recall.begin(0, 0);
    } else {
      shard.recall.none();
    }
  }

  private static void warnOfLostCheckpoint(
      Shard shard, @Nullable Checkpoint checkpoint, Opened opened) {
    if (checkpoint == null) {
      LOG.warn(
          "Shard {} has no checkpoint, but Redis has its data up to offset {}; the bridge trusts"
              + " Redis, and may deliver the last batch again",
          shard.id,
          opened.next());
    } else if (opened.seq() > checkpoint.seq()) {
      LOG.warn(
          "Shard {} has checkpoint {}, but Redis has seen {}: the newer one was lost or reset",
          shard.id,
          checkpoint.seq(),
          opened.seq());
    }
  }
}
