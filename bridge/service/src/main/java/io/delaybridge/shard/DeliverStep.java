package io.delaybridge.shard;

import io.delaybridge.delivery.Decision;
import io.delaybridge.delivery.Delivery;
import io.delaybridge.delivery.Dispatch;
import io.delaybridge.delivery.KafkaNotReadyException;
import io.delaybridge.delivery.Outcome;
import io.delaybridge.delivery.Outgoing;
import io.delaybridge.delivery.Packing;
import io.delaybridge.delivery.Refusal;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.StoredAsk;
import io.delaybridge.shard.Part.Answer;
import io.delaybridge.shard.TakeStep.Take;
import io.delaybridge.store.ShardStore.Settled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fourth step of a turn: sends the taken messages, together with the checkpoint of every shard
 * they are from. {@link Aftermath} does what follows from the outcome.
 */
final class DeliverStep {

  private static final Logger LOG = LoggerFactory.getLogger(DeliverStep.class);

  private final Delivery delivery;
  private final Dispatch dispatch;
  private final Aftermath aftermath;
  private final LoopListener listener;
  private final Clocks clocks;
  private final Allowance allowance;

  /** The shard that comes first next time, since there was nothing left for it. */
  private @Nullable ShardId begin;

  /** Whether the last turn was a trial. If so, now it is the turn of the others. */
  private boolean tried;

  DeliverStep(
      Delivery delivery,
      Dispatch dispatch,
      Aftermath aftermath,
      LoopListener listener,
      Allowance allowance,
      Clocks clocks) {
    this.delivery = delivery;
    this.dispatch = dispatch;
    this.aftermath = aftermath;
    this.listener = listener;
    this.allowance = allowance;
    this.clocks = clocks;
  }

  /**
   * Delivers what was taken.
   *
   * @param group as it was before the take
   * @return false if Kafka did not accept it and the same should be tried a little later
   */
  boolean run(List<Take> takes, ConsumerGroupMetadata group) {
    takes.forEach(this::settleCovered);
    try {
      dispatch.prepare(
          takes.stream().collect(Collectors.toMap(take -> take.shard().id, Take::uncovered)));
    } catch (KafkaNotReadyException e) {
      LOG.warn("Nothing is delivered until Kafka has described the targets: {}", e.getMessage());
      return false;
    }
    List<Part> trial = tried ? List.of() : trial(takes);
    tried = !trial.isEmpty();
    List<Part> parts = tried ? trial : parts(takes);
    parts.forEach(this::hold);
    List<Part> committing = parts.stream().filter(this::commits).toList();
    Map<TopicPartition, OffsetAndMetadata> checkpoints = new HashMap<>();
    committing.forEach(part -> checkpoints.put(part.shard().partition, part.checkpoint()));
    List<Sent> sent = parts.stream().flatMap(Sent::of).toList();
    if (sent.isEmpty()) {
      boolean committed =
          checkpoints.isEmpty()
              || aftermath.committed(delivery.commit(checkpoints, group), committing);
      if (committed) {
        aftermath.delivered(parts, new Outcome.Done(List.of()));
      }
      return committed;
    }
    long begun = clocks.nanoTime();
    Packing packing = tried ? packing(sent.get(0).of(), parts.get(0).shard()) : Packing.PLAIN;
    Outcome outcome =
        delivery.isTransactional()
            ? delivery.deliver(
                sent.stream().map(Sent::record).toList(), packing, checkpoints, group)
            : TwoFlushes.run(delivery, sent, packing, group);
    if (packing == Packing.PLAIN) {
      allowance.learn(
          parts.stream().mapToLong(Part::bytes).sum(),
          outcome instanceof Outcome.Done,
          Duration.ofNanos(clocks.nanoTime() - begun));
    }
    if (!(outcome instanceof Outcome.Done done)) {
      return aftermath.failed(outcome, packing, sent, parts);
    }
    if (delivery.isTransactional()) {
      aftermath.committed(outcome, committing);
    }
    aftermath.delivered(parts, done);
    if (delivery.isTransactional() || checkpoints.isEmpty()) {
      return true;
    }
    Outcome apart = delivery.commit(checkpoints, group);
    return aftermath.committed(apart, committing)
        || (apart instanceof Outcome.NotOut notOut && notOut.isRebalance());
  }

