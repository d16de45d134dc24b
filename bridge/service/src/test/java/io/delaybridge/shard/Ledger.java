package io.delaybridge.shard;

import io.delaybridge.message.Due;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.shard.Fact.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** The truth about one partition of the intake: the content of its log, and the outcome of it. */
final class Ledger {

  final int partition;
  private final SimLog log;
  private final @Nullable SimLog later;
  private final long horizon;
  private final LongSupplier judged;
  private final Map<Long, Fact> known = new HashMap<>();

  /** The result of {@link #facts} and {@link #at}, cached until the log changes. */
  private final List<Fact> all = new ArrayList<>();

  private final Map<Long, Optional<Fact>> byOffset = new HashMap<>();
  private long version = -1;

  /** The result of {@link #later(long)}, cached likewise for the offset of the last call. */
  private final List<Fact> laterCopies = new ArrayList<>();

  private long laterVersion = -1;
  private long laterFrom = -1;
  private final Map<Long, Fact> knownLater = new HashMap<>();
  private final Map<Long, Boolean> offsetsThatAct = new HashMap<>();
  private final NavigableMap<Long, Fact> insteads = new TreeMap<>();

  /** The end of the log when a checkpoint first confirmed that all below the key was read. */
  private final NavigableMap<Long, Long> readBy = new TreeMap<>();

  /**
   * The purposes for which retention keeps a cancel or a replacement.
   *
   * @param laps copies in the later topic that it takes back
   * @param home copies in the intake that it takes back
   */
  record Kept(boolean laps, boolean home) {}

  /** Units that reached their target or the dead-letter topic. */
  final Set<Long> out = new HashSet<>();

  /** The decision time of each unit that reached its target. */
  final Map<Long, Long> decidedAt = new HashMap<>();

  /** The origins of repeating messages that ended because all of the message is a dead letter. */
  final Set<Long> ended = new HashSet<>();

  /** The messages that somebody was told are cancelled. */
  private final Set<Fact> cancelled = new HashSet<>();

  /**
   * Takes the log of the intake, the log of the later topic if there is one, the horizon, and the
   * offset up to which copies are judged.
   */
  Ledger(int partition, SimLog log, @Nullable SimLog later, long horizon, LongSupplier judged) {
    this.partition = partition;
    this.log = log;
    this.later = later;
    this.horizon = horizon;
    this.judged = judged;
  }

  /** Returns the committed copies in the later topic from that offset on. */
  private List<Fact> later(long from) {
    if (later == null || (laterVersion == later.version() && laterFrom == from)) {
      return laterCopies;
    }
    laterCopies.clear();
    for (long offset = from; offset < later.end(); offset++) {
      ConsumerRecord<byte[], byte[]> record = later.readable(offset);
      if (record != null) {
        laterCopies.add(knownLater.computeIfAbsent(offset, key -> Fact.of(record, 0)));
      }
    }
    laterVersion = later.version();
    laterFrom = from;
    return laterCopies;
  }

  /** Returns the number of copies of the message in the later topic from that offset on. */
  long waitingLater(Fact far, long from) {
    return later(from).stream().filter(copy -> copy.unit() == far.unit()).count();
  }

  /** Returns the number of copies in the later topic from that offset on. */
  long waitingLater(long from) {
    return later(from).size();
  }

  /**
   * Returns the number of copies that have come home since the message left for the later topic.
   */
  long home(Fact far) {
    return facts(log.end()).stream()
        .filter(Fact::isHome)
        .filter(each -> each.unit() == far.unit() && each.offset() > far.offset())
        .count();
  }

  /** Returns whether the message came home and was then moved so far ahead that it left again. */
  boolean leftAgain(Fact far) {
    return facts(log.end()).stream()
        .anyMatch(
            each -> each.isFar() && each.unit() == far.unit() && each.offset() > far.offset());
  }

  /** Returns the facts of all committed records below the offset, in log order. */
  List<Fact> facts(long below) {
    refresh();
    if (all.isEmpty()) {
      for (long offset = 0; offset < log.end(); offset++) {
        Fact fact = at(offset);
        if (fact != null) {
          all.add(fact);
        }
      }
    }
    int count = all.size();
    while (count > 0 && all.get(count - 1).offset() >= below) {
      count--;
    }
    return Collections.unmodifiableList(all.subList(0, count));
  }

  private void refresh() {
    if (version != log.version()) {
      version = log.version();
      all.clear();
      byOffset.clear();
    }
  }

  long end() {
    return log.end();
  }

  /** Returns whether retention has deleted the record. The ledger still knows deleted records. */
  boolean isForgotten(Fact fact) {
    return fact.offset() < log.start();
  }

  // Retention.

  /** Notes that a checkpoint confirms that all below that offset was read. */
  void read(long below) {
    if (readBy.isEmpty() || readBy.lastKey() < below) {
      readBy.put(below, log.end());
    }
  }

  /** Returns both logs and the read positions as a text that is equal for equal ledgers. */
  String dump() {
    return "%s %s %s".formatted(log.dump(), later == null ? "" : later.dump(), readBy);
  }

