package io.delaybridge.shard;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.schemas.StoredAsk;
import io.delaybridge.store.ShardStore.Taken;
import java.util.OptionalLong;

/**
 * Finds out, for one shard at one moment, up to when everything that was due is out. The answer
 * rests on this: the store forgets a message only when Kafka has committed what came of it. So a
 * message that the store was fed with and no longer has is out, or was taken back; and the messages
 * that it has are in the order in which they are due.
 *
 * <p>What came of a message may be a copy in the log, behind all that was looked at: of a message
 * that is tried again, or that had left for the later topic. So once everything is read that was in
 * the log, the log is asked once more where it ends, and that is to be read as well.
 */
public final class WatermarkQuestion {

  /** Enough to see all asks of a shard, which are answered with the next turn. */
  public static final int MOST_ASKS = 1_000;

  private static final long UNKNOWN = -1;

  private final long most;
  private long end = UNKNOWN;
  private long endAgain = UNKNOWN;
  private long next = UNKNOWN;
  private long due = Long.MAX_VALUE;

  /**
   * @param at epoch milliseconds at which the question is asked, before all else
   * @param far epoch milliseconds after which every message is due that waited in the later topic
   *     then, or that went there since; {@link Long#MAX_VALUE} if none did
   */
  public WatermarkQuestion(long at, long far) {
    this.most = Math.min(at, far);
  }

  /**
   * The time after which everything is due that waits in the later topic. A message there was due
   * beyond the horizon when it was decided that it goes there. Between that decision and the
   * timestamp of its copy is less than half of the horizon, unless a turn takes as long as that.
   *
   * @param first timestamp of the first copy that was not judged, epoch milliseconds
   */
  public static long far(long first, Admission admission) {
    return first + admission.shortestHorizon() / 2;
  }

  /** Intake offset at which the log ended at the first look: the answer is about what is before. */
  public long end() {
    return end;
  }

  /**
   * Takes one look; to be repeated until there is an answer.
   *
   * @param seen what the store has, and of the messages the asks
   * @param logEnd intake offset at which the log ended after that, including open transactions
   */
  public void look(Taken seen, long logEnd) {
    if (end == UNKNOWN) {
      end = logEnd;
    }
    long first = firstDue(seen);
    if (next != UNKNOWN || first < 0 || seen.next() < Math.max(end, endAgain)) {
      return;
    }
    due = Math.min(due, first);
    if (endAgain != UNKNOWN || seen.next() >= logEnd) {
      next = seen.next();
    } else {
      endAgain = logEnd;
    }
  }

  /**
   * The watermark in epoch milliseconds: every message before {@link #end} that is due then or
   * before is out. Empty as long as that is not known.
   *
   * @param committed offset that Kafka has committed. If the store is lost, only a record before
   *     this offset takes something back for good
   */
  public OptionalLong answer(long committed) {
    return next == UNKNOWN || committed < next
        ? OptionalLong.empty()
        : OptionalLong.of(Math.min(most, due - 1));
  }

  /**
   * When the first message is due, which an ask may hide; -1 if there are more asks than were seen.
   */
  private static long firstDue(Taken seen) {
    long first = seen.first().time();
    for (DelayedMessage message : seen.messages()) {
      StoredAsk ask = message.ask();
      if (ask == null) {
        first = Math.min(first, message.key().time());
      } else if (ask.verb().namesMessage()) {
        first = Math.min(first, ask.due());
      }
    }
    return first;
  }
}
