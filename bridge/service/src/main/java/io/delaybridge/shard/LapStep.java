package io.delaybridge.shard;

import io.delaybridge.delivery.Decision;
import io.delaybridge.delivery.Delivery;
import io.delaybridge.delivery.Dispatch;
import io.delaybridge.delivery.Outcome;
import io.delaybridge.delivery.Packing;
import io.delaybridge.intake.RequestParser;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.schemas.DelayTopics;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.ShardStore.Index;
import io.delaybridge.store.ShardStore.Judged;
import io.delaybridge.store.ShardStore.Named;
import io.delaybridge.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last step of a turn: copies in the later topic that are a lap old are judged. What is near by
 * now goes home, to the intake; what is still far takes another lap; what was cancelled or replaced
 * is dropped. One shard a turn, and one transaction with its checkpoint. See ADR 32.
 *
 * <p>A shard whose store knows nothing of what waits there reads the ids of it before anything
 * else.
 */
final class LapStep {

  private static final Logger LOG = LoggerFactory.getLogger(LapStep.class);

  private static final int MOST = 500;
  private static final long LOOK_AGAIN_MS = 5;
  private static final long TRY_AGAIN_MS = 1_000;

  private final Consumer<byte[], byte[]> consumer;
  private final ShardStore store;
  private final Delivery delivery;
  private final Dispatch dispatch;
  private final LaterTopic later;
  private final Assignment assignment;
  private final LoopSettings settings;
  private final Clocks clocks;
  private final LoopListener listener;

  LapStep(
      LoopPorts ports,
      Assignment assignment,
      LoopSettings settings,
      Clocks clocks,
      LoopListener listener) {
    this.consumer = ports.consumer();
    this.store = ports.store();
    this.delivery = ports.delivery();
    this.dispatch = ports.dispatch();
    this.later = ports.later();
    this.assignment = assignment;
    this.settings = settings;
    this.clocks = clocks;
    this.listener = listener;
  }

  void run(ConsumerGroupMetadata group) {
    Shard next = null;
    for (Shard shard : assignment.open()) {
      if (!later.exists(shard.id.topic())) {
        continue;
      }
      guarded(shard, () -> know(shard));
      if (isReady(shard) && (next == null || shard.lapAt < next.lapAt)) {
        next = shard;
      }
    }
    if (next != null && next.lapAt <= clocks.now()) {
      Shard shard = next;
      guarded(shard, () -> lap(shard, group));
    }
  }

  /** Milliseconds until something is to be done for the shard, at most the longest poll. */
  long untilNext(Shard shard, long now) {
    long longest = LoopSettings.LONGEST_POLL.toMillis();
    if (shard.recalling) {
      return LOOK_AGAIN_MS;
    }
    return later.exists(shard.id.topic()) && isReady(shard)
        ? Math.max(0, Math.min(shard.lapAt - now, longest))
        : longest;
  }

  private void guarded(Shard shard, Runnable step) {
    try {
      step.run();
    } catch (StoreException e) {
      assignment.failed(shard, e);
    } catch (InterruptException | WakeupException e) {
      throw e;
    } catch (KafkaException e) {
      if (shard.recalling || shard.laps.copies() > 0) {
        shard.unreadable = "its later topic can not be read: " + e.getMessage();
      }
      LOG.warn("Shard {}: its later topic can not be read: {}", shard.id, e.toString());
      shard.lapAt = clocks.now() + TRY_AGAIN_MS;
    }
  }

  /** Sees to it that the index of ids knows what is far. */
  private void know(Shard shard) {
    if (shard.recalling) {
      recall(shard);
    } else if (shard.index == Index.RECALLED
        && shard.next >= shard.sweepAbove
        && !shard.isBehindCheckpoint()) {
      complete(shard);
    }
  }

  private void complete(Shard shard) {
    long fedTo = Math.max(shard.sweepAbove, shard.frontier.highest());
    if (Replies.await(store.complete(shard.key, fedTo))) {
      shard.knows(Index.COMPLETE);
      // The marks of what was taken back meanwhile.
      shard.leavesIds();
    } else {
      assignment.close(shard, "Redis has fallen back, or another bridge has opened it since");
    }
  }