  /**
   * Commits a checkpoint before shards leave, for messages sent without a transaction since the
   * last one.
   *
   * @return the failure if the commit is not certain to have happened; null if it happened or there
   *     was nothing to commit
   */
  @Nullable Exception commitAll(List<Shard> shards, ConsumerGroupMetadata group) {
    List<Shard> changed = shards.stream().filter(shard -> shard.progress.isAhead()).toList();
    if (changed.isEmpty()) {
      return null;
    }
    Map<TopicPartition, OffsetAndMetadata> checkpoints = new HashMap<>();
    for (Shard shard : changed) {
      checkpoints.put(shard.partition, shard.progress.last());
    }
    Outcome outcome = delivery.commit(checkpoints, group);
    if (outcome instanceof Outcome.NotOut failed) {
      return failed.cause();
    }
    if (outcome instanceof Outcome.Unknown unknown) {
      return unknown.cause();
    }
    for (Shard shard : changed) {
      shard.progress.lastCommitted();
    }
    return null;
  }

  /**
   * Settles covered messages again. They are still in the store because an earlier settle was lost.
   */
  private void settleCovered(Take take) {
    if (take.covered().isEmpty()) {
      return;
    }
    Shard shard = take.shard();
    shard.sweep.idsAreLeft();
    listener.skipped(shard.id, take.covered().size());
    aftermath.settle(
        shard, take.covered().stream().map(message -> new Settled(message, true)).toList());
    List<DelayedMessage> rest = take.uncovered();
    shard.backlog.beginsWith(rest.isEmpty() ? take.taken().first() : rest.get(0).key());
  }

  /**
   * Finds a message for a trial. A message that is suspected of having failed others goes out with
   * nothing beside it, as soon as it is the first of its shard: if Kafka refuses it then, nothing
   * else can be the reason. Trials alternate with turns of all others, so that many suspects do not
   * hold them up.
   *
   * @return one part with one record, or none
   */
  private List<Part> trial(List<Take> takes) {
    return takes.stream()
        .filter(take -> !take.uncovered().isEmpty())
        .filter(take -> take.shard().evidence.isSuspect(take.uncovered().get(0).offset()))
        .map(take -> part(take, 1, true))
        .filter(part -> part.outgoing().size() == 1)
        .limit(1)
        .toList();
  }

  private static Packing packing(Outgoing suspect, Shard shard) {
    return shard.evidence.packing(suspect.message().offset());
  }

  /** Divides what may be sent at once: it has a bound, of which each shard has its share. */
  private List<Part> parts(List<Take> takes) {
    List<Take> inTurn = new ArrayList<>(takes);
    Collections.rotate(inTurn, -indexOf(begin, takes));
    List<Part> parts = new ArrayList<>(takes.size());
    long room = allowance.bytes();
    long level = level(room, takes);
    begin = null;
    for (Take take : inTurn) {
      if (room == 0 && begin == null) {
        // Messages that are larger than a share have left no room.
        begin = take.shard().id;
      }
      Part part = part(take, Math.min(level, room), false);
      room = Math.max(0, room - part.bytes());
      parts.add(part);
    }
    return parts;
  }

  private static int indexOf(@Nullable ShardId shard, List<Take> takes) {
    for (int i = 0; i < takes.size(); i++) {
      if (takes.get(i).shard().id.equals(shard)) {
        return i;
      }
    }
    return 0;
  }

  /** The share left for each of the other shards once those that need less have what they need. */
  private static long level(long room, List<Take> takes) {
    long[] needs = takes.stream().mapToLong(Take::bytes).sorted().toArray();
    long left = room;
    for (int i = 0; i < needs.length; i++) {
      long share = left / (needs.length - i);
      if (needs[i] > share) {
        return share;
      }
      left -= needs[i];
    }
    return room;
  }

