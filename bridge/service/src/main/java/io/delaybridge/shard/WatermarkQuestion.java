package io.delaybridge.shard;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.schemas.StoredAsk;
import io.delaybridge.store.ShardStore.Taken;
import java.util.OptionalLong;

/**
 * Up to when everything that was due is out, asked of one shard at one moment. The answer comes
 * from this: the store forgets a message only when Kafka has committed what came of it. So of all
 * that it was fed with, what it does not have is out, or was taken back; and what it has, it has in
 * the order in which it is due.
 *
 * <p>What came of it may be a copy in the log, behind all that was looked for: of a message that is
 * tried again, or that had left for the later topic. So once all is read that was in the log, the
 * log is asked once more where it ends, and that is to be read as well.
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
   * @param at epoch milliseconds at which it is asked, before all else
   * @param far epoch milliseconds after which everything is due that waited in the later topic
   *     then, or that went there since; {@link Long#MAX_VALUE} if nothing did
   */
  public WatermarkQuestion(long at, long far) {
    this.most = Math.min(at, far);
  }

  /**
   * After when everything is due that waits in the later topic: it was due beyond the horizon when
   * it was decided that it goes there. Between that and its timestamp is less than half of the
   * horizon, unless a turn takes as long as that.
   *
   * @param first timestamp of the first copy that was not judged, epoch milliseconds
   */
  public static long far(long first, Admission admission) {
    long horizon =
        admission.rules().stream()
            .mapToLong(Admission.Rule::horizon)
            .filter(each -> each > 0)
            .min()
            .orElse(0);
    return first + horizon / 2;
  }

  /** Intake offset at which the log ended at the first look: the answer is about what is before. */
  public long end() {
    return end;
  }

  /**
   * One look; to be repeated until there is an answer.
   *
   * @param seen what the store has, and of the messages the asks
   * @param logEnd intake offset at which the log ended after that, with what is in open
   *     transactions
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
   * The watermark in epoch milliseconds: what is before {@link #end} and due then or before, is
   * out. Empty as long as that is not known.
   *
   * @param committed offset that Kafka has committed. Only what is before it takes something back
   *     for good, should the store be lost
   */
  public OptionalLong answer(long committed) {
    return next == UNKNOWN || committed < next
        ? OptionalLong.empty()
        : OptionalLong.of(Math.min(most, due - 1));
  }

  /**
   * When the first message is due, which may be hidden by an ask; -1 if there are more of these.
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
