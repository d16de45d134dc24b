package io.delaybridge.shard;

import io.delaybridge.delivery.Decision;
import io.delaybridge.delivery.Delivery;
import io.delaybridge.delivery.Dispatch;
import io.delaybridge.delivery.Outcome;
import io.delaybridge.delivery.Outgoing;
import io.delaybridge.delivery.Packing;
import io.delaybridge.delivery.Refusal;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.StoredAsk.Verb;
import io.delaybridge.shard.Frontier.Pair;
import io.delaybridge.shard.Part.Answer;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.ShardStore.Named;
import io.delaybridge.store.ShardStore.Settled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The fifth step of a turn: does what follows from how a delivery ended. Frontiers move on, the
 * store settles, refusals are remembered.
 */
final class Aftermath {

  private static final Logger LOG = LoggerFactory.getLogger(Aftermath.class);

  private final Delivery delivery;
  private final Dispatch dispatch;
  private final ShardStore store;
  private final Assignment assignment;
  private final LoopListener listener;
  private final Clocks clocks;

  Aftermath(
      Delivery delivery,
      Dispatch dispatch,
      ShardStore store,
      Assignment assignment,
      LoopListener listener,
      Clocks clocks) {
    this.delivery = delivery;
    this.dispatch = dispatch;
    this.store = store;
    this.assignment = assignment;
    this.listener = listener;
    this.clocks = clocks;
  }

  /** If Kafka did not take a checkpoint, a later one makes up for it. */
  boolean committed(Outcome outcome, List<Part> parts) {
    if (outcome instanceof Outcome.Done) {
      for (Part part : parts) {
        part.shard().progress.committed(part.take().taken().next(), part.after(), part.paused());
        answerOfShard(part);
      }
      return true;
    }
    if (outcome instanceof Outcome.NotOut notOut) {
      LOG.atLevel(notOut.isRebalance() ? Level.DEBUG : Level.WARN)
          .log("A checkpoint was not committed, the next one includes it: {}", why(notOut.cause()));
      return false;
    }
    return failed(outcome, Packing.PLAIN, List.of(), parts);
  }

  /** Includes the cause: if a client cannot be made, only the cause says why. */
  private static String why(Exception failure) {
    Throwable cause = failure.getCause();
    return cause == null ? failure.toString() : failure + ", caused by " + cause;
  }

  void delivered(List<Part> parts, Outcome.Done done) {
    int at = 0;
    for (Part part : parts) {
      List<Settled> settled = new ArrayList<>();
      for (Outgoing one : part.outgoing()) {
        at += one.records().size();
        // If there are two, the offset of the second, which goes to the intake.
        long writtenAt =
            one.records().isEmpty() ? Named.SOMEWHERE : done.written().get(at - 1).offset();
        report(part.shard(), one, writtenAt);
        settled.add(settled(one, writtenAt));
      }
      if (!part.isEmpty()) {
        finish(part, settled);
      }
    }
  }

  private void report(Shard shard, Outgoing one, long writtenAt) {
    dispatch.succeeded(one);
    shard.evidence.out(one.message().offset());
    shard.tooMany.remove(one.message().offset());
    if (one.decision() instanceof Decision.Deliver deliver) {
      long lateness = clocks.now() - one.message().deliverableSince();
      listener.delivered(shard.id, deliver.target(), lateness);
    } else if (one.decision() instanceof Decision.Dead dead) {
      String target = one.message().isMalformed() ? null : one.message().target();
      listener.deadLettered(shard.id, target, dead.reason());
    } else if (one.decision() instanceof Decision.Retry retry) {
      listener.retried(shard.id, retry.reason());
    } else if (one.decision() instanceof Decision.Later) {
      shard.wentLater(clocks.now());
    }
    if (one.keepsId()) {
      // Until the copy has been read, its id names nothing and must not be swept.
      shard.sweep.awaitCopy(writtenAt);
    }
  }

  private void finish(Part part, List<Settled> settled) {
    Shard shard = part.shard();
    shard.progress.out(part.after(), part.paused());
    part.answers().forEach(answer -> settled.add(settled(shard, answer)));
    shard.backlog.out(settled);
    Pair pair = part.pair();
    shard.settling(
        store.settleBelow(
            shard.key, shard.progress.number(), pair.below(), pair.before(), settled));
    part.outgoing().stream()
        .filter(one -> one.message().ask() != null)
        .forEach(one -> answer(shard, one.message(), verdict(one)));
    part.answers().stream()
        .filter(answer -> !answer.isOfShard())
        .forEach(answer -> answer(shard, answer.message(), answer.verdict()));
    shard.backlog.settled(settled.size(), part.first());
  }

  /**
   * Answers the asks about the shard. The checkpoint has their effect, so whoever wanted the shard
   * paused or resumed may know.
   */
  private void answerOfShard(Part part) {
    part.answersOfShard()
        .forEach(answer -> answer(part.shard(), answer.message(), answer.verdict()));
  }

  /**
   * @param writtenAt offset of the record that went out, or {@link Named#SOMEWHERE}
   */
  private static Settled settled(Outgoing one, long writtenAt) {
    boolean later = one.decision() instanceof Decision.Later;
    return new Settled(one.message(), later || one.keepsId(), later ? writtenAt : Named.SOMEWHERE);
  }

