package io.delaybridge.shard;

import io.delaybridge.delivery.Decision;
import io.delaybridge.delivery.Decision.Later;
import io.delaybridge.delivery.Delivery;
import io.delaybridge.delivery.Dispatch;
import io.delaybridge.delivery.KafkaNotReadyException;
import io.delaybridge.delivery.Outcome;
import io.delaybridge.delivery.Outgoing;
import io.delaybridge.delivery.Packing;
import io.delaybridge.delivery.Refusal;
import io.delaybridge.intake.RequestParser;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.ShardStore.Index;
import io.delaybridge.store.ShardStore.Judged;
import io.delaybridge.store.ShardStore.Named;
import io.delaybridge.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last step of a turn: judges the copies in the later topic that are a lap old. A copy that is
 * near by now goes home, to the intake; a copy that is still far takes another lap; a copy that was
 * cancelled or replaced is dropped. A turn judges one shard, in one transaction with its
 * checkpoint. See ADR 32.
 *
 * <p>If the store of a shard does not know what waits in the later topic, the ids of these copies
 * are read before anything else.
 */
final class LapStep {

  private static final Logger LOG = LoggerFactory.getLogger(LapStep.class);

  /** Copies in a turn: what becomes due meanwhile waits for them. */
  private static final int MOST = 500;