  /**
   * Returns the offset of the first record that must not be deleted according to ADR 32, at most
   * {@code below}.
   *
   * @param below offset up to which the intake was read for good
   * @param judged offset in the later topic up to which copies were judged
   */
  long neededFrom(long below, Frontier frontier, long judged, Kept kept) {
    for (long offset = log.start(); offset < below; offset++) {
      Fact fact = at(offset);
      if (fact != null
          && (isToCome(fact, below, frontier) || isNeededAgainst(fact, frontier, judged, kept))) {
        return offset;
      }
      if (isEvidence(offset, frontier, judged, kept)) {
        return offset;
      }
    }
    return below;
  }

  /** Returns whether the replacement of a far message may depend on the record at that offset. */
  private boolean isEvidence(long offset, Frontier frontier, long judged, Kept kept) {
    facts(log.end());
    return insteads.tailMap(offset, false).values().stream()
        .filter(instead -> instead.seen() <= offset)
        .anyMatch(
            instead ->
                !frontier.covers(instead.key(), instead.offset())
                    || isNeededAgainst(instead, frontier, judged, kept));
  }

  /**
   * Returns whether the record still has an outcome to come and was not taken back. A message that
   * leaves for the later topic does so even if it was taken back.
   */
  private boolean isToCome(Fact fact, long below, Frontier frontier) {
    return fact.kind() != Kind.CANCEL
        && !frontier.covers(fact.key(), fact.offset())
        && !(fact.isMessage()
            && !fact.isFar()
            && (isSuperseded(fact, below) || isAskedIn(frontier, fact)));
  }

  /**
   * Returns whether an older copy that the record takes back still waits: in the later topic, or in
   * the intake if it came home before the record was read, or without a lap. Laps must bring no
   * later copies home, so the record is not kept for them.
   */
  private boolean isNeededAgainst(Fact fact, Frontier frontier, long judged, Kept kept) {
    if (!fact.isFromUser() || fact.id() == null) {
      return false;
    }
    Map.Entry<Long, Long> read = readBy.higherEntry(fact.offset());
    if (read == null) {
      return true;
    }
    boolean laps = later(judged).stream().anyMatch(copy -> copy.isOlder(fact));
    boolean home =
        facts(end()).stream()
            .filter(copy -> copy.offset() > fact.offset() && copy.isOlder(fact))
            .filter(copy -> !frontier.covers(copy.key(), copy.offset()))
            .anyMatch(copy -> copy.offset() < read.getValue() || hadNoLap(copy));
    return (laps && kept.laps) || (home && kept.home);
  }

  /** A far message that leaves when it is due already goes home at once, and nobody judges it. */
  private boolean hadNoLap(Fact copy) {
    return waitingLater(copy, 0) == 0;
  }

  /** Returns the fact of the committed record at that offset, or null. */
  @Nullable Fact at(long offset) {
    if (offset < 0 || offset >= log.end()) {
      return null;
    }
    refresh();
    Optional<Fact> found = byOffset.get(offset);
    if (found == null) {
      found = Optional.ofNullable(find(offset));
      byOffset.put(offset, found);
    }
    return found.orElse(null);
  }

  private @Nullable Fact find(long offset) {
    ConsumerRecord<byte[], byte[]> record = log.readable(offset);
    if (record == null) {
      return null;
    }
    Fact fact = known.computeIfAbsent(offset, key -> Fact.of(record, horizon));
    if (fact.instead() < 0) {
      return fact;
    }
    insteads.putIfAbsent(offset, fact);
    return acts(fact) ? fact : null;
  }

  /**
   * Returns whether the replaced message was far when the replacement was read. The result can
   * change until all records before it are committed.
   */
  private boolean acts(Fact instead) {
    Boolean known = offsetsThatAct.get(instead.offset());
    if (known != null) {
      return known;
    }
    boolean acts = isFarBefore(instead);
    if (instead.offset() < log.lastStable()) {
      offsetsThatAct.put(instead.offset(), acts);
    }
    return acts;
  }

  private boolean isFarBefore(Fact instead) {
    Boolean isFar = null;
    for (long offset = instead.offset() - 1; offset >= 0; offset--) {
      Fact before = at(offset);
      if (before == null || !Objects.equals(before.id(), instead.id())) {
        continue;
      }
      if (before.kind() == Kind.COPY && before.origin() == instead.instead() && isFar == null) {
        isFar = before.isFar();
      } else if (before.isFromUser()) {
        return before.offset() == instead.instead() && (isFar == null ? before.isFar() : isFar);
      }
    }
    return false;
  }

  /** Returns the message that the ask names, or null if there was none with that key. */
  @Nullable Fact named(Fact ask) {
    List<Fact> before = facts(ask.offset());
    for (int i = before.size() - 1; i >= 0; i--) {
      Fact fact = before.get(i);
      if (fact.isMessage() && ask.names(fact)) {
        return fact;
      }
    }
    return null;
  }

