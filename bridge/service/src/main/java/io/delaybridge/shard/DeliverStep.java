package io.delaybridge.shard;

import io.delaybridge.delivery.Decision;
import io.delaybridge.delivery.Delivery;
import io.delaybridge.delivery.Dispatch;
import io.delaybridge.delivery.KafkaNotReadyException;
import io.delaybridge.delivery.Outcome;
import io.delaybridge.delivery.Outgoing;
import io.delaybridge.delivery.Refusal;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.shard.Frontier.Pair;
import io.delaybridge.shard.TakeStep.Take;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.ShardStore.Settled;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fourth and fifth step of a turn: what was taken goes out, together with the checkpoint of
 * every shard it is from, and is then removed from the store.
 */
final class DeliverStep {

  private static final Logger LOG = LoggerFactory.getLogger(DeliverStep.class);

  private final Delivery delivery;
  private final Dispatch dispatch;
  private final ShardStore store;
  private final Assignment assignment;
  private final LoopListener listener;
  private final LoopSettings settings;
  private final Clocks clocks;

  DeliverStep(
      Delivery delivery,
      Dispatch dispatch,
      ShardStore store,
      Assignment assignment,
      LoopListener listener,
      LoopSettings settings,
      Clocks clocks) {
    this.delivery = delivery;
    this.dispatch = dispatch;
    this.store = store;
    this.assignment = assignment;
    this.listener = listener;
    this.settings = settings;
    this.clocks = clocks;
  }

  /**
   * What the turn means for one shard.
   *
   * @param outgoing what goes out of it, in key order
   * @param after its frontier once that is out
   * @param first key of the first message that stays
   * @param hold why that one stays although it is due, or null
   */
  private record Part(
      Take take, List<Outgoing> outgoing, Frontier after, Due first, @Nullable String hold) {

    Shard shard() {
      return take.shard();
    }

    long number() {
      return shard().seq + 1;
    }

    OffsetAndMetadata checkpoint() {
      return shard().offset(take.taken().next(), shard().checkpoint(after, number()));
    }
  }

  /**
   * Delivers what was taken.
   *
   * @param group as it was before the take
   * @return false if Kafka did not take it and the same should be tried a little later
   */
  boolean run(List<Take> takes, ConsumerGroupMetadata group) {
    takes.forEach(this::settleCovered);
    try {
      dispatch.prepare(takes.stream().flatMap(take -> take.uncovered().stream()).toList());
    } catch (KafkaNotReadyException e) {
      LOG.warn("Nothing is delivered for the time being: {}", e.getMessage());
      return false;
    }
    List<Part> parts = takes.stream().map(this::part).toList();
    parts.forEach(this::hold);
    List<Part> committing = parts.stream().filter(this::commits).toList();
    Map<TopicPartition, OffsetAndMetadata> checkpoints = new HashMap<>();
    committing.forEach(part -> checkpoints.put(part.shard().partition, part.checkpoint()));
    List<Outgoing> outgoing = parts.stream().flatMap(part -> part.outgoing.stream()).toList();
    if (outgoing.isEmpty()) {
      return checkpoints.isEmpty() || committed(delivery.commit(checkpoints, group), committing);
    }
    Outcome outcome =
        delivery.deliver(outgoing.stream().map(Outgoing::record).toList(), checkpoints, group);
    if (!(outcome instanceof Outcome.Done done)) {
      return failed(outcome, outgoing, parts);
    }
    if (delivery.isTransactional()) {
      committed(outcome, committing);
    }
    delivered(parts, done);
    return delivery.isTransactional()
        || checkpoints.isEmpty()
        || committed(delivery.commit(checkpoints, group), committing);
  }

  /** Before shards leave: what was sent without a transaction since the last checkpoint. */
  void commitAll(List<Shard> shards, ConsumerGroupMetadata group) {
    Map<TopicPartition, OffsetAndMetadata> checkpoints = new HashMap<>();
    for (Shard shard : shards) {
      if (!shard.frontier.equals(shard.committed)) {
        checkpoints.put(
            shard.partition,
            shard.offset(
                shard.frontier.highest(), shard.checkpoint(shard.frontier, shard.seq + 1)));
      }
    }
    if (!checkpoints.isEmpty()
        && delivery.commit(checkpoints, group) instanceof Outcome.NotOut failed) {
      LOG.warn("The last checkpoint was not committed, messages may be repeated", failed.cause());
    }
  }

