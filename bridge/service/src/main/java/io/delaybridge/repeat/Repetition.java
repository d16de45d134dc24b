package io.delaybridge.repeat;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Spread;
import io.delaybridge.repeat.Plan.Missed;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import io.delaybridge.schemas.StoredHeader;
import io.delaybridge.schemas.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a repeating message. Its successor follows from this and the time at which this
 * occurrence goes out, and from nothing else; see ADR 33.
 *
 * @param spread milliseconds between the instant of the calendar and the due time
 * @param occurrence the number of the next occurrence; 0 if the first one is yet to be looked up in
 *     the calendar
 * @param scheduledAt the instant of the calendar for that occurrence, epoch milliseconds; with
 *     number 0, the timestamp of the request
 * @param dueAt when it is due, epoch milliseconds; differs from {@link #due} if it was moved
 * @param isPaused whether this one is left out, and all that are not later than that
 * @param last the occurrence that came before it, or null if none did
 */
public record Repetition(
    Plan plan,
    long spread,
    long occurrence,
    long scheduledAt,
    long dueAt,
    boolean isPaused,
    @Nullable Last last) {

  /** Creates a repetition that is neither moved nor paused. */
  public Repetition(
      Plan plan, long spread, long occurrence, long scheduledAt, @Nullable Last last) {
    this(plan, spread, occurrence, scheduledAt, scheduledAt + spread, false, last);
  }

  /**
   * An occurrence that is over, with times in epoch milliseconds.
   *
   * @param scheduledAt the instant of the calendar that it was for
   * @param wentAt when it went out
   */
  public record Last(long scheduledAt, long wentAt) {

    private static @Nullable Last parse(@Nullable String text) {
      int slash = text == null ? -1 : text.indexOf('/');
      if (text == null || slash < 0) {
        return null;
      }
      long scheduledAt = Plan.number(text.substring(0, slash));
      long wentAt = Plan.number(text.substring(slash + 1));
      return scheduledAt < 0 || wentAt < 0 ? null : new Last(scheduledAt, wentAt);
    }

    @Override
    public String toString() {
      return scheduledAt + "/" + wentAt;
    }
  }

  /** Milliseconds after which an occurrence that is to be left out if it is late counts as late. */
  static final long LATE = 60_000;

  private static final long LATEST = DelayHeaders.MAX_DELIVER_AT;

  /** Headers that an occurrence beside the calendar does not have either. */
  private static final Set<String> OF_THE_CALENDAR =
      Set.of(
          DelayHeaders.DELAY_MS,
          DelayHeaders.DELAY_DURATION,
          DelayHeaders.DELIVER_AT,
          DelayHeaders.SPREAD_MS,
          DelayHeaders.RETRY,
          DelayHeaders.OCCURRENCE,
          DelayHeaders.SCHEDULED_AT);

  /** Headers that the bridge writes anew for each occurrence. */
  private static final Set<String> OF_ONE =
      Set.of(
          DelayHeaders.SCHEDULE,
          DelayHeaders.OCCURRENCE,
          DelayHeaders.SCHEDULED_AT,
          DelayHeaders.LAST,
          DelayHeaders.PAUSED);

  /** Reads how far a message that {@link DelayedMessage#repeats} has come. */
  public static Repetition of(DelayedMessage message) throws InvalidRepeatException {
    Plan plan = Plan.of(message::header);
    String id = message.id();
    long width = Math.max(0, Plan.number(message.header(DelayHeaders.SPREAD_MS)));
    long spread = id == null ? 0 : Spread.of(width, id);
    long dueAt = message.key().time();
    // Stored by a release that did not know repeating messages: it is still at its beginning.
    boolean isFirst =
        message.header(DelayHeaders.OCCURRENCE) == null
            && message.header(DelayHeaders.SCHEDULED_AT) == null;
    long occurrence = isFirst ? 1 : Plan.number(message.header(DelayHeaders.OCCURRENCE));
    long scheduledAt =
        isFirst ? dueAt - spread : Plan.number(message.header(DelayHeaders.SCHEDULED_AT));
    if (plan == null || id == null || occurrence < 0 || scheduledAt < 0) {
      throw new InvalidRepeatException(
          Reason.INVALID_RETRY,
          "delay-occurrence and delay-scheduled-at do not give the progress of the repetition; only"
              + " the bridge may write them");
    }
    Last last = Last.parse(message.header(DelayHeaders.LAST));
    boolean isPaused = message.header(DelayHeaders.PAUSED) != null;
    return new Repetition(plan, spread, occurrence, scheduledAt, dueAt, isPaused, last);
  }

  /** Whether this is the request, which has nothing to deliver: its first occurrence comes next. */
  public boolean isRequest() {
    return occurrence == 0;
  }

  /** When the occurrence is due by its calendar, epoch milliseconds. */
  public long due() {
    return scheduledAt + spread;
  }

  /**
   * Whether it is too late for the occurrence.
   *
   * @param now epoch milliseconds
   */
  public boolean isMissed(long now) {
    if (isPaused) {
      return true;
    }
    if (plan.missed() != Missed.SKIP || isRequest()) {
      return false;
    }
    // An occurrence that was moved goes out at its new time, whatever comes before that.
    boolean isMoved = dueAt > due();
    return now - Math.max(dueAt, due()) > LATE
        || (!isMoved && plan.rule().next(scheduledAt, scheduledAt) <= now - spread);
  }

  /**
   * Returns the repetition after this one, or null if this is the last.
   *
   * @param now epoch milliseconds at which this occurrence goes out, or is left out
   */
  public @Nullable Repetition next(long now) {
    boolean isAhead = isPaused && !isRequest() && now < due();
    if (isAhead) {
      // The pause is over before the instant of this occurrence.
      return new Repetition(plan, spread, occurrence, scheduledAt, last);
    }
    boolean comes = isRequest() || !isMissed(now);
    if (comes && occurrence >= plan.count()) {
      return null;
    }
    boolean passesOver =
        isPaused || plan.missed() == Missed.SKIP || (plan.missed() == Missed.ONE && !isRequest());
    long after = passesOver ? Math.max(scheduledAt, now - spread) : scheduledAt;
    long next = plan.rule().next(scheduledAt, after);
    if (next > plan.until() || next > LATEST - spread) {
      return null;
    }
    return comes
        ? new Repetition(
            plan, spread, occurrence + 1, next, isRequest() ? null : new Last(scheduledAt, now))
        : new Repetition(plan, spread, occurrence, next, last);
  }

  /** Returns the headers with those that say how far the message has come. */
  public List<StoredHeader> with(List<StoredHeader> headers) {
    List<StoredHeader> with = without(headers, OF_ONE);
    with.add(header(DelayHeaders.OCCURRENCE, occurrence));
    with.add(header(DelayHeaders.SCHEDULED_AT, scheduledAt));
    if (last != null) {
      with.add(header(DelayHeaders.LAST, last));
    }
    if (isPaused) {
      with.add(header(DelayHeaders.PAUSED, true));
    }
    return with;
  }

  /** Returns this occurrence as a message of its own: it has no id, and does not repeat. */
  public DelayedMessage occurrence(DelayedMessage message) {
    return message.withHeaders(ofOne(message));
  }

  /**
   * Returns the headers of an occurrence beside the calendar, without those that say when it is
   * due.
   */
  public static List<StoredHeader> extra(DelayedMessage message) {
    return without(ofOne(message), OF_THE_CALENDAR);
  }

  /**
   * Returns the message as it is moved to another due time.
   *
   * @param isPause whether its occurrences until then are left out
   */
  public static DelayedMessage moved(DelayedMessage message, boolean isPause) {
    List<StoredHeader> headers = without(message.content().headers(), Set.of(DelayHeaders.PAUSED));
    if (isPause) {
      headers.add(header(DelayHeaders.PAUSED, true));
    }
    return message.withHeaders(headers);
  }

  /**
   * Returns when the time to live of this occurrence ends if that of {@code before} ends at {@code
   * expiresAt}: equally long after its instant of the calendar.
   */
  public long expires(Repetition before, long expiresAt) {
    return expiresAt == StoredMessage.NO_EXPIRY
        ? expiresAt
        : expiresAt + scheduledAt - before.scheduledAt;
  }

  /**
   * Returns the headers without those that make the message repeat, and with the id of that
   * message.
   */
  private static List<StoredHeader> ofOne(DelayedMessage message) {
    List<StoredHeader> headers = without(message.content().headers(), DelayHeaders.REPEAT);
    headers.removeIf(header -> header.name().equals(DelayHeaders.ID));
    headers.add(header(DelayHeaders.SCHEDULE, String.valueOf(message.id())));
    return headers;
  }

  private static List<StoredHeader> without(List<StoredHeader> headers, Set<String> names) {
    List<StoredHeader> rest = new ArrayList<>(headers.size() + 3);
    for (StoredHeader header : headers) {
      if (!names.contains(header.name())) {
        rest.add(header);
      }
    }
    return rest;
  }

  private static StoredHeader header(String name, Object value) {
    return new StoredHeader(name, value.toString().getBytes(StandardCharsets.UTF_8));
  }
}
