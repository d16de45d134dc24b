package io.delaybridge.admin.api;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.repeat.InvalidRepeatException;
import io.delaybridge.repeat.Repetition;
import io.delaybridge.schemas.DelayHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a pending message repeats, as the API shows it. Times are epoch milliseconds.
 *
 * @param rule in words, such as "at 09:00, on Monday to Friday (Europe/Berlin)"
 * @param every ISO-8601 duration; or cron
 * @param zone of cron
 * @param until time after which there is no occurrence
 * @param count number of occurrences
 * @param missed what becomes of occurrences whose time has passed without them
 * @param occurrence number of the next one, 1 for the first
 * @param pausedUntil no occurrence comes before this, null if it is not paused
 * @param last the last occurrence
 * @param next when the next occurrences are due, at most five
 */
public record RepeatView(
    String rule,
    @Nullable String every,
    @Nullable String cron,
    @Nullable String zone,
    @Nullable Long until,
    @Nullable Long count,
    String missed,
    long occurrence,
    @Nullable Long pausedUntil,
    @Nullable Last last,
    List<Long> next) {

  private static final int SHOWN = 5;

  /**
   * An occurrence that went out, or was put back to be tried again.
   *
   * @param scheduledAt the instant of the calendar that it was for
   * @param wentAt when it went
   */
  public record Last(long scheduledAt, long wentAt) {}

  /** Null if it does not repeat. */
  static @Nullable RepeatView of(DelayedMessage message) {
    if (!message.repeats()) {
      return null;
    }
    Repetition repetition;
    try {
      repetition = Repetition.of(message);
    } catch (InvalidRepeatException e) {
      // When it is due, it becomes a dead letter that says this.
      return null;
    }
    long due = message.key().time();
    boolean comes = !repetition.isRequest() && !repetition.isPaused();
    Repetition first = comes ? repetition : repetition.next(due);
    Repetition.Last last = repetition.last();
    return new RepeatView(
        repetition.plan().rule().toString(),
        message.header(DelayHeaders.EVERY),
        message.header(DelayHeaders.CRON),
        message.header(DelayHeaders.ZONE),
        repetition.plan().hasEnd() ? repetition.plan().until() : null,
        repetition.plan().isCounted() ? repetition.plan().count() : null,
        repetition.plan().missed().name().toLowerCase(Locale.ROOT),
        first == null ? repetition.occurrence() : first.occurrence(),
        repetition.isPaused() ? due : null,
        last == null ? null : new Last(last.scheduledAt(), last.wentAt()),
        next(first, comes ? due : -1));
  }

  /** When the first occurrence of a request is due, or the message if it does not repeat. */
  static long due(DelayedMessage message) {
    RepeatView view = of(message);
    return view == null || view.next.isEmpty() ? message.key().time() : view.next.get(0);
  }

  /**
   * @param moved when the first is due, which need not be the time of its calendar, or -1
   */
  private static List<Long> next(@Nullable Repetition first, long moved) {
    List<Long> next = new ArrayList<>();
    long due = moved;
    for (Repetition one = first; one != null && next.size() < SHOWN; one = one.next(due)) {
      due = next.isEmpty() && moved >= 0 ? moved : one.due();
      next.add(due);
    }
    return next;
  }
}
