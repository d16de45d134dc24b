package io.delaybridge.shard;

import io.delaybridge.delivery.Decision;
import io.delaybridge.delivery.Outgoing;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.StoredAsk;
import io.delaybridge.shard.Frontier.Pair;
import io.delaybridge.shard.TakeStep.Take;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;

/**
 * The part of a turn that concerns one shard.
 *
 * @param outgoing the messages that go out, in key order
 * @param bytes about how many bytes these have
 * @param answers asks for which nothing goes out
 * @param paused whether delivery of the shard is paused once that is done
 * @param after frontier of the shard once that is out
 * @param first key of the first message that stays
 * @param hold why that message can go nowhere for the time being, or null
 */
record Part(
    Take take,
    List<Outgoing> outgoing,
    long bytes,
    List<Answer> answers,
    boolean paused,
    Frontier after,
    Due first,
    @Nullable String hold) {

  /** An ask, as the message in whose place it is, and the answer to it. */
  record Answer(DelayedMessage message, Verdict verdict) {

    /** Whether the ask is about the shard, and not about one message. */
    boolean isOfShard() {
      StoredAsk ask = message.ask();
      return ask != null && !ask.verb().namesMessage();
    }
  }

  /** Whether this turn settles nothing of the shard. */
  boolean isEmpty() {
    return outgoing.isEmpty() && answers.isEmpty();
  }

  /** The answers to asks that are about the shard and not about one message. */
  Stream<Answer> answersOfShard() {
    return answers.stream().filter(Answer::isOfShard);
  }

  Shard shard() {
    return take.shard();
  }

  /** The pair that says what is settled once the messages are out. */
  Pair pair() {
    return pair(take, first);
  }

  OffsetAndMetadata checkpoint() {
    Progress progress = shard().progress;
    return progress.next(take.taken().next(), after, paused, progress.laps().plus(later()));
  }

  /** How many go to the later topic. */
  long later() {
    return outgoing.stream().filter(one -> one.decision() instanceof Decision.Later).count();
  }

  static Frontier after(Take take, boolean settles, Due first) {
    Progress progress = take.shard().progress;
    Frontier before = progress.frontier();
    return settles || progress.trustsStore() ? before.with(pair(take, first)) : before;
  }

  /**
   * The pair says no more than is needed: nothing about messages that are due later than the take.
   * So its key rises with the clock, and each pair dominates the one before. If it used the first
   * key alone, messages that come in ever earlier due order would each leave a pair behind. See ADR
   * 8.
   *
   * <p>A shard whose checkpoint is lost trusts the store: its first pair says that every message
   * the store does not have is settled.
   */
  private static Pair pair(Take take, Due first) {
    Due key =
        take.shard().progress.trustsStore()
            ? first
            : Due.earlier(first, new Due(take.now() + 1, 0));
    return new Pair(take.taken().next(), key);
  }
}
