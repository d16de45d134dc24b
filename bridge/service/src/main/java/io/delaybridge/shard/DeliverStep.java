package io.delaybridge.shard;

import io.delaybridge.delivery.Decision;
import io.delaybridge.delivery.Delivery;
import io.delaybridge.delivery.Dispatch;
import io.delaybridge.delivery.KafkaNotReadyException;
import io.delaybridge.delivery.Outcome;
import io.delaybridge.delivery.Outgoing;
import io.delaybridge.delivery.Refusal;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.shard.Frontier.Pair;
import io.delaybridge.shard.TakeStep.Take;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.ShardStore.Settled;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
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

  /** What the turn means for one shard: what goes out of it and its frontier afterwards. */
  private record Part(Take take, List<DelayedMessage> todo, Frontier after) {

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
    List<Part> parts = takes.stream().map(this::part).toList();
    parts.forEach(this::settleCovered);
    List<Outgoing> outgoing;
    try {
      outgoing = outgoing(parts);
    } catch (KafkaNotReadyException e) {
      LOG.warn("Nothing is delivered for the time being: {}", e.getMessage());
      return false;
    }
    List<Part> committing = parts.stream().filter(this::commits).toList();
    Map<TopicPartition, OffsetAndMetadata> checkpoints = new HashMap<>();
    committing.forEach(part -> checkpoints.put(part.shard().partition, part.checkpoint()));
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
    delivered(parts, outgoing, done);
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

  /** Drops what the frontier covers. */
  private Part part(Take take) {
    Shard shard = take.shard();
    List<DelayedMessage> todo =
        take.taken().messages().stream()
            .filter(message -> !shard.frontier.covers(message.key()))
            .toList();
    Frontier after =
        todo.isEmpty()
            ? shard.frontier
            : shard.frontier.with(new Pair(take.taken().next(), take.taken().first()));
    return new Part(take, todo, after);
  }

  /** What was covered is in the store although it is settled: an earlier settle was lost. */
  private void settleCovered(Part part) {
    Shard shard = part.shard();
    List<Settled> covered =
        part.take.taken().messages().stream()
            .filter(message -> shard.frontier.covers(message.key()))
            .map(message -> new Settled(message, true))
            .toList();
    if (!covered.isEmpty()) {
      shard.danglingIds = true;
      listener.skipped(shard.id, covered.size());
      settle(shard, covered);
      shard.first = part.todo.isEmpty() ? part.take.taken().first() : part.todo.get(0).key();
    }
  }

  private List<Outgoing> outgoing(List<Part> parts) throws KafkaNotReadyException {
    List<DelayedMessage> due = new ArrayList<>();
    parts.forEach(part -> due.addAll(part.todo));
    dispatch.prepare(due);
    long now = clocks.now();
    List<Outgoing> outgoing = new ArrayList<>(due.size());
    for (Part part : parts) {
      for (DelayedMessage message : part.todo) {
        Refusal refusal = part.shard().refusals.get(message.offset());
        outgoing.add(dispatch.outgoing(part.shard().id, message, refusal, now));
      }
    }
    return outgoing;
  }

  /**
   * With transactions, every shard that delivers commits its checkpoint at once. Besides, a
   * checkpoint follows the intake every few seconds, its pairs unchanged.
   */
  private boolean commits(Part part) {
    Shard shard = part.shard();
    if (delivery.isTransactional() && !part.todo.isEmpty()) {
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
        part.shard().committed(part.take.taken().next(), part.after, part.number(), nanoTime);
      }
      return true;
    }
    return failed(outcome, List.of(), parts);
  }

  private void delivered(List<Part> parts, List<Outgoing> outgoing, Outcome.Done done) {
    int from = 0;
    for (Part part : parts) {
      int to = from + part.todo.size();
      for (int i = from; i < to; i++) {
        report(part.shard(), outgoing.get(i), done.written().get(i).offset());
      }
      if (from < to) {
        finish(part, outgoing.subList(from, to));
      }
      from = to;
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

  private void finish(Part part, List<Outgoing> outgoing) {
    Shard shard = part.shard();
    shard.frontier = part.after;
    settle(shard, outgoing.stream().map(DeliverStep::settled).toList());
    shard.first = part.take.taken().first();
    int taken = part.take.taken().messages().size();
    shard.overdue = Math.max(0, shard.overdue - taken);
    shard.pending = Math.max(0, shard.pending - taken);
  }

  private static Settled settled(Outgoing one) {
    return new Settled(one.message(), one.decision() instanceof Decision.Retry);
  }

  private void settle(Shard shard, List<Settled> messages) {
    shard.settling =
        java.util.concurrent.CompletableFuture.allOf(
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
    for (Map.Entry<Integer, Exception> failure : refused.failures().entrySet()) {
      Outgoing one = outgoing.get(failure.getKey());
      Refusal refusal = dispatch.refused(one, failure.getValue(), refused.othersWentThrough());
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
      if (!refused.failures().containsKey(i)) {
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
