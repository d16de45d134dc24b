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
 * How far a repeating message has come. Its successor follows from this and the time at which this
 * occurrence goes out, and from nothing else; see ADR 33.
 *
 * @param spread milliseconds between the instant of the calendar and the due time
 * @param occurrence the number of the one that is next; 0 if the first one is yet to be looked up
 *     in the calendar
 * @param scheduledAt the instant of the calendar that it is for, epoch milliseconds; with number 0,
 *     the timestamp of the request
 * @param dueAt when it is due, epoch milliseconds: another time than {@link #due} if it was moved
 * @param isPaused whether this one is left out, and all that are not later than that
 * @param last the one that came before it, or null if none did
 */
public record Repetition(
    Plan plan,
    long spread,
    long occurrence,
    long scheduledAt,
    long dueAt,
    boolean isPaused,
    @Nullable Last last) {

  /** One that is neither moved nor paused. */
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

  /** An occurrence that is to be left out if it is late is late after so many milliseconds. */
  static final long LATE = 60_000;

  private static final long LATEST = 253_402_300_799_999L;

  /** What one that comes beside the calendar has not either. */
  private static final Set<String> OF_THE_CALENDAR =
      Set.of(
          DelayHeaders.DELAY_MS,
          DelayHeaders.DELAY_DURATION,
          DelayHeaders.DELIVER_AT,
          DelayHeaders.SPREAD_MS,
          DelayHeaders.RETRY,
          DelayHeaders.OCCURRENCE,
          DelayHeaders.SCHEDULED_AT);

  /** What the bridge writes anew for each. */
  private static final Set<String> OF_ONE =
      Set.of(
          DelayHeaders.SCHEDULE,
          DelayHeaders.OCCURRENCE,
          DelayHeaders.SCHEDULED_AT,
          DelayHeaders.LAST,
          DelayHeaders.PAUSED);

  /** Reads what a message that {@link DelayedMessage#repeats} says of itself. */
  public static Repetition of(DelayedMessage message) throws InvalidRepeatException {
    Plan plan = Plan.of(message::header);
    String id = message.id();
    long width = Math.max(0, Plan.number(message.header(DelayHeaders.SPREAD_MS)));
    long spread = id == null ? 0 : Spread.of(width, id);
    long dueAt = message.key().time();
    // Stored by a release that did not know what repeats, it has come nowhere yet.
    boolean isFirst =
        message.header(DelayHeaders.OCCURRENCE) == null
            && message.header(DelayHeaders.SCHEDULED_AT) == null;
    long occurrence = isFirst ? 1 : Plan.number(message.header(DelayHeaders.OCCURRENCE));
    long scheduledAt =
        isFirst ? dueAt - spread : Plan.number(message.header(DelayHeaders.SCHEDULED_AT));
    if (plan == null || id == null || occurrence < 0 || scheduledAt < 0) {
      throw new InvalidRepeatException(
          Reason.INVALID_RETRY,
          "delay-occurrence and delay-scheduled-at do not say how far it has come, only the bridge"
              + " may write them");
    }
    Last last = Last.parse(message.header(DelayHeaders.LAST));
    boolean isPaused = message.header(DelayHeaders.PAUSED) != null;
    return new Repetition(plan, spread, occurrence, scheduledAt, dueAt, isPaused, last);
  }

  /** The request has nothing to deliver: its first occurrence is what comes next. */
  public boolean isRequest() {
    return occurrence == 0;
  }

  /** When it is due by its calendar, epoch milliseconds. */
  public long due() {
    return scheduledAt + spread;
  }

  /**
   * Whether it is too late for it.
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
    // One that was moved goes at its new time, whatever comes before that.
    boolean isMoved = dueAt > due();
    return now - Math.max(dueAt, due()) > LATE
        || (!isMoved && plan.rule().next(scheduledAt, scheduledAt) <= now - spread);
  }

  /**
   * The one after it, or null if it is the last.
   *
   * @param now epoch milliseconds at which it goes out, or is left out
   */
  public @Nullable Repetition next(long now) {
    boolean isAhead = isPaused && !isRequest() && now < due();
    if (isAhead) {
      // The pause is over before its instant.
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

  /** The same headers with how far it has come. */
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

  /** This occurrence of the message, as one of its own: it has no id, and does not repeat. */
  public DelayedMessage occurrence(DelayedMessage message) {
    return message.withHeaders(ofOne(message));
  }

  /** The headers of one that is none of the calendar, but when it is due. */
  public static List<StoredHeader> extra(DelayedMessage message) {
    return without(ofOne(message), OF_THE_CALENDAR);
  }

  /**
   * The message with another due time.
   *
   * @param isPause whether what comes of it until then is left out
   */
  public static DelayedMessage moved(DelayedMessage message, boolean isPause) {
    List<StoredHeader> headers = without(message.content().headers(), Set.of(DelayHeaders.PAUSED));
    if (isPause) {
      headers.add(header(DelayHeaders.PAUSED, true));
    }
    return message.withHeaders(headers);
  }

  /** When its time to live ends if that of this one ends then: as long after the calendar. */
  public long expires(Repetition before, long expiresAt) {
    return expiresAt == StoredMessage.NO_EXPIRY
        ? expiresAt
        : expiresAt + scheduledAt - before.scheduledAt;
  }

  /** The headers without what makes it repeat, and with the name of what it came of. */
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