  /** Returns whether a later cancel or message with the same id lies below that offset. */
  boolean isSuperseded(Fact fact, long below) {
    if (fact.id() == null) {
      return false;
    }
    for (long offset = fact.origin() + 1; offset < Math.min(below, log.end()); offset++) {
      Fact later = at(offset);
      if (later != null && later.isFromUser() && fact.id().equals(later.id())) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether an ask for that message lies below that offset. */
  boolean isAsked(Fact message, long below) {
    return facts(below).stream().anyMatch(each -> each.kind() == Kind.ASK && each.names(message));
  }

  /** Returns whether the log has an ask to cancel the message or a copy of it. */
  boolean isAskedToCancelAny(long origin) {
    return facts(log.end()).stream()
        .anyMatch(
            each ->
                each.isMessage() && each.origin() == origin && isAskedToCancel(each, log.end()));
  }

  /**
   * Returns whether a copy of the message that the ask names follows the ask below that offset.
   * Such a copy takes over the id and the place.
   */
  boolean isOvertaken(Fact ask, long below) {
    Fact named = ask.named() == null ? null : named(ask);
    return named != null
        && named.id() != null
        && facts(below).stream()
            .anyMatch(
                each ->
                    each.kind() == Kind.COPY
                        && each.origin() == named.origin()
                        && each.offset() > ask.offset());
  }

  /** Returns whether the frontier covers an ask for that message. */
  boolean isAskedIn(Frontier frontier, Fact message) {
    return facts(log.end()).stream()
        .anyMatch(
            each ->
                each.kind() == Kind.ASK
                    && each.names(message)
                    && frontier.covers(Due.asked(each.offset())));
  }

  /** Returns whether an ask to cancel that message lies below that offset. */
  boolean isAskedToCancel(Fact message, long below) {
    return facts(below).stream()
        .anyMatch(each -> each.asks(DelayHeaders.OP_CANCEL) && each.names(message));
  }

  /** Returns whether the message went back to the intake or waits in the later topic. */
  boolean isCopied(Fact message) {
    return !last(message).equals(message)
        || (message.isFar() && waitingLater(message, judged.getAsLong()) > 0);
  }

  /** Returns whether a later record of the log stands for the next occurrence of the message. */
  boolean hasSuccessor(Fact message) {
    return facts(log.end()).stream()
        .anyMatch(
            each ->
                each.repeats()
                    && each.origin() == message.origin()
                    && each.offset() > message.offset());
  }

  /** Returns the latest copy of the message, or the message itself if there is no copy. */
  Fact last(Fact message) {
    Fact last = message;
    for (long offset = message.offset() + 1; offset < log.end(); offset++) {
      Fact fact = at(offset);
      if (fact != null && fact.kind() == Kind.COPY && fact.unit() == message.unit()) {
        last = fact;
      }
    }
    return last;
  }

  /** Returns the first record of a unit, or null if there is none. */
  @Nullable Fact first(long origin, int number) {
    for (long offset = origin; offset < log.end(); offset++) {
      Fact fact = at(offset);
      if (fact != null && fact.isMessage() && fact.unit() == Fact.unit(origin, number)) {
        return fact;
      }
    }
    return null;
  }

  void cancelled(Fact message) {
    cancelled.add(message);
  }

  /**
   * Returns whether somebody was told that the unit, or an earlier repeating occurrence, is
   * cancelled.
   */
  boolean isToldCancelled(Fact unit) {
    return cancelled.stream()
        .filter(each -> each.origin() == unit.origin())
        .anyMatch(
            each -> each.unit() == unit.unit() || (each.repeats() && each.unit() < unit.unit()));
  }

  /** Returns the progress of a repeating message: one record for each instant, in log order. */
  List<Fact> chain(Fact request) {
    List<Fact> chain = new ArrayList<>();
    for (long offset = request.offset(); offset < log.end(); offset++) {
      Fact fact = at(offset);
      if (fact != null
          && fact.isMessage()
          && fact.repeats()
          && fact.origin() == request.origin()
          && (chain.isEmpty() || !isOfInstant(fact, chain.get(chain.size() - 1)))) {
        chain.add(fact);
      }
    }
    return chain;
  }

  private static boolean isOfInstant(Fact fact, Fact before) {
    return fact.occurrence().scheduledAt() == before.occurrence().scheduledAt();
  }

  /**
   * Returns whether an occurrence got another due time, at which it goes out regardless of the
   * missed policy.
   */
  boolean wasMoved(Fact unit) {
    return facts(log.end()).stream()
        .anyMatch(
            each ->
                each.repeats()
                    && each.unit() == unit.unit()
                    && each.due() > each.occurrence().scheduledAt());
  }

  /** Returns whether an occurrence went back to the intake as a message of its own. */
  boolean wentApart(Fact unit) {
    return facts(log.end()).stream()
        .anyMatch(
            each -> each.kind() == Kind.COPY && each.unit() == unit.unit() && !each.repeats());
  }
}
