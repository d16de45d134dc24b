package io.delaybridge.shard;

import com.google.errorprone.annotations.FormatMethod;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.shard.Checkpoint.UnreadableException;
import io.delaybridge.shard.Fact.Kind;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.SimStore;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Checks Kafka and the store against the promises in docs/protocol.md. It does not know how bridges
 * work: it reads the log of the intake, the committed checkpoints, the store and the published
 * records.
 */
final class Judge implements SimKafka.Watcher {

  /** A promise was broken. */
  static final class Violation extends AssertionError {
    private static final long serialVersionUID = 1;

    Violation(String what) {
      super(what);
    }
  }

  private final SimKafka kafka;
  private final SimStore store;
  private final ToldWatermarks watermarks;
  private final Map<Integer, Ledger> ledgers = new TreeMap<>();
  private final Map<String, Frontier> frontiers = new HashMap<>();
  private final Map<String, Long> judgements = new HashMap<>();
  private final Map<TopicPartition, Frontier> looked = new HashMap<>();
  private final long horizon;
  private boolean strict;
  private long latest = Duration.ofDays(3650).toMillis();

  /**
   * @param strict whether delivery is exactly once and no checkpoint was lost so far; otherwise
   *     messages may be repeated, and a checkpoint may lag behind the truth
   * @param horizon milliseconds after which a message is far, 0 if none is
   */
  Judge(SimKafka kafka, SimStore store, ToldWatermarks watermarks, boolean strict, long horizon) {
    this.kafka = kafka;
    this.store = store;
    this.watermarks = watermarks;
    this.strict = strict;
    this.horizon = horizon;
  }

  /** Allows repetitions from now on, but neither loss nor early delivery. */
  void beLenient() {
    strict = false;
  }

  /** Allows what goes out from now on to be late by so many milliseconds. */
  void bePunctual(long tolerance) {
    latest = tolerance;
  }

  Ledger ledger(int partition) {
    return ledgers.computeIfAbsent(
        partition,
        key ->
            new Ledger(
                partition,
                kafka.log(new TopicPartition(SimKafka.INTAKE, partition)),
                horizon == 0 ? null : kafka.log(new TopicPartition(SimLater.TOPIC, partition)),
                horizon,
                () -> judged(new TopicPartition(SimKafka.INTAKE, partition))));
  }

  // At every step.

  /** Checks S, C, R and N in the current state. */
  void look() {
    for (TopicPartition partition : kafka.intake()) {
      Ledger ledger = ledger(partition.partition());
      ShardId id = new ShardId(partition.topic(), partition.partition());
      Frontier frontier = frontier(partition);
      Collection<DelayedMessage> pending = store.contents(id);
      Set<Due> stored = new HashSet<>();
      pending.forEach(each -> stored.add(each.key()));
      long next = store.fedTo(id);
      long judged = judged(partition);
      ledger.read(read(partition));
      Frontier last = looked.put(partition, frontier);
      if (last != null && !includes(frontier, last)) {
        ledger.doubt();
      }
      // Where a checkpoint may lag behind the truth, only what it covers is checked.
      ledger
          .unsettled(strict ? ledger.end() : frontier.highest())
          .removeIf(
              fact ->
                  fact.kind() == Kind.CANCEL
                      || settledOrThere(ledger, fact, frontier, stored, next));
      if (strict) {
        ledger.far().forEach(far -> oneCopy(ledger, far, frontier, judged));
      }
      named(ledger, pending, frontier, store.named(id), next);
      watermarks.look(partition);
    }
  }

  private static boolean includes(Frontier frontier, Frontier last) {
    return last.pairs().stream()
        .allMatch(old -> frontier.pairs().stream().anyMatch(pair -> pair.dominates(old)));
  }

  /** Checks L: a far message that has left has one copy, here or there, or it was refused. */
  private static void oneCopy(Ledger ledger, Fact fact, Frontier frontier, long judged) {
    if (ledger.leftAgain(fact)) {
      return;
    }
    long copies = ledger.waitingLater(fact, judged) + ledger.home(fact);
    boolean left = frontier.covers(fact.key(), fact.offset());
    require(
        copies <= 1
            && (copies == 1
                || !left
                || ledger.out.contains(fact.unit())
                || ledger.isSuperseded(fact, ledger.end())),
        "L: of %s there are %d copies",
        fact,
        copies);
  }

  /** Returns the offset up to which the intake was read according to its checkpoint. */
  private long read(TopicPartition partition) {
    OffsetAndMetadata committed = kafka.group().committed(partition);
    return committed == null ? 0 : committed.offset();
  }