  private void recall(Shard shard) {
    LaterTopic.Read read = read(shard, shard.recalled);
    List<Named> named = named(read.records().stream().map(RequestParser::copy).toList());
    long position = consumer.position(shard.partition);
    long expected = shard.next;
    boolean last = read.next() >= shard.recallTo;
    long next = Replies.await(store.recall(shard.key, expected, position, named, last));
    if (next != (expected == ShardStore.ABSENT ? position : expected)) {
      assignment.close(shard, "Redis fell back from %d to %d".formatted(expected, next));
      return;
    }
    shard.next = next;
    shard.recalled = read.next();
    if (last) {
      shard.recalling = false;
      shard.unreadable = null;
      shard.knows(Index.RECALLED);
      assignment.read(shard);
    }
  }

  /** Passes over what was deleted, if that was no copy, or nobody minds. */
  private LaterTopic.Read read(Shard shard, long from) {
    try {
      return later.read(shard.id, from, MOST);
    } catch (OffsetOutOfRangeException e) {
      if (shard.laps.copies() > 0 && !settings.skipDeleted()) {
        throw e;
      }
      long start = later.start(shard.id);
      shard.laps = shard.laps.judged(start, 0);
      LOG.info("Shard {}: its later topic is read from {} on, not from {}", shard.id, start, from);
      return new LaterTopic.Read(List.of(), start);
    }
  }

  /** Those that have an id. */
  private static List<Named> named(List<DelayedMessage> copies) {
    List<Named> named = new ArrayList<>();
    for (DelayedMessage copy : copies) {
      String id = copy.id();
      if (id != null) {
        named.add(new Named(id, copy.origin(), copy.readAt()));
      }
    }
    return named;
  }

  /** What the store says of ids counts only if it has all that was read by the last checkpoint. */
  private static boolean isReady(Shard shard) {
    return shard.index == Index.COMPLETE && !shard.isBehindCheckpoint() && !shard.trustsStore;
  }

  private void lap(Shard shard, ConsumerGroupMetadata group) {
    long now = clocks.now();
    long lap = settings.far().apply(shard.id.topic()).lap();
    LaterTopic.Read read = read(shard, shard.laps.judged());
    List<DelayedMessage> ripe = new ArrayList<>();
    long judgedTo = shard.laps.judged();
    if (read.records().isEmpty()) {
      // Past the markers of transactions, which are deleted as well: the next checkpoint has it.
      shard.laps = shard.laps.judged(read.next(), 0);
      // On its way, or not committed yet, or gone although it was counted.
      shard.lapPause = Math.min(2 * shard.lapPause, TRY_AGAIN_MS);
      boolean ends = shard.laps.copies() == 0 && shard.lapPause == TRY_AGAIN_MS;
      shard.lapAt = ends ? Long.MAX_VALUE : now + shard.lapPause;
      return;
    }
    shard.lapPause = LOOK_AGAIN_MS;
    shard.lapAt = now + LOOK_AGAIN_MS;
    shard.lapEnds = read.records().get(0).timestamp() + lap;
    shard.unreadable = null;
    for (ConsumerRecord<byte[], byte[]> record : read.records()) {
      long at = record.timestamp() + lap;
      if (at > now) {
        shard.lapAt = at;
        break;
      }
      ripe.add(RequestParser.copy(record));
      judgedTo = record.offset() + 1;
    }
    if (!ripe.isEmpty()) {
      List<DelayedMessage> alive = alive(shard, ripe);
      if (alive != null) {
        send(shard, alive, ripe.size(), judgedTo, group);
      }
    }
  }

  /** Those whose id stands for them, and those without one; null if that can not be told. */
  private @Nullable List<DelayedMessage> alive(Shard shard, List<DelayedMessage> copies) {
    // Asked without ids as well: a store that fell back must not be overlooked.
    Judged judged = Replies.await(store.judge(shard.key, named(copies)));
    if (judged.next() != shard.next) {
      assignment.follow(shard, judged.next());
      return null;
    }
    if (!judged.complete()) {
      assignment.close(shard, "Redis does not know all ids of far messages any more");
      return null;
    }
    List<DelayedMessage> alive = new ArrayList<>();
    int at = 0;
    for (DelayedMessage copy : copies) {
      if (copy.id() == null || judged.alive().get(at++)) {
        alive.add(copy);
      }
    }
    return alive;
  }

