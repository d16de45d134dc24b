package io.delaybridge.shard;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.shard.Fact.Occurrence;
import java.util.List;

/** Of a message that repeats, each occurrence comes once, for the instant that it should be for. */
final class Occurrences {

  static final long EVERY = 1_000;

  private Occurrences() {}

  /** Holds what came of the message against what should have, in the end. */
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

  /** The successor is for the next instant; those that have passed meanwhile count as it says. */
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
    // What it was by the time at which it was decided, if that is known; at most when it was
    // written.
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