  /** The offset of the first record that retention must keep, see ADR 32. */
  long neededFrom(TopicPartition partition, Ledger.Kept kept) {
    long next = store.fedTo(new ShardId(partition.topic(), partition.partition()));
    long read = read(partition);
    // A store that is fed needs all records that it was not fed with. An empty store needs all
    // records that were not read.
    return ledger(partition.partition())
        .neededFrom(
            next == ShardStore.ABSENT ? read : Math.min(read, next),
            frontier(partition),
            judged(partition),
            kept);
  }

  /** Returns whether the later topic has copies that are not judged yet. */
  boolean waitsLater(TopicPartition partition) {
    return ledger(partition.partition()).isAnyWaitingLater();
  }

  private long judged(TopicPartition partition) {
    OffsetAndMetadata committed = kafka.group().committed(partition);
    return horizon == 0 || committed == null || committed.metadata().isEmpty()
        ? 0
        : judgements.computeIfAbsent(committed.metadata(), text -> parsed(text).laps().judged());
  }

  /** Returns whether the fact is settled, and always will be unless the frontier goes back. */
  private boolean settledOrThere(
      Ledger ledger, Fact fact, Frontier frontier, Set<Due> stored, long next) {
    Due key = fact.key();
    boolean covered = frontier.covers(key, fact.offset());
    boolean settled =
        fact.isMessage() && (ledger.out.contains(fact.unit()) || ledger.isCopied(fact));
    long below = strict ? frontier.highest() : ledger.end();
    Fact meant = fact.named() == null ? fact : ledger.named(fact);
    require(
        !covered || settled || meant == null || isDoneWith(ledger, meant, below),
        "S: %s is covered by %s but nothing came of it",
        fact,
        frontier);
    if (covered) {
      // A copy in the later topic does not stay there.
      return meant == null || !meant.isFar() || !ledger.isWaitingLater(meant);
    }
    if (!strict) {
      return false;
    }
    // The answer to an ask settles the message that it names as well.
    require(
        !settled || ledger.isAskedIn(frontier, fact),
        "C: %s is settled but not covered by %s",
        fact,
        frontier);
    require(
        fact.offset() >= next
            || ledger.isForgotten(fact)
            || stored.contains(key)
            || ledger.isSuperseded(fact, horizon == 0 ? next : ledger.end())
            || (fact.isMessage() ? ledger.isAsked(fact, next) : ledger.isOvertaken(fact, next)),
        "R: %s is below next %d and not covered by %s, but it is not in the store",
        fact,
        next,
        frontier);
    return false;
  }

  /**
   * Returns whether the message had an outcome, or a record below that offset has taken it back.
   */
  private boolean isDoneWith(Ledger ledger, Fact message, long below) {
    return !message.isMessage()
        || ledger.out.contains(message.unit())
        || ledger.isCopied(message)
        || ledger.isSuperseded(message, message.isFar() ? ledger.end() : below)
        || ledger.isAskedToCancel(message, below)
        // What was read again without a checkpoint: a successor had another one, and an ask that
        // came too late was in time.
        || (!strict && message.repeats() && ledger.hasSuccessor(message))
        || (!strict && ledger.isAskedToCancelAny(message.origin()));
  }

  private void named(
      Ledger ledger,
      Collection<DelayedMessage> pending,
      Frontier frontier,
      Map<String, Long> ids,
      long next) {
    for (DelayedMessage message : pending) {
      String id = message.id();
      Fact fact = ledger.at(message.readAt());
      if (strict && id != null && fact != null && !fact.isFar() && !frontier.covers(message)) {
        require(
            Objects.equals(ids.get(id), message.offset()) || ledger.isSuperseded(fact, next),
            "N: %s is pending but its id names %s",
            fact,
            String.valueOf(ids.get(id)));
      }
    }
  }

  private Frontier frontier(TopicPartition partition) {
    OffsetAndMetadata committed = kafka.group().committed(partition);
    if (committed == null || committed.metadata().isEmpty()) {
      return Frontier.NONE;
    }
    return frontiers.computeIfAbsent(committed.metadata(), Judge::frontier);
  }

  private static Frontier frontier(String metadata) {
    return parsed(metadata).frontier();
  }

