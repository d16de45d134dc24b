package io.delaybridge.client;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * A request for a delivery. Immutable: each method returns another request, so one can be kept and
 * used for many records, from any thread.
 */
public final class Schedule {

  private static final long UNSET = -1;

  private final InstantSource clock;
  private final String intake;
  private final Due due;
  private final Options options;
  private final Repetition repetition;

  /**
   * Where and when. At most one of the two times is set; none is set only with a cron expression.
   */
  private record Due(@Nullable String target, long delayMs, long atMs) {}

  /** The optional settings. */
  private record Options(
      @Nullable String id,
      @Nullable Integer partition,
      long ttlMs,
      int maxAttempts,
      long spreadMs) {

    static final Options NONE = new Options(null, null, UNSET, 0, 0);

    Options withId(String id) {
      return new Options(id, partition, ttlMs, maxAttempts, spreadMs);
    }

    Options withPartition(int partition) {
      return new Options(id, partition, ttlMs, maxAttempts, spreadMs);
    }

    Options withTtl(long ttlMs) {
      return new Options(id, partition, ttlMs, maxAttempts, spreadMs);
    }

    Options withMaxAttempts(int maxAttempts) {
      return new Options(id, partition, ttlMs, maxAttempts, spreadMs);
    }

    Options withSpread(long spreadMs) {
      return new Options(id, partition, ttlMs, maxAttempts, spreadMs);
    }
  }

  private Schedule(
      InstantSource clock, String intake, Due due, Options options, Repetition repetition) {
    this.clock = clock;
    this.intake = intake;
    this.due = due;
    this.options = options;
    this.repetition = repetition;
  }

  static Schedule to(@Nullable String target, InstantSource clock) {
    Due nowhen = new Due(target, UNSET, UNSET);
    return new Schedule(clock, Wire.INTAKE, nowhen, Options.NONE, Repetition.NONE);
  }

  Schedule after(Duration delay) {
    long longest = Wire.MAX_DELIVER_AT - clock.millis();
    return with(new Due(due.target, Wire.millis(Wire.DELAY_MS, delay, longest), UNSET));
  }

  Schedule at(Instant instant) {
    return with(new Due(due.target, UNSET, Wire.millis(Wire.DELIVER_AT, instant)));
  }

  /**
   * Names the message, so that it can be cancelled or replaced while it is pending. If one with
   * this id is pending in the same partition, this one replaces it.
   *
   * @param id 1 to 256 bytes of UTF-8
   * @throws IllegalArgumentException if it is not
   */
  public Schedule id(String id) {
    return with(options.withId(Wire.id(id)));
  }

  /**
   * Sets the partition of the target, which follows from the key otherwise. If the target does not
   * have it when the message is due, the message is tried again, like one whose target is missing.
   *
   * @param partition at least 0
   * @throws IllegalArgumentException if it is negative
   */
  public Schedule partition(int partition) {
    if (partition < 0) {
      throw Wire.refused(Wire.TARGET_PARTITION, partition, "0 to " + Integer.MAX_VALUE);
    }
    return with(options.withPartition(partition));
  }

  /**
   * Sets how long the message is useful, counted from the timestamp of the record. If it could not
   * be delivered by then, it becomes a dead letter ({@code EXPIRED}). This time must not end before
   * the message is due, including the {@link #spread}; {@link #record} checks that. If the message
   * repeats, each occurrence has as long as the first; with {@link When#cron}, that is counted from
   * its instant.
   *
   * @param ttl not negative; parts of a millisecond count as a whole one
   * @throws IllegalArgumentException if it is negative or longer than 8,000 years
   */
  public Schedule ttl(Duration ttl) {
    long millis = Wire.millis(Wire.TTL_MS, ttl, Wire.MAX_DELIVER_AT);
    return with(options.withTtl(millis));
  }

  /**
   * Sets how often the bridge tries to deliver the message, instead of its configured number. This
   * is about the bridge reaching the target topic, not about consumers of it. For those, use {@link
   * RetryLater}.
   *
   * @param attempts 1 to 100
   * @throws IllegalArgumentException if it is out of this range
   */
  public Schedule maxAttempts(int attempts) {
    if (attempts < 1 || attempts > Wire.MOST_ATTEMPTS) {
      throw Wire.refused(Wire.MAX_ATTEMPTS, attempts, "1 to " + Wire.MOST_ATTEMPTS);
    }
    return with(options.withMaxAttempts(attempts));
  }

  /**
   * Moves the due time later by up to this width, for many messages that would be due together. The
   * shift is always the same for the same message.
   *
   * @param width 0 to 2,147,483,647 ms; parts of a millisecond count as a whole one
   * @throws IllegalArgumentException if it is out of this range
   */
  public Schedule spread(Duration width) {
    long millis = Wire.millis(Wire.SPREAD_MS, width, Wire.MAX_SPREAD_MS);
    return with(options.withSpread(millis));
  }

  /**
   * Repeats the message at this interval. It counts from the first occurrence, not from when that
   * went out, so it does not drift. Needs an {@link #id} for cancelling and replacing.
   *
   * @param every a second or more; parts of a millisecond count as a whole one
   * @throws IllegalArgumentException if it is shorter, or if there is a cron expression
   */
  public Schedule every(Duration every) {
    return with(repetition.withEvery(every));
  }

  /**
   * Repeats the message when this expression matches, in UTC; see {@link #cron(String, ZoneId)}.
   *
   * @throws IllegalArgumentException if the expression has another number of fields, or if {@link
   *     #every} is set
   */
  public Schedule cron(String expression) {
    return with(repetition.withCron(expression, null));
  }