  /** What was covered is in the store although it is settled: an earlier settle was lost. */
  private void settleCovered(Take take) {
    Shard shard = take.shard();
    List<Settled> covered =
        take.taken().messages().stream()
            .filter(message -> shard.frontier.covers(message.key()))
            .map(message -> new Settled(message, true))
            .toList();
    if (!covered.isEmpty()) {
      shard.danglingIds = true;
      listener.skipped(shard.id, covered.size());
      settle(shard, covered);
      List<DelayedMessage> rest = take.uncovered();
      shard.first = rest.isEmpty() ? take.taken().first() : rest.get(0).key();
    }
  }

  private Part part(Take take) {
    Shard shard = take.shard();
    List<Outgoing> outgoing = new ArrayList<>();
    long now = clocks.now();
    for (DelayedMessage message : take.uncovered()) {
      Refusal refusal = shard.refusals.get(message.offset());
      Decision decision = dispatch.decide(shard.id, message, refusal, now);
      if (decision instanceof Decision.Hold hold) {
        return new Part(
            take, outgoing, after(take, outgoing, message.key()), message.key(), hold.why());
      }
      outgoing.add(dispatch.outgoing(shard.id, message, decision, now));
    }
    Due first = take.taken().first();
    return new Part(take, outgoing, after(take, outgoing, first), first, null);
  }

  /**
   * The pair says no more than is needed: nothing of what is due later than the take. So its key
   * rises with the clock, and one pair dominates the next; with the first key alone, messages that
   * come in ever earlier due order would each leave a pair behind. See ADR 8.
   *
   * <p>A shard whose checkpoint is lost trusts the store: there the first pair says that whatever
   * the store does not have is settled.
   */
  private static Frontier after(Take take, List<Outgoing> outgoing, Due first) {
    Frontier before = take.shard().frontier;
    long below = take.taken().next();
    if (take.shard().trustsStore) {
      return before.with(new Pair(below, first));
    }
    Due settled = Due.earlier(first, new Due(take.now() + 1, 0));
    return outgoing.isEmpty() ? before : before.with(new Pair(below, settled));
  }

  /** A shard whose next message can not go anywhere waits; the others do not. */
  private void hold(Part part) {
    Shard shard = part.shard();
    if (part.hold == null) {
      shard.released();
    } else {
      LOG.error("Shard {} waits: message {}: {}", shard.id, part.first.offset(), part.hold);
      shard.hold(part.hold, clocks.nanoTime());
    }
  }

  /**
   * With transactions, every shard that delivers commits its checkpoint at once. Besides, a
   * checkpoint follows the intake every few seconds, its pairs unchanged.
   */
  private boolean commits(Part part) {
    Shard shard = part.shard();
    if (delivery.isTransactional() && !part.outgoing.isEmpty()) {
      return true;
    }
    boolean due = clocks.nanoTime() - shard.lastCommit >= settings.checkpointEvery().toNanos();
    boolean changed =
        shard.committedOffset != part.take.taken().next() || !part.after.equals(shard.committed);
    return changed && (due || shard.committedOffset < 0);
  }

  private boolean committed(Outcome outcome, List<Part> parts) {
    if (outcome instanceof Outcome.Done) {
      long nanoTime = clocks.nanoTime();
      for (Part part : parts) {
        part.shard().frontier = part.after;
        part.shard().committed(part.take.taken().next(), part.after, part.number(), nanoTime);
      }
      return true;
    }
    return failed(outcome, List.of(), parts);
  }

  private void delivered(List<Part> parts, Outcome.Done done) {
    int at = 0;
    for (Part part : parts) {
      for (Outgoing one : part.outgoing) {
        report(part.shard(), one, done.written().get(at++).offset());
      }
      if (!part.outgoing.isEmpty()) {
        finish(part);
      }
    }
  }

