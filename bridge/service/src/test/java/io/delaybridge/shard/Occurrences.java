package io.delaybridge.shard;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.shard.Fact.Occurrence;
import java.util.List;

/** Checks that each occurrence of a repeating message goes out once, for the right instant. */
final class Occurrences {

  static final long EVERY = 1_000;

  private Occurrences() {}

  /** Compares the final outcome of the message with the expected one. */
  static void check(Ledger ledger, Fact request, boolean strict) {
    List<Fact> chain = ledger.chain(request);
    boolean takenBack =
        ledger.isSuperseded(request, ledger.end())
            || ledger.isAskedToCancelAny(request.origin())
            || ledger.ended.contains(request.origin());
    if (!takenBack) {
      for (int number = 1; number <= request.occurrence().count(); number++) {
        Judge.require(
            ledger.out.contains(Fact.unit(request.origin(), number)),
            "LOST: occurrence %d of %s",
            number,
            request);
      }
    }
    for (int i = 1; strict && i < chain.size(); i++) {
      follows(ledger, chain.get(i - 1), chain.get(i));
    }
  }

  /**
   * Checks that the successor is for the next instant, and that instants that have passed meanwhile
   * follow the missed policy of the message.
   */
  private static void follows(Ledger ledger, Fact one, Fact next) {
    Occurrence before = one.occurrence();
    Occurrence after = next.occurrence();
    long step = after.scheduledAt() - before.scheduledAt();
    Judge.require(step > 0 && step % EVERY == 0, "CALENDAR: %s follows %s", next, one);
    if (before.missed().equals(DelayHeaders.MISSED_ALL)) {
      Judge.require(
          step == EVERY && after.number() == before.number() + 1,
          "MISSED: all are wanted, and %s follows %s",
          next,
          one);
      return;
    }
    Long decided = ledger.wentApart(one) ? null : ledger.decidedAt.get(one.unit());
    boolean left = after.number() == before.number();
    Judge.require(
        left
            ? before.missed().equals(DelayHeaders.MISSED_SKIP)
            : after.number() == before.number() + 1,
        "MISSED: %s follows %s",
        next,
        one);
    // The time of the decision if that is known; otherwise the time of writing is an upper bound.
    long latest = left || decided == null ? after.written() : decided;
    Judge.require(
        step == EVERY || after.scheduledAt() - EVERY <= latest,
        "MISSED: %s follows %s and passes over what was to come",
        next,
        one);
    Judge.require(
        left || decided == null || after.scheduledAt() > decided,
        "MISSED: %s follows %s and had passed already",
        next,
        one);
    Judge.require(
        left
            || decided == null
            || !before.missed().equals(DelayHeaders.MISSED_SKIP)
            || ledger.wasMoved(one)
            || decided < before.scheduledAt() + EVERY,
        "MISSED: %s came too late",
        one);
  }
}