  private final ShardStore store;
  private final Delivery delivery;
  private final Dispatch dispatch;
  private final LaterTopic later;
  private final IntakeTopics topics;
  private final RecallStep recall;
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
    this.store = ports.store();
    this.delivery = ports.delivery();
    this.dispatch = ports.dispatch();
    this.later = ports.later();
    this.topics = ports.topics();
    this.recall = new RecallStep(ports, assignment, settings);
    this.assignment = assignment;
    this.settings = settings;
    this.clocks = clocks;
    this.listener = listener;
  }

  void run(ConsumerGroupMetadata group) {
    Shard next = null;
    for (Shard shard : assignment.open()) {
      if (!shard.awaitsRecall(clocks.now())) {
        guarded(shard, () -> recall.run(shard));
      }
      if (later.exists(shard.id.topic())
          && isReady(shard)
          && (next == null || shard.lapClock.at() < next.lapClock.at())) {
        next = shard;
      }
    }
    if (next != null && next.lapClock.at() <= clocks.now()) {
      Shard shard = next;
      guarded(shard, () -> lap(shard, group));
    }
  }

  /** Milliseconds until something is to be done for the shard, at most the longest poll. */
  long untilNext(Shard shard, long now) {
    long longest = LoopSettings.LONGEST_POLL.toMillis();
    if (shard.recall.isRunning()) {
      return Math.min(Math.max(LapClock.LOOK_AGAIN_MS, shard.lapClock.at() - now), longest);
    }
    return later.exists(shard.id.topic()) && isReady(shard)
        ? Math.max(0, Math.min(shard.lapClock.at() - now, longest))
        : longest;
  }

  private void guarded(Shard shard, Runnable step) {
    try {
      step.run();
    } catch (StoreException e) {
      assignment.failed(shard, e);
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      if (shard.recall.isRunning() || shard.progress.laps().copies() > 0) {
        shard.lapClock.unreadable("its later topic cannot be read: " + e.getMessage());
      }
      LOG.warn(
          "Shard {}: its later topic cannot be read, this is tried again: {}",
          shard.id,
          e.toString());
      shard.lapClock.tryAgain(clocks.now());
    }
  }

  /**
   * Whether the store can be asked about ids. What it says counts only if it has all that was read
   * by the last checkpoint.
   */
  private static boolean isReady(Shard shard) {
    return shard.index == Index.COMPLETE
        && !shard.isBehindCheckpoint()
        && !shard.progress.trustsStore();
  }

  private void lap(Shard shard, ConsumerGroupMetadata group) {
    long now = clocks.now();
    long lap = lapOf(shard);
    LapTrial trial = shard.lapClock.trial();
    LaterTopic.Read read =
        recall.read(shard, shard.progress.laps().judged(), trial == null ? MOST : 1);
    List<DelayedMessage> ripe = new ArrayList<>();
    long judgedTo = shard.progress.laps().judged();
    if (read.records().isEmpty()) {
      // Passes the markers of transactions, which are deleted as well: the next checkpoint has it.
      shard.progress.laps(shard.progress.laps().judged(read.next(), 0));
      nothing(shard, now);
      return;
    }
    shard.lapClock.read(read.records().get(0).timestamp() + lap, now);
    for (ConsumerRecord<byte[], byte[]> record : read.records()) {
      long at = record.timestamp() + lap;
      if (at > now) {
        shard.lapClock.notBefore(at, lap);
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

  /** No copy was there. If deleted ones may be passed over, they do not stay counted for ever. */
  private void nothing(Shard shard, long now) {
    Laps laps = shard.progress.laps();
    if (shard.lapClock.nothing(laps.copies(), now)
        && laps.copies() > 0
        && settings.skipDeleted()
        && topics.logEnd(LaterTopic.partition(shard.id)) <= laps.judged()) {
      shard.passOver(new Laps(laps.judged(), 0));
    }
  }

  /**
   * The lap in milliseconds. Copies that were written under a shorter horizon may be due soon after
   * it, so they cannot wait for half of a longer one.
   */
  private long lapOf(Shard shard) {
    long lap = settings.far().apply(shard.id.topic()).lap();
    long horizon = shard.progress.admission().shortestHorizon();
    return horizon == 0 ? lap : Math.min(lap, horizon / 2);
  }

  /**
   * Returns the copies whose id stands for them, and those without an id; null if that cannot be
   * told.
   */
  private @Nullable List<DelayedMessage> alive(Shard shard, List<DelayedMessage> copies) {
    // Asked even if no copy has an id: a store that fell back must not be overlooked.
    Judged judged = Replies.await(store.judge(shard.key, RecallStep.named(copies)));
    if (judged.next() != shard.backlog.next()) {
      assignment.follow(shard, judged.next());
      return null;
    }
    if (!judged.complete()) {
      assignment.close(shard, "Redis no longer knows all ids of its far messages");
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
    LapTrial trial = shard.lapClock.trial();
    Refusal refusal = trial == null ? null : trial.refusal();
    try {
      dispatch.prepareLap(shard.id, alive, refusal);
    } catch (KafkaNotReadyException e) {
      LOG.warn("Shard {}: the laps of its far messages wait: {}", shard.id, e.getMessage());
      shard.lapClock.tryAgain(now);
      return;
    }
    List<Outgoing> outgoing = new ArrayList<>();
    for (DelayedMessage copy : alive) {
      Decision decision = dispatch.orHold(shard.id, dispatch.lap(shard.id, copy, refusal, now));
      if (decision instanceof Decision.Hold held) {
        LOG.error("Shard {}: the laps of its far messages wait: {}", shard.id, held.why());
        shard.lapClock.tryAnew();
        shard.lapClock.tryAgain(now);
        return;
      }
      outgoing.add(dispatch.ofLap(shard.id, copy, decision, now));
    }
    int again = (int) outgoing.stream().filter(one -> one.decision() instanceof Later).count();
    Progress progress = shard.progress;
    Laps laps = progress.laps().judged(judgedTo, judged - again);
    OffsetAndMetadata checkpoint =
        progress.next(shard.backlog.next(), progress.frontier(), progress.isPaused(), laps);
    Map<TopicPartition, OffsetAndMetadata> checkpoints = Map.of(shard.partition, checkpoint);
    Packing packing = trial == null ? Packing.PLAIN : trial.packing();
    Outcome outcome = deliver(outgoing, packing, checkpoints, group);
    List<Named> placed = List.of();
    if (outcome instanceof Outcome.Done done) {
      written(shard, done);
      placed = placed(outgoing, done);
      if (!outgoing.isEmpty() && !delivery.isTransactional()) {
        outcome = delivery.commit(checkpoints, group);
      }
    }
    if (!(outcome instanceof Outcome.Done)) {
      failed(shard, outcome, outgoing, judgedTo);
      return;
    }
    progress.committed(checkpoint.offset(), progress.frontier(), progress.isPaused());
    progress.laps(laps);
    shard.lapClock.tryNext(judgedTo);
    place(shard, placed);
    shard.lapClock.judged(laps.copies());
    report(shard, outgoing, judged - alive.size());
    if (again > 0) {
      shard.lapClock.lookAgainAtLatest(now);
    }
  }

  private Outcome deliver(
      List<Outgoing> outgoing,
      Packing packing,
      Map<TopicPartition, OffsetAndMetadata> checkpoints,
      ConsumerGroupMetadata group) {
    return outgoing.isEmpty()
        ? delivery.commit(checkpoints, group)
        : delivery.deliver(
            outgoing.stream().map(Outgoing::record).toList(), packing, checkpoints, group);
  }

  private void report(Shard shard, List<Outgoing> outgoing, int dropped) {
    int home = 0;
    int again = 0;
    for (Outgoing one : outgoing) {
      dispatch.succeeded(one);
      home += one.decision() instanceof Decision.Home ? 1 : 0;
      again += one.decision() instanceof Later ? 1 : 0;
      if (one.decision() instanceof Decision.Dead dead) {
        String target = one.message().isMalformed() ? null : one.message().target();
        listener.deadLettered(shard.id, target, dead.reason());
      }
    }
    listener.judged(shard.id, home, again, dropped);
  }

  private void place(Shard shard, List<Named> placed) {
    if (!placed.isEmpty()) {
      shard.settling(store.place(shard.key, shard.progress.number(), placed));
    }
  }

  /** Until a copy has been read, its id must not be swept. */
  private static void written(Shard shard, Outcome.Done done) {
    for (RecordMetadata metadata : done.written()) {
      if (metadata.topic().equals(shard.id.topic())) {
        shard.sweep.awaitCopy(metadata.offset());
      }
    }
  }

  /** Returns where the messages with an id are now, except those on their way home. */
  private static List<Named> placed(List<Outgoing> outgoing, Outcome.Done done) {
    List<Named> placed = new ArrayList<>();
    for (int i = 0; i < outgoing.size(); i++) {
      Outgoing one = outgoing.get(i);
      String id = one.message().id();
      if (id != null && !(one.decision() instanceof Decision.Home)) {
        boolean later = one.decision() instanceof Later;
        long at = later ? done.written().get(i).offset() : Named.NOWHERE;
        placed.add(new Named(id, one.message().origin(), at));
      }
    }
    return placed;
  }

  private void failed(Shard shard, Outcome outcome, List<Outgoing> outgoing, long judgedTo) {
    shard.lapClock.tryAgain(clocks.now());
    if (outcome instanceof Outcome.Unknown) {
      assignment.close(shard, "the outcome of a commit is unknown");
    } else if (outcome instanceof Outcome.Refused refused) {
      refused(shard, refused, outgoing, judgedTo);
    } else {
      LOG.warn(
          "Shard {}: its far messages were not copied, this is tried again: {}", shard.id, outcome);
    }
  }

  /**
   * Lets the copies up to here go out one by one from now on. A copy that is refused alone, with
   * the evidence that {@link Refusal} wants, is decided otherwise. Without a transaction, this also
   * keeps those that Kafka takes from going out again and again.
   */
  private void refused(
      Shard shard, Outcome.Refused refused, List<Outgoing> outgoing, long judgedTo) {
    LapTrial before = shard.lapClock.trial();
    LapTrial trial = before == null ? new LapTrial(judgedTo) : before;
    for (Map.Entry<Integer, Exception> fault : refused.accused().entrySet()) {
      Outgoing one = outgoing.get(fault.getKey());
      Exception cause = fault.getValue();
      String topic = one.record().topic();
      LOG.warn(
          "Kafka refused the copy for topic {} of far message {}: {}",
          topic,
          shard.id.source(one.message().origin()),
          cause.toString());
      boolean evidence =
          (outgoing.size() == 1 && trial.isSmall(cause)) || Refusal.isEvidence(topic, cause);
      Refusal refusal =
          evidence ? dispatch.refused(one, topic, cause, refused.othersWentThrough()) : null;
      trial = outgoing.size() == 1 ? trial.after(cause, refusal) : trial;
      if (!(cause instanceof TimeoutException)) {
        shard.lapClock.lookAgain(clocks.now());
      }
    }
    shard.lapClock.tried(trial);
  }
}