  private void report(Shard shard, Outgoing one, long writtenAt) {
    dispatch.succeeded(one);
    shard.refusals.remove(one.message().offset());
    if (one.decision() instanceof Decision.Deliver deliver) {
      long lateness = clocks.now() - one.message().key().time();
      listener.delivered(shard.id, deliver.target(), lateness);
    } else if (one.decision() instanceof Decision.Dead dead) {
      listener.deadLettered(shard.id, dead.reason());
    } else if (one.decision() instanceof Decision.Retry retry) {
      listener.retried(shard.id, retry.reason());
      // Until the copy has been read, its id names nothing and must not be swept.
      shard.sweepAbove = Math.max(shard.sweepAbove, writtenAt + 1);
    }
  }

  private void finish(Part part) {
    Shard shard = part.shard();
    shard.frontier = part.after;
    settle(shard, part.outgoing.stream().map(DeliverStep::settled).toList());
    shard.first = part.first;
    shard.overdue = Math.max(0, shard.overdue - part.outgoing.size());
    shard.pending = Math.max(0, shard.pending - part.outgoing.size());
  }

  private static Settled settled(Outgoing one) {
    return new Settled(one.message(), one.decision() instanceof Decision.Retry);
  }

  private void settle(Shard shard, List<Settled> messages) {
    shard.settling =
        CompletableFuture.allOf(
            shard.settling, store.settle(shard.key, shard.committedSeq, messages));
  }

  private boolean failed(Outcome outcome, List<Outgoing> outgoing, List<Part> parts) {
    if (outcome instanceof Outcome.Refused refused) {
      return refused(refused, outgoing, parts);
    }
    if (outcome instanceof Outcome.Unknown unknown) {
      LOG.warn(
          "The outcome of a commit is unknown, the checkpoint tells: {}",
          unknown.cause().toString());
      parts.forEach(part -> assignment.close(part.shard(), "the outcome of a commit is unknown"));
    } else if (outcome instanceof Outcome.NotOut notOut) {
      LOG.warn("Nothing went out, it is taken again: {}", notOut.cause().toString());
    }
    return false;
  }

  /** Remembers what was refused; the next turn decides otherwise on it. */
  private boolean refused(Outcome.Refused refused, List<Outgoing> outgoing, List<Part> parts) {
    boolean diverted = false;
    for (Map.Entry<Integer, Exception> fault : refused.accused().entrySet()) {
      Outgoing one = outgoing.get(fault.getKey());
      Refusal refusal = dispatch.refused(one, fault.getValue(), refused.othersWentThrough());
      LOG.warn(
          "Kafka refused what was made of {}: {}",
          one.shard().source(one.message().origin()),
          fault.getValue().toString());
      if (refusal != null) {
        shard(parts, one).refusals.put(one.message().offset(), refusal);
        diverted = true;
      }
    }
    if (!delivery.isTransactional()) {
      settleTheOthers(refused, outgoing, parts);
    }
    return diverted;
  }

  /**
   * Without a transaction the others are out: they must not be sent again with the refused ones.
   */
  private void settleTheOthers(Outcome.Refused refused, List<Outgoing> outgoing, List<Part> parts) {
    Map<Shard, List<Settled>> settled = new HashMap<>();
    for (int i = 0; i < outgoing.size(); i++) {
      if (!refused.unwritten().contains(i)) {
        Outgoing one = outgoing.get(i);
        Shard shard = shard(parts, one);
        // Where a retry copy went is not known here: no sweeping until the shard is acquired anew.
        report(shard, one, Long.MAX_VALUE - 1);
        settled.computeIfAbsent(shard, key -> new ArrayList<>()).add(settled(one));
      }
    }
    settled.forEach(this::settle);
  }

  private static Shard shard(List<Part> parts, Outgoing one) {
    for (Part part : parts) {
      if (part.shard().id.equals(one.shard())) {
        return part.shard();
      }
    }
    throw new IllegalStateException("shard " + one.shard() + " is not part of this turn");
  }
}
