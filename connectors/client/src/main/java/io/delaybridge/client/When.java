package io.delaybridge.client;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/** A message whose target is known; still to be said: when. */
public final class When {

  private final Schedule schedule;

  When(Schedule schedule) {
    this.schedule = schedule;
  }

  /**
   * So long after the timestamp of the record, which is the moment of sending unless the record is
   * given another one, or the broker stamps it ({@code message.timestamp.type=LogAppendTime}).
   *
   * @param delay not negative; parts of a millisecond count as a whole one. The longest that the
   *     bridge takes is configured there, 365 days by default
   * @throws IllegalArgumentException if it is negative or leads beyond the year 9999
   */
  public Schedule after(Duration delay) {
    return schedule.after(delay);
  }

  /**
   * At this instant; at once, if it has passed.
   *
   * @param instant parts of a millisecond count as a whole one
   * @throws IllegalArgumentException if it is before 2001-09-09T01:46:40Z, which is what an instant
   *     in seconds looks like when it is taken for milliseconds, or after 9999
   */
  public Schedule at(Instant instant) {
    return schedule.at(instant);
  }

  /**
   * Whenever this matches in UTC; the first time, at the next match after the timestamp of the
   * record. See {@link Schedule#cron(String, ZoneId)}, which is for a message that begins
   * otherwise.
   *
   * @throws IllegalArgumentException if it has another number of fields
   */
  public Schedule cron(String expression) {
    return schedule.cron(expression);
  }

  /**
   * Whenever this matches in this zone; the first time, at the next match after the timestamp of
   * the record. See {@link Schedule#cron(String, ZoneId)}, which is for a message that begins
   * otherwise.
   *
   * @throws IllegalArgumentException if it has another number of fields, or the zone no IANA name
   */
  public Schedule cron(String expression, ZoneId zone) {
    return schedule.cron(expression, zone);
  }

  When withId(String id) {
    return new When(schedule.id(id));
  }
}