  private void send(
      Shard shard,
      List<DelayedMessage> alive,
      int judged,
      long judgedTo,
      ConsumerGroupMetadata group) {
    long now = clocks.now();
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    List<Decision.Dead> dead = new ArrayList<>();
    int again = 0;
    List<Named> placed = List.of();
    for (DelayedMessage copy : alive) {
      Decision decision = dispatch.orHold(shard.id, dispatch.lap(shard.id, copy, now));
      if (decision instanceof Decision.Hold held) {
        LOG.error("Shard {}: no laps for the time being: {}", shard.id, held.why());
        shard.lapAt = now + TRY_AGAIN_MS;
        return;
      }
      records.add(dispatch.outgoing(shard.id, copy, decision, now).record());
      again += decision instanceof Decision.Later ? 1 : 0;
      if (decision instanceof Decision.Dead it) {
        dead.add(it);
      }
    }
    Laps laps = shard.laps.judged(judgedTo, judged - again);
    long number = shard.committedSeq + 1;
    OffsetAndMetadata checkpoint =
        shard.offset(shard.next, shard.checkpoint(shard.frontier, number, shard.paused, laps));
    Map<TopicPartition, OffsetAndMetadata> checkpoints = Map.of(shard.partition, checkpoint);
    Outcome outcome =
        records.isEmpty()
            ? delivery.commit(checkpoints, group)
            : delivery.deliver(records, Packing.PLAIN, checkpoints, group);
    if (outcome instanceof Outcome.Done done) {
      written(shard, done);
      placed = placed(shard, alive, done);
      if (!records.isEmpty() && !delivery.isTransactional()) {
        outcome = delivery.commit(checkpoints, group);
      }
    }
    if (!(outcome instanceof Outcome.Done)) {
      failed(shard, outcome);
      return;
    }
    shard.committed(checkpoint.offset(), shard.frontier, number, shard.paused, clocks.nanoTime());
    shard.laps = laps;
    place(shard, number, placed);
    ends(shard);
    int home = records.size() - again - dead.size();
    listener.judged(shard.id, home, again, judged - alive.size());
    dead.forEach(it -> listener.deadLettered(shard.id, null, it.reason()));
    if (again > 0) {
      shard.lapAt = Math.min(shard.lapAt, now + LOOK_AGAIN_MS);
    }
  }

  private void place(Shard shard, long number, List<Named> placed) {
    if (!placed.isEmpty()) {
      CompletableFuture<Void> reply = store.place(shard.key, number, placed);
      shard.settling = CompletableFuture.allOf(shard.settling, reply);
    }
  }

  /** When the lap of the next copy ends, if that is known. */
  private void ends(Shard shard) {
    if (shard.laps.copies() == 0) {
      shard.lapEnds = Long.MAX_VALUE;
    } else if (shard.lapAt > clocks.now() + LOOK_AGAIN_MS) {
      // The next one was read, and has not finished its lap.
      shard.lapEnds = shard.lapAt;
    }
  }

  /** Until a copy has been read, its id must not be swept. */
  private static void written(Shard shard, Outcome.Done done) {
    for (RecordMetadata metadata : done.written()) {
      if (metadata.topic().equals(shard.id.topic())) {
        shard.sweepAbove = Math.max(shard.sweepAbove, metadata.offset() + 1);
      }
    }
  }

  /** Where those that have an id are now, that take another lap. */
  private static List<Named> placed(Shard shard, List<DelayedMessage> alive, Outcome.Done done) {
    String later = DelayTopics.laterOf(shard.id.topic());
    List<Named> placed = new ArrayList<>();
    for (int i = 0; i < done.written().size(); i++) {
      DelayedMessage copy = alive.get(i);
      RecordMetadata metadata = done.written().get(i);
      String id = copy.id();
      if (id != null && metadata.topic().equals(later)) {
        placed.add(new Named(id, copy.origin(), metadata.offset()));
      }
    }
    return placed;
  }

  private void failed(Shard shard, Outcome outcome) {
    shard.lapAt = clocks.now() + TRY_AGAIN_MS;
    if (outcome instanceof Outcome.Unknown) {
      assignment.close(shard, "the outcome of a commit is unknown");
    } else {
      LOG.warn("Shard {}: its lap is tried again: {}", shard.id, outcome);
    }
  }
}