  /**
   * @param share bytes after which the shard sends no more
   * @param trial whether a suspect may be sent; if not, it stays for its trial
   */
  private Part part(Take take, long share, boolean trial) {
    Shard shard = take.shard();
    List<Outgoing> outgoing = new ArrayList<>();
    long bytes = 0;
    List<Answer> answers = new ArrayList<>();
    boolean paused = shard.progress.isPaused();
    Due first = take.taken().first();
    String hold = null;
    // Not before the take, in case the clock was set back since: what was due then is due. Nor
    // later, if it was set ahead: occurrences would count as missed.
    long clock = clocks.now();
    long now = clocks.isAhead() ? take.now() : Math.max(clock, take.now());
    for (DelayedMessage message : take.uncovered()) {
      Decision decision = decide(shard, message, now);
      if (decision instanceof Decision.Hold held) {
        hold = held.why();
      }
      int size = message.bytes();
      boolean sends = !(decision instanceof Decision.Answer);
      boolean waits = bytes >= share || (!trial && needsTrial(shard, message, decision, size));
      if (hold != null || (paused && message.ask() == null) || (sends && waits)) {
        first = message.key();
        break;
      }
      if (decision instanceof Decision.Answer answer) {
        answers.add(new Answer(message, answer.verdict()));
        paused = Asks.pausedAfter(answer.verdict(), paused);
      } else {
        Outgoing one = dispatch.outgoing(shard.id, message, decision, now);
        outgoing.add(one);
        // A message without records counts too: it is one of the few that a turn takes.
        bytes += (long) size * Math.max(1, one.records().size());
      }
    }
    boolean settles = !outgoing.isEmpty() || !answers.isEmpty();
    return new Part(
        take, outgoing, bytes, answers, paused, Part.after(take, settles, first), first, hold);
  }

  /**
   * Whether a message needs a trial. One that its topic does not take as it is becomes a suspect
   * before it is refused.
   */
  private boolean needsTrial(Shard shard, DelayedMessage message, Decision decision, int size) {
    if (dispatch.isTooLarge(decision, size)) {
      shard.evidence.suspectTooLarge(message.offset());
    }
    return shard.evidence.isSuspect(message.offset());
  }

  private Decision decide(Shard shard, DelayedMessage message, long now) {
    Refusal refusal = shard.evidence.refusal(message.offset());
    StoredAsk ask = message.ask();
    Decision decision;
    if (ask != null && refusal == null) {
      decision = dispatch.orHold(shard.id, Asks.decide(message, ask, shard.progress.frontier()));
    } else if (shard.tooMany.containsKey(message.offset()) && refusal == null) {
      decision = dispatch.orHold(shard.id, Asks.REJECTED);
    } else {
      decision = dispatch.decide(shard.id, message, refusal, now);
    }
    return decision instanceof Decision.Deliver && message.repeats()
        ? alone(shard, message, decision)
        : decision;
  }

  /**
   * An occurrence that its target may refuse goes there with nothing beside it, not with its
   * successor.
   */
  private Decision alone(Shard shard, DelayedMessage message, Decision decision) {
    return shard.evidence.isSuspect(message.offset())
            || dispatch.isTooLarge(decision, message.bytes())
        ? new Decision.Apart()
        : decision;
  }

  /** Holds a shard whose next message cannot go anywhere; the other shards do not wait. */
  private void hold(Part part) {
    Shard shard = part.shard();
    long nanoTime = clocks.nanoTime();
    if (part.hold() != null) {
      LOG.error(
          "Shard {} delivers nothing until its message at offset {} can go out: {}",
          shard.id,
          part.first().offset(),
          part.hold());
      shard.hold(part.hold(), part.first(), nanoTime);
    } else if (!shard.phase.isHeld(nanoTime)) {
      shard.phase.released();
    }
  }

  /**
   * Whether a part commits its checkpoint in this turn. With transactions, every shard that
   * delivers commits at once. Without them, a shard that delivers messages that are not stored yet
   * does so too: if the rest of the batch were refused, the batch would be read and sent again and
   * again. Besides, a checkpoint follows the intake every few seconds, its pairs unchanged, and ids
   * wait for one before they are swept.
   */
  private boolean commits(Part part) {
    Shard shard = part.shard();
    if ((delivery.isTransactional() || shard.backlog.waiting() != null) && !part.isEmpty()) {
      return true;
    }
    Progress progress = shard.progress;
    boolean changed =
        progress.offset() != part.take().taken().next()
            || !part.after().equals(progress.committed())
            || progress.hasPassedOver();
    // An operator waits for it, and it must not be lost; the answer goes out with the commit.
    return progress.changesPause(part.paused())
        || part.answersOfShard().findAny().isPresent()
        || (shard.sweep.isWanted() && !progress.isConfirmed())
        || (changed && (part.take().all() || progress.offset() < 0));
  }
}
