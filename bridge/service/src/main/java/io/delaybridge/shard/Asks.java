package io.delaybridge.shard;

import io.delaybridge.delivery.Decision;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.Reason;
import io.delaybridge.schemas.StoredAsk;
import io.delaybridge.schemas.StoredAsk.Verb;

/** Decides what becomes of asks. Pure. */
final class Asks {

  /** What becomes of a message that is beyond a limit of its intake. */
  static final Decision REJECTED =
      new Decision.Dead(Reason.QUOTA_EXCEEDED, "its intake was over its limit", true);

  private Asks() {}

  /**
   * Decides what becomes of an ask. A message whose key is covered was settled before the ask took
   * its place: an instance that had lost the shard without knowing put the ask there. Pairs that
   * show this do not go away while asks are pending, because asks come before everything else; that
   * is the reason for their place. See ADR 12.
   */
  static Decision decide(DelayedMessage message, StoredAsk ask, Frontier frontier) {
    return switch (ask.verb()) {
      case PAUSE -> new Decision.Answer(Verdict.PAUSED);
      case RESUME -> new Decision.Answer(Verdict.RESUMED);
      case CANCEL, MOVE, SKIP, REJECT -> ofMessage(message, ask, frontier);
    };
  }

  private static Decision ofMessage(DelayedMessage message, StoredAsk ask, Frontier frontier) {
    Due named = new Due(ask.due(), ask.offset());
    if (message.isAskedInVain() || frontier.covers(named, message.recordOffset())) {
      return new Decision.Answer(Verdict.TOO_LATE);
    }
    if (ask.verb() == Verb.MOVE || ask.verb() == Verb.SKIP) {
      Reason fault = message.content().reason();
      if (fault != null) {
        // Its copy would be a message like any other, with an id that it never had.
        return new Decision.Dead(fault, String.valueOf(message.content().detail()), true);
      }
      return new Decision.Move(ask.moveTo(), ask.verb() == Verb.SKIP && message.repeats());
    }
    return ask.verb() == Verb.CANCEL ? new Decision.Answer(Verdict.CANCELLED) : REJECTED;
  }

  /** Whether delivery is paused after an answer. */
  static boolean pausedAfter(Verdict verdict, boolean before) {
    return switch (verdict) {
      case PAUSED -> true;
      case RESUMED -> false;
      case CANCELLED, MOVED, REJECTED, TOO_LATE -> before;
    };
  }
}
