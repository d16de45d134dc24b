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
import io.delaybridge.shard.TakeStep.Take;
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
 * The fourth step of a turn: what was taken goes out, together with the checkpoint of every shard
 * it is from. What follows from that is the business of {@link Aftermath}.
 */
final class DeliverStep {

  private static final Logger LOG = LoggerFactory.getLogger(DeliverStep.class);

  private final Delivery delivery;
  private final Dispatch dispatch;
  private final Aftermath aftermath;
  private final LoopListener listener;
  private final LoopSettings settings;
  private final Clocks clocks;

  DeliverStep(
      Delivery delivery,
      Dispatch dispatch,
      Aftermath aftermath,
      LoopListener listener,
      LoopSettings settings,
      Clocks clocks) {
    this.delivery = delivery;
    this.dispatch = dispatch;
    this.aftermath = aftermath;
    this.listener = listener;
    this.settings = settings;
    this.clocks = clocks;
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
    List<Outgoing> outgoing = parts.stream().flatMap(part -> part.outgoing().stream()).toList();
    if (outgoing.isEmpty()) {
      return checkpoints.isEmpty()
          || aftermath.committed(delivery.commit(checkpoints, group), committing);
    }
    Outcome outcome =
        delivery.deliver(outgoing.stream().map(Outgoing::record).toList(), checkpoints, group);
    if (!(outcome instanceof Outcome.Done done)) {
      return aftermath.failed(outcome, outgoing, parts);
    }
    if (delivery.isTransactional()) {
      aftermath.committed(outcome, committing);
    }
    aftermath.delivered(parts, done);
    return delivery.isTransactional()
        || checkpoints.isEmpty()
        || aftermath.committed(delivery.commit(checkpoints, group), committing);
  }

  /** Before shards leave: what was sent without a transaction since the last checkpoint. */
  void commitAll(List<Shard> shards, ConsumerGroupMetadata group) {
    Map<TopicPartition, OffsetAndMetadata> checkpoints = new HashMap<>();
    for (Shard shard : shards) {
      if (!shard.frontier.equals(shard.committed)) {
        checkpoints.put(
            shard.partition,
            shard.offset(
                shard.frontier.highest(),
                shard.checkpoint(shard.frontier, shard.committedSeq + 1)));
      }
    }
    if (!checkpoints.isEmpty()
        && delivery.commit(checkpoints, group) instanceof Outcome.NotOut failed) {
      LOG.warn("The last checkpoint was not committed, messages may be repeated", failed.cause());
    }
  }

  /** What was covered is in the store although it is settled: an earlier settle was lost. */
  private void settleCovered(Take take) {
    if (take.covered().isEmpty()) {
      return;
    }
    Shard shard = take.shard();
    shard.danglingIds = true;
    listener.skipped(shard.id, take.covered().size());
    aftermath.settle(
        shard, take.covered().stream().map(message -> new Settled(message, true)).toList());
    List<DelayedMessage> rest = take.uncovered();
    shard.first = rest.isEmpty() ? take.taken().first() : rest.get(0).key();
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
            take, outgoing, Part.after(take, outgoing, message.key()), message.key(), hold.why());
      }
      outgoing.add(dispatch.outgoing(shard.id, message, decision, now));
    }
    Due first = take.taken().first();
    return new Part(take, outgoing, Part.after(take, outgoing, first), first, null);
  }

  /** A shard whose next message can not go anywhere waits; the others do not. */
  private void hold(Part part) {
    Shard shard = part.shard();
    if (part.hold() == null) {
      shard.released();
    } else {
      LOG.error("Shard {} waits: message {}: {}", shard.id, part.first().offset(), part.hold());
      shard.hold(part.hold(), clocks.nanoTime());
    }
  }

  /**
   * With transactions, every shard that delivers commits its checkpoint at once. Besides, a
   * checkpoint follows the intake every few seconds, its pairs unchanged.
   */
  private boolean commits(Part part) {
    Shard shard = part.shard();
    if (delivery.isTransactional() && !part.outgoing().isEmpty()) {
      return true;
    }
    boolean due = clocks.nanoTime() - shard.lastCommit >= settings.checkpointEvery().toNanos();
    boolean changed =
        shard.committedOffset != part.take().taken().next()
            || !part.after().equals(shard.committed);
    return changed && (due || shard.committedOffset < 0);
  }
}