  /** If an ask came too late, the id of its message may be waiting for a retry copy. */
  private static Settled settled(Shard shard, Answer answer) {
    boolean tooLate = answer.verdict() == Verdict.TOO_LATE;
    if (tooLate) {
      shard.sweep.idsAreLeft();
    }
    return new Settled(answer.message(), tooLate);
  }

  private static Verdict verdict(Outgoing one) {
    return one.decision() instanceof Decision.Move ? Verdict.MOVED : Verdict.REJECTED;
  }

  private void answer(Shard shard, DelayedMessage ask, Verdict verdict) {
    Verb verb = Objects.requireNonNull(ask.ask()).verb();
    LOG.debug("Shard {}: {} {} of offset {}", shard.id, verb, verdict, ask.recordOffset());
    listener.answered(shard.id, verdict);
    if (verb == Verb.REJECT) {
      // Nobody waits for it.
      return;
    }
    shard.settling(store.answer(shard.key, ask.offset(), verdict));
  }

  void settle(Shard shard, List<Settled> messages) {
    shard.settling(store.settle(shard.key, shard.progress.number(), messages));
  }

  boolean failed(Outcome outcome, Packing packing, List<Sent> sent, List<Part> parts) {
    // Without a transaction, some messages may have gone to the later topic all the same.
    parts.forEach(part -> part.shard().lapClock.lookAtOnce());
    if (outcome instanceof Outcome.Refused refused) {
      return refused(refused, packing, sent, parts);
    }
    if (outcome instanceof Outcome.Unknown unknown) {
      LOG.warn(
          "The outcome of a commit is unknown; its shards read their checkpoints again: {}",
          why(unknown.cause()));
      parts.forEach(part -> assignment.close(part.shard(), "the outcome of a commit is unknown"));
    } else if (outcome instanceof Outcome.NotOut notOut) {
      LOG.atLevel(notOut.isRebalance() ? Level.DEBUG : Level.WARN)
          .log("A turn delivered nothing, its messages are tried again: {}", why(notOut.cause()));
    }
    return false;
  }

  /**
   * Remembers the refused messages, about which a later turn decides otherwise, and the suspected
   * ones, which go out once more, alone, before that.
   */
  private boolean refused(
      Outcome.Refused refused, Packing packing, List<Sent> sent, List<Part> parts) {
    if (refused.accused().values().stream().anyMatch(TimeoutException.class::isInstance)) {
      refused.unwritten().forEach(index -> dispatch.notSent(sent.get(index).record().topic()));
    }
    boolean alone = !sent.isEmpty() && Sent.isAlone(sent);
    boolean diverted = false;
    for (Map.Entry<Integer, Exception> fault : refused.accused().entrySet()) {
      Outgoing one = sent.get(fault.getKey()).of();
      String topic = sent.get(fault.getKey()).record().topic();
      Packing next = Refusal.isTooLarge(fault.getValue()) ? Packing.COMPRESSED : Packing.PLAIN;
      boolean asSmallAsCanBe = packing == Packing.COMPRESSED || next == Packing.PLAIN;
      if (!(alone && asSmallAsCanBe) && !Refusal.isEvidence(topic, fault.getValue())) {
        shard(parts, one).evidence.suspect(one.message().offset(), next);
        LOG.info(
            "Kafka may have refused the record for topic {} of message {}; it is sent again alone,"
                + " packing {}: {}",
            topic,
            one.shard().source(one.message().origin()),
            next,
            fault.getValue().toString());
        diverted = true;
        continue;
      }
      Refusal refusal = dispatch.refused(one, topic, fault.getValue(), refused.othersWentThrough());
      LOG.warn(
          "Kafka refused the record for topic {} of message {}: {}",
          topic,
          one.shard().source(one.message().origin()),
          fault.getValue().toString());
      if (refusal != null) {
        shard(parts, one).evidence.refuse(one.message().offset(), refusal);
        diverted = true;
      }
    }
    if (!delivery.isTransactional()) {
      settleTheOthers(refused, parts);
    }
    return diverted;
  }

  /**
   * Settles the others: without a transaction they are out, and must not be sent again with the
   * refused ones.
   */
  private void settleTheOthers(Outcome.Refused refused, List<Part> parts) {
    int at = 0;
    for (Part part : parts) {
      Shard shard = part.shard();
      List<Settled> settled = new ArrayList<>();
      for (Outgoing one : part.outgoing()) {
        int begin = at;
        at += one.records().size();
        if (begin < at && IntStream.range(begin, at).noneMatch(refused.unwritten()::contains)) {
          // The offset of a copy is not known here: no sweep until the shard is acquired anew.
          report(shard, one, Long.MAX_VALUE - 1);
          settled.add(settled(one, Named.SOMEWHERE));
          if (one.message().ask() != null) {
            answer(shard, one.message(), verdict(one));
          }
        }
      }
      if (!settled.isEmpty()) {
        shard.backlog.out(settled);
        settle(shard, settled);
      }
    }
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
