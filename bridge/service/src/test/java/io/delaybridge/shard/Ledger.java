package io.delaybridge.shard;

import io.delaybridge.message.Due;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.shard.Fact.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The truth about one partition of the intake: the content of its log, and the outcome of it. */
final class Ledger {

  final int partition;
  private final SimLog log;
  private final LongSupplier judged;
  private final FactIndex intake;

  /** The copies in the later topic, if there is one. */
  private final @Nullable FactIndex later;

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
    this.intake = new FactIndex(log, horizon, this::isFarBefore);
    this.later = later == null ? null : new FactIndex(later, 0, copy -> true);
    this.judged = judged;
  }

  /** Returns the number of copies of the message in the later topic from that offset on. */
  long waitingLater(Fact far, long from) {
    return later == null ? 0 : later.ofUnit(far.unit()).tailMap(from).size();
  }

  /** Returns whether the message has a copy in the later topic that is not judged. */
  boolean isWaitingLater(Fact far) {
    return later != null && !later.ofUnit(far.unit()).tailMap(judged.getAsLong()).isEmpty();
  }

  /** Returns whether the later topic has copies that are not judged. */
  boolean isAnyWaitingLater() {
    return later != null && !later.all().tailMap(judged.getAsLong()).isEmpty();
  }

  /** Returns the number of copies in the later topic from that offset on. */
  long waitingLater(long from) {
    return later == null ? 0 : later.all().tailMap(from).size();
  }

  /** Returns the later records of the same unit. */
  private Collection<Fact> after(Fact fact) {
    return intake.ofUnit(fact.unit()).tailMap(fact.offset(), false).values();
  }

  /**
   * Returns the number of copies that have come home since the message left for the later topic.
   */
  long home(Fact far) {
    return after(far).stream().filter(Fact::isHome).count();
  }

  /** Returns whether the message came home and was then moved so far ahead that it left again. */
  boolean leftAgain(Fact far) {
    return after(far).stream().anyMatch(Fact::isFar);
  }

  /** Returns the messages that leave for the later topic at once. */
  Collection<Fact> far() {
    return intake.far();
  }

  /**
   * Returns the facts below the offset that were not settled for good when they were last looked
   * at, in log order. The caller may remove some.
   */
  Collection<Fact> unsettled(long below) {
    return intake.unsettled().headMap(below).values();
  }

  /** Forgets which facts were settled for good. */
  void doubt() {
    intake.unsettled().putAll(intake.all());
  }

  /** Returns the facts of all committed records below the offset, in log order. */
  Collection<Fact> facts(long below) {
    return Collections.unmodifiableCollection(intake.all().headMap(below).values());
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
    return "%s %s %s".formatted(intake.dump(), later == null ? "" : later.dump(), readBy);
  }

  /**
   * Returns the offset of the first record that must not be deleted according to ADR 32, at most
   * {@code below}.
   *
   * @param below offset up to which the intake was read for good
   * @param judged offset in the later topic up to which copies were judged
   */
  long neededFrom(long below, Frontier frontier, long judged, Kept kept) {
    // What they replace, and whether they do, depends on the records since that was seen to be far.
    List<Fact> insteads =
        intake.insteads(log.start()).stream()
            .filter(
                instead ->
                    !frontier.covers(instead.key(), instead.offset())
                        || isNeededAgainst(instead, frontier, judged, kept))
            .toList();
    for (long offset = log.start(); offset < below; offset++) {
      long at = offset;
      Fact fact = at(at);
      if ((fact != null
              && (isToCome(fact, below, frontier) || isNeededAgainst(fact, frontier, judged, kept)))
          || insteads.stream().anyMatch(each -> each.seen() <= at && at < each.offset())) {
        return offset;
      }
    }
    return below;
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
    boolean laps =
        later != null
            && later.ofId(fact.id()).tailMap(judged).values().stream()
                .anyMatch(copy -> copy.isOlder(fact));
    boolean home =
        intake.ofId(fact.id()).tailMap(fact.offset(), false).values().stream()
            .filter(copy -> copy.isOlder(fact))
            .filter(copy -> !frontier.covers(copy.key(), copy.offset()))
            .anyMatch(copy -> copy.offset() < read.getValue() || hadNoLap(copy));
    return (laps && kept.laps) || (home && kept.home);
  }

  /** A far message that leaves when it is due already goes home at once, and nobody judges it. */
  private boolean hadNoLap(Fact copy) {
    return later == null || later.ofUnit(copy.unit()).isEmpty();
  }

  /** Returns the fact of the committed record at that offset, or null. */
  @Nullable Fact at(long offset) {
    return intake.all().get(offset);
  }

  /**
   * Returns whether the replaced message was far when the replacement was read. The result can
   * change until all records before it are committed.
   */
  private boolean isFarBefore(Fact instead) {
    if (instead.id() == null) {
      return false;
    }
    Boolean isFar = null;
    for (Fact before :
        intake.ofId(instead.id()).headMap(instead.offset(), false).descendingMap().values()) {
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
    if (ask.named() == null) {
      return null;
    }
    for (Fact fact :
        intake.messages(ask.named()).headMap(ask.offset(), false).descendingMap().values()) {
      if (ask.names(fact)) {
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
    long from = fact.origin() + 1;
    return below > from && !intake.ofUsers(fact.id()).subMap(from, below).isEmpty();
  }

  private Stream<Fact> asks(Fact message, long below) {
    return intake.asks(message.name()).headMap(below).values().stream()
        .filter(ask -> ask.names(message));
  }

  /** Returns whether an ask for that message lies below that offset. */
  boolean isAsked(Fact message, long below) {
    return asks(message, below).findAny().isPresent();
  }

  /** Returns whether the log has an ask to cancel the message or a copy of it. */
  boolean isAskedToCancelAny(long origin) {
    return intake.asks().stream()
        .flatMap(asks -> asks.values().stream())
        .filter(ask -> ask.asks(DelayHeaders.OP_CANCEL))
        .anyMatch(
            ask ->
                intake.messages(String.valueOf(ask.named())).values().stream()
                    .anyMatch(message -> message.origin() == origin && ask.names(message)));
  }

  /**
   * Returns whether a copy of the message that the ask names follows the ask below that offset.
   * Such a copy takes over the id and the place.
   */
  boolean isOvertaken(Fact ask, long below) {
    Fact named = ask.named() == null ? null : named(ask);
    return named != null
        && named.id() != null
        && intake.ofOrigin(named.origin()).stream()
            .anyMatch(
                each ->
                    each.kind() == Kind.COPY
                        && each.offset() > ask.offset()
                        && each.offset() < below);
  }

  /** Returns whether the frontier covers an ask for that message. */
  boolean isAskedIn(Frontier frontier, Fact message) {
    return asks(message, log.end()).anyMatch(ask -> frontier.covers(Due.asked(ask.offset())));
  }

  /** Returns whether an ask to cancel that message lies below that offset. */
  boolean isAskedToCancel(Fact message, long below) {
    return asks(message, below).anyMatch(ask -> ask.asks(DelayHeaders.OP_CANCEL));
  }

  /** Returns whether the message went back to the intake or waits in the later topic. */
  boolean isCopied(Fact message) {
    return !last(message).equals(message) || (message.isFar() && isWaitingLater(message));
  }

  /** Returns whether a later record of the log stands for the next occurrence of the message. */
  boolean hasSuccessor(Fact message) {
    return intake.ofOrigin(message.origin()).stream()
        .anyMatch(each -> each.repeats() && each.offset() > message.offset());
  }

  /** Returns the latest copy of the message, or the message itself if there is no copy. */
  Fact last(Fact message) {
    Map.Entry<Long, Fact> last = intake.ofUnit(message.unit()).lastEntry();
    return last == null || last.getValue().kind() != Kind.COPY || last.getKey() < message.offset()
        ? message
        : last.getValue();
  }

  /** Returns the first record of a unit, or null if there is none. */
  @Nullable Fact first(long origin, int number) {
    return intake.ofUnit(Fact.unit(origin, number)).values().stream()
        .filter(Fact::isMessage)
        .findFirst()
        .orElse(null);
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
    for (Fact fact : intake.ofOrigin(request.origin())) {
      if (fact.isMessage()
          && fact.repeats()
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
    return intake.ofUnit(unit.unit()).values().stream()
        .anyMatch(each -> each.repeats() && each.due() > each.occurrence().scheduledAt());
  }

  /** Returns whether an occurrence went back to the intake as a message of its own. */
  boolean wentApart(Fact unit) {
    return intake.ofUnit(unit.unit()).values().stream()
        .anyMatch(each -> each.kind() == Kind.COPY && !each.repeats());
  }
}
