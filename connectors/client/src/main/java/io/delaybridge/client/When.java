package io.delaybridge.client;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/** A message whose target is known. Its time is set next. */
public final class When {

  private final Schedule schedule;

  When(Schedule schedule) {
    this.schedule = schedule;
  }

  /**
   * Delivers the message this long after the timestamp of the record. That is the moment of
   * sending, unless the record is given another timestamp or the broker stamps it ({@code
   * message.timestamp.type=LogAppendTime}).
   *
   * @param delay not negative; parts of a millisecond count as a whole one. The bridge configures
   *     the longest delay, 365 days by default
   * @throws IllegalArgumentException if it is negative or leads beyond the year 9999
   */
  public Schedule after(Duration delay) {
    return schedule.after(delay);
  }

  /**
   * Delivers the message at this instant, or at once if it has passed.
   *
   * @param instant parts of a millisecond count as a whole one
   * @throws IllegalArgumentException if it is before 2001-09-09T01:46:40Z (seconds that are taken
   *     for milliseconds look like that) or after 9999
   */
  public Schedule at(Instant instant) {
    return schedule.at(instant);
  }

  /**
   * Delivers the message whenever this matches in UTC, first at the next match after the timestamp
   * of the record. See {@link Schedule#cron(String, ZoneId)}, which is for a message that begins at
   * another time.
   *
   * @throws IllegalArgumentException if the expression has another number of fields
   */
  public Schedule cron(String expression) {
    return schedule.cron(expression);
  }

  /**
   * Delivers the message whenever this matches in this zone, first at the next match after the
   * timestamp of the record. See {@link Schedule#cron(String, ZoneId)}, which is for a message that
   * begins at another time.
   *
   * @throws IllegalArgumentException if the expression has another number of fields, or the zone no
   *     IANA name
   */
  public Schedule cron(String expression, ZoneId zone) {
    return schedule.cron(expression, zone);
  }

  When withId(String id) {
    return new When(schedule.id(id));
  }
}
