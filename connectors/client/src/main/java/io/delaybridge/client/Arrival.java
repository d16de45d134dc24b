package io.delaybridge.client;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * What the bridge says about a record that it delivered.
 *
 * @param source the record on the intake that requested the delivery. It is the same for all
 *     attempts and different for any two requests, so it identifies a repetition, together with the
 *     occurrence if there is one: all occurrences of a message have the same source
 * @param dueAt when the message was due, to the millisecond
 * @param deliveredAt when the bridge sent it, to the millisecond, by the clock of the bridge
 * @param attempt the attempt of the bridge, from 1
 * @param id the id that the producer gave, or null
 * @param consumerAttempt the attempt of the consumer, from 1: 2 for the first retry by {@link
 *     RetryLater}; see {@link #consumerAttempt(Headers)}
 * @param firstFailed the record that the consumer failed on first, if this is a retry; otherwise
 *     null
 * @param firstTimestamp the timestamp of that record; null if this is no retry, or if the record
 *     had none
 * @param schedule the id of the repeating message that this came from, or null; it has no id of its
 *     own
 * @param occurrence the number of the occurrence, from 1; null if it is none, for example if it was
 *     run once outside the calendar
 * @param scheduledAt the instant of the calendar that it is for, which neither a spread nor another
 *     attempt changes; null if it is no occurrence
 */
public record Arrival(
    Source source,
    Instant dueAt,
    Instant deliveredAt,
    int attempt,
    @Nullable String id,
    int consumerAttempt,
    @Nullable Source firstFailed,
    @Nullable Instant firstTimestamp,
    @Nullable String schedule,
    @Nullable Long occurrence,
    @Nullable Instant scheduledAt) {

  private static final Pattern ATTEMPT = Pattern.compile("[1-9][0-9]{0,8}");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  /**
   * Returns what the bridge says about this record, or empty if it did not come through the bridge.
   *
   * @throws IllegalArgumentException if the record has the bridge's headers, but one of them is
   *     missing or cannot be read; the message names the header, its value and what is allowed
   */
  public static Optional<Arrival> of(ConsumerRecord<?, ?> record) {
    return of(record.headers());
  }

  /** As {@link #of(ConsumerRecord)}, from the headers alone, where there is no record. */
  public static Optional<Arrival> of(Headers headers) {
    String source = Wire.text(headers, Wire.SOURCE);
    // A dead letter also has a source, but it has not arrived.
    if (source == null || headers.lastHeader(Wire.DEAD_REASON) != null) {
      return Optional.empty();
    }
    String id = Wire.text(headers, Wire.ID);
    String first = Wire.text(headers, Wire.CONSUMER_SOURCE);
    String schedule = Wire.text(headers, Wire.SCHEDULE);
    return Optional.of(
        new Arrival(
            Source.parse(source),
            instant(headers, Wire.DUE_AT),
            instant(headers, Wire.DELIVERED_AT),
            (int) number(headers, Wire.ATTEMPT, Integer.MAX_VALUE),
            id != null ? id : Wire.text(headers, Wire.CONSUMER_ID),
            consumerAttempt(headers),
            first == null ? null : Source.parse(first),
            headers.lastHeader(Wire.CONSUMER_TIMESTAMP) == null
                ? null
                : instant(headers, Wire.CONSUMER_TIMESTAMP),
            schedule,
            has(headers, schedule, Wire.OCCURRENCE)
                ? (Long) number(headers, Wire.OCCURRENCE, Long.MAX_VALUE)
                : null,
            has(headers, schedule, Wire.SCHEDULED_AT)
                ? instant(headers, Wire.SCHEDULED_AT)
                : null));
  }

  /**
   * Returns how long after its due time the bridge sent the message. If it was past due when it was
   * written, this is more than its time in the bridge.
   */
  public Duration lateness() {
    return Duration.between(dueAt, deliveredAt);
  }

  /**
   * Returns the attempt of the consumer that a record with these headers is, from 1. A header that
   * cannot be read counts as absent, because code that is about to retry must not fail on it.
   */
  public static int consumerAttempt(Headers headers) {
    try {
      String text = Wire.text(headers, Wire.CONSUMER_ATTEMPT);
      return text != null && ATTEMPT.matcher(text).matches() ? Integer.parseInt(text) : 1;
    } catch (IllegalArgumentException e) {
      return 1;
    }
  }

  /**
   * Returns the timestamp of the record that the consumer failed on first, if this is a retry, and
   * otherwise that of this record, in epoch milliseconds. So each attempt sees the same one,
   * although each delivery has a timestamp of its own. A header that cannot be read counts as
   * absent.
   */
  public static long originalTimestamp(ConsumerRecord<?, ?> record) {
    try {
      if (record.headers().lastHeader(Wire.CONSUMER_TIMESTAMP) != null) {
        return number(record.headers(), Wire.CONSUMER_TIMESTAMP, Long.MAX_VALUE);
      }
    } catch (IllegalArgumentException e) {
      return record.timestamp();
    }
    return record.timestamp();
  }

  /** A record that was run outside the calendar has only the schedule. */
  private static boolean has(Headers headers, @Nullable String schedule, String name) {
    return schedule != null && headers.lastHeader(name) != null;
  }

  private static Instant instant(Headers headers, String name) {
    return Instant.ofEpochMilli(number(headers, name, Long.MAX_VALUE));
  }

  private static long number(Headers headers, String name, long max) {
    String text = Wire.text(headers, name);
    if (text != null && NUMBER.matcher(text).matches()) {
      long value = Long.parseLong(text);
      if (value <= max) {
        return value;
      }
    }
    String is = text == null ? "missing" : Wire.shortened(text);
    throw Wire.refused(name, is, "a whole number from 0 to " + max);
  }
}