  static Checkpoint parsed(String metadata) {
    try {
      return Checkpoint.parse(metadata);
    } catch (UnreadableException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void ended() {
    look();
  }

  // At every arrival: K, no duplicate, never early, nothing that was cancelled.

  @Override
  public void published(ConsumerRecord<byte[], byte[]> record) {
    String source = Fact.header(record, DelayHeaders.SOURCE);
    if (source == null) {
      return;
    }
    String[] parts = source.split("/", -1);
    Ledger ledger = ledger(Integer.parseInt(parts[1]));
    String number = Fact.header(record, DelayHeaders.OCCURRENCE);
    Fact first =
        ledger.first(Long.parseLong(parts[2]), number == null ? 0 : Integer.parseInt(number));
    if (first == null) {
      throw new Violation("SOURCE: " + source + " is no record of the intake");
    }
    boolean dead = record.topic().equals(SimKafka.DEAD);
    Fact last = ledger.last(first);
    if (!dead) {
      long due = strict ? last.due() : Math.min(first.due(), last.due());
      require(record.timestamp() >= due, "EARLY: %s at %d", last, record.timestamp());
      require(record.timestamp() <= due + latest, "LATE: %s at %d", last, record.timestamp());
    }
    boolean again = !ledger.out.add(first.unit());
    if (dead && Fact.header(record, DelayHeaders.EVERY) != null) {
      ledger.ended.add(first.origin());
    }
    String decided = Fact.header(record, DelayHeaders.DELIVERED_AT);
    if (decided != null) {
      ledger.decidedAt.put(first.unit(), Long.parseLong(decided));
    }
    if (strict) {
      require(!again, "DUPLICATE: %s", first);
      require(!ledger.isToldCancelled(first), "ANSWER: CANCELLED was %s", first);
      TopicPartition partition = new TopicPartition(SimKafka.INTAKE, ledger.partition);
      long highest = frontier(partition).highest();
      watermarks.out(partition, last, last.isHome() ? first : last);
      require(
          !ledger.isSuperseded(last, highest),
          "K: %s went out although it was cancelled or replaced below %d",
          last,
          highest);
    }
  }

  // At every answer.

  /** Checks an answer that somebody was told. */
  void answered(int partition, long offset, Verdict verdict) {
    Ledger ledger = ledger(partition);
    Fact ask = ledger.at(offset);
    if (ask == null) {
      throw new Violation("ANSWER: %s to what nobody has committed".formatted(verdict));
    }
    Fact message = ask.named() == null ? null : ledger.named(ask);
    if (!strict || ask.named() == null) {
      return;
    }
    boolean fine =
        switch (verdict) {
          case CANCELLED -> message != null && isOver(ledger, message, ask, false);
          case MOVED -> message != null && ledger.isCopied(message);
          case REJECTED -> message != null && ledger.out.contains(message.unit());
          case TOO_LATE -> message == null || isOver(ledger, message, ask, true);
          case PAUSED, RESUMED -> false;
        };
    require(fine, "ANSWER: %s to %s is not true", verdict, ask);
    if (verdict == Verdict.CANCELLED && message != null) {
      ledger.cancelled(message);
    }
  }

  /**
   * Returns whether the message has an outcome other than the cancellation by the ask, or, if that
   * is not wanted, whether it has none.
   */
  private static boolean isOver(Ledger ledger, Fact message, Fact ask, boolean wanted) {
    boolean out = ledger.out.contains(message.unit()) || ledger.isCopied(message);
    return wanted
        ? out || ledger.isSuperseded(message, ledger.end()) || ledger.isAsked(message, ask.offset())
        : !out;
  }

  // At the end.

  /** Checks that every message went out or was taken back, and that the store is empty. */
  void end() {
    look();
    for (TopicPartition partition : kafka.intake()) {
      Ledger ledger = ledger(partition.partition());
      Collection<Fact> facts = ledger.facts(ledger.end());
      for (Fact fact : facts) {
        if (fact.kind() == Kind.MESSAGE && fact.repeats()) {
          Occurrences.check(ledger, fact, strict);
          continue;
        }
        require(
            fact.kind() != Kind.MESSAGE
                || ledger.out.contains(fact.unit())
                || ledger.isSuperseded(fact, ledger.end())
                || ledger.isAskedToCancel(ledger.last(fact), ledger.end())
                || (!strict && ledger.isAskedToCancelAny(fact.offset())),
            "LOST: %s",
            fact);
      }
      require(
          ledger.waitingLater(judged(partition)) == 0,
          "END: copies are left in the later topic of %s, behind %d",
          partition,
          judged(partition));
      ShardId id = new ShardId(partition.topic(), partition.partition());
      require(
          store.contents(id).isEmpty() && (store.fedTo(id) == ledger.end() || facts.isEmpty()),
          "END: in the end the store still is %s",
          store.dump(id));
    }
  }

  @FormatMethod
  static void require(boolean holds, String what, Object... about) {
    if (!holds) {
      throw new Violation(what.formatted(about));
    }
  }
}