  /**
   * Repeats the message when this expression matches in this zone. Needs an {@link #id} for
   * cancelling and replacing. Only the bridge reads the expression. If it does not understand it,
   * the message becomes a dead letter ({@code INVALID_CRON}).
   *
   * @param expression minute, hour, day of the month, month and day of the week as in crontab(5);
   *     with six fields, seconds come first. Or a macro: {@code @hourly}, {@code @daily},
   *     {@code @weekly}, {@code @monthly}, {@code @yearly}
   * @param zone with an IANA name, such as {@code Europe/Berlin}; a plain offset is refused, except
   *     that of UTC
   * @throws IllegalArgumentException if the expression has another number of fields, the zone has
   *     no such name, or {@link #every} is set
   */
  public Schedule cron(String expression, ZoneId zone) {
    return with(repetition.withCron(expression, zone));
  }

  /**
   * Sets the latest instant that an occurrence can be for.
   *
   * @param until parts of a millisecond are cut off
   * @throws IllegalArgumentException if it is before 2001-09-09T01:46:40Z or after 9999; {@link
   *     #record} refuses it if it is before the first occurrence, or if the message does not repeat
   */
  public Schedule until(Instant until) {
    return with(repetition.withUntil(until));
  }

  /**
   * Sets the number of occurrences.
   *
   * @param occurrences 1 to 10^18 - 1
   * @throws IllegalArgumentException if it is out of this range; {@link #record} refuses it if the
   *     message does not repeat
   */
  public Schedule count(long occurrences) {
    return with(repetition.withCount(occurrences));
  }

  /**
   * Sets what happens to missed occurrences. The default is {@link Missed#ONE}. {@link #record}
   * refuses it if the message does not repeat.
   */
  public Schedule missed(Missed missed) {
    return with(repetition.withMissed(missed));
  }

  /**
   * Sets the intake to write to. The default is {@code delay-intake}.
   *
   * @throws IllegalArgumentException if Kafka would refuse the name
   */
  public Schedule intake(String topic) {
    return new Schedule(clock, Wire.topic("intake", topic), due, options, repetition);
  }

  /**
   * Returns the record to send, with the id as its key; without an id, with no key.
   *
   * @param value as the target is to get it; null is delivered as null
   * @throws IllegalArgumentException if the time to live ends before the message is due, or if it
   *     repeats and has no id or ends before it begins
   */
  public <V> ProducerRecord<String, V> record(@Nullable V value) {
    return built(options.id, value);
  }

  /**
   * Returns the record to send, with this key. The target gets it too, and its partition follows
   * from it, unless there is a {@link #partition}. A cancel or replacement must have the same key.
   *
   * @param key null only if there is no id
   * @param value as the target is to get it; null is delivered as null
   * @throws IllegalArgumentException if there is an id and the key is null, because a cancel could
   *     then go to another partition; or if the time to live ends before the message is due, or if
   *     it repeats and has no id or ends before it begins
   */
  public <K, V> ProducerRecord<K, V> record(@Nullable K key, @Nullable V value) {
    if (key == null && options.id != null) {
      throw new IllegalArgumentException(
          "The key is null, allowed with an id: a key, the same for schedule, cancel and"
              + " replacement. record(value) takes the id.");
    }
    return built(key, value);
  }

  // Kafka's own type has no annotations; its key and value may be null.
  @SuppressWarnings("NullAway")
  private <K, V> ProducerRecord<K, V> built(@Nullable K key, @Nullable V value) {
    checkTtl();
    repetition.check(options.id, firstMs());
    ProducerRecord<K, V> record = new ProducerRecord<>(intake, key, value);
    write(record.headers());
    return record;
  }

  private void write(Headers headers) {
    if (due.target != null) {
      Wire.put(headers, Wire.TARGET_TOPIC, due.target);
    }
    if (due.atMs != UNSET) {
      Wire.put(headers, Wire.DELIVER_AT, due.atMs);
    } else if (due.delayMs != UNSET) {
      Wire.put(headers, Wire.DELAY_MS, due.delayMs);
    }
    if (options.partition != null) {
      Wire.put(headers, Wire.TARGET_PARTITION, options.partition);
    }
    if (options.id != null) {
      Wire.put(headers, Wire.ID, options.id);
    }
    if (options.ttlMs != UNSET) {
      Wire.put(headers, Wire.TTL_MS, options.ttlMs);
    }
    if (options.maxAttempts != 0) {
      Wire.put(headers, Wire.MAX_ATTEMPTS, options.maxAttempts);
    }
    if (options.spreadMs != 0) {
      Wire.put(headers, Wire.SPREAD_MS, options.spreadMs);
    }
    repetition.write(headers);
  }

  private void checkTtl() {
    if (options.ttlMs == UNSET) {
      return;
    }
    // The record is stamped now or later, and the whole spread is the worst case.
    long delay = due.atMs == UNSET ? Math.max(0, due.delayMs) : due.atMs - clock.millis();
    long needed = Math.max(0, delay + options.spreadMs);
    if (options.ttlMs < needed) {
      throw Wire.refused(
          Wire.TTL_MS,
          Duration.ofMillis(options.ttlMs),
          Duration.ofMillis(needed) + " or more, because the message is not due earlier");
    }
  }

  /** Returns when it is due, or the earliest time that it can be, without the spread. */
  private long firstMs() {
    return due.atMs != UNSET ? due.atMs : clock.millis() + Math.max(0, due.delayMs);
  }

  private Schedule with(Due other) {
    return new Schedule(clock, intake, other, options, repetition);
  }

  private Schedule with(Options other) {
    return new Schedule(clock, intake, due, other, repetition);
  }

  private Schedule with(Repetition other) {
    return new Schedule(clock, intake, due, options, other);
  }
}
