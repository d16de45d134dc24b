package io.delaybridge.client;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
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

  /** Where and when; exactly one of the two times is set. */
  private record Due(@Nullable String target, long delayMs, long atMs) {}

  /** What may be left out. */
  private record Options(@Nullable String id, long ttlMs, int maxAttempts, long spreadMs) {}

  private Schedule(InstantSource clock, String intake, Due due, Options options) {
    this.clock = clock;
    this.intake = intake;
    this.due = due;
    this.options = options;
  }

  static Schedule to(@Nullable String target, InstantSource clock) {
    Options none = new Options(null, UNSET, 0, 0);
    return new Schedule(clock, Wire.INTAKE, new Due(target, UNSET, UNSET), none);
  }

  Schedule after(Duration delay) {
    long longest = Wire.LATEST_MS - clock.millis();
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
    return with(new Options(Wire.id(id), options.ttlMs, options.maxAttempts, options.spreadMs));
  }

  /**
   * How long the message is of use, from the timestamp of the record on. What could not be
   * delivered by then becomes a dead letter ({@code EXPIRED}). Must not end before the message is
   * due, the {@link #spread} included; {@link #record} checks that.
   *
   * @param ttl not negative; parts of a millisecond count as a whole one
   * @throws IllegalArgumentException if it is negative or longer than 8,000 years
   */
  public Schedule ttl(Duration ttl) {
    long millis = Wire.millis(Wire.TTL_MS, ttl, Wire.LATEST_MS);
    return with(new Options(options.id, millis, options.maxAttempts, options.spreadMs));
  }

  /**
   * How often the bridge tries to deliver the message, instead of what it is configured with. This
   * is about the bridge reaching the target topic, not about consumers of it; for those there is
   * {@link RetryLater}.
   *
   * @param attempts 1 to 100
   * @throws IllegalArgumentException if it is out of this range
   */
  public Schedule maxAttempts(int attempts) {
    if (attempts < 1 || attempts > Wire.MOST_ATTEMPTS) {
      throw Wire.refused(Wire.MAX_ATTEMPTS, attempts, "1 to " + Wire.MOST_ATTEMPTS);
    }
    return with(new Options(options.id, options.ttlMs, attempts, options.spreadMs));
  }

  /**
   * Moves the due time later by anything up to this, always the same for the same message: for many
   * messages that would be due together.
   *
   * @param width 0 to 2,147,483,647 ms; parts of a millisecond count as a whole one
   * @throws IllegalArgumentException if it is out of this range
   */
  public Schedule spread(Duration width) {
    long millis = Wire.millis(Wire.SPREAD_MS, width, Wire.MAX_SPREAD_MS);
    return with(new Options(options.id, options.ttlMs, options.maxAttempts, millis));
  }

  /**
   * The intake to write to, {@code delay-intake} without this.
   *
   * @throws IllegalArgumentException if Kafka would refuse the name
   */
  public Schedule intake(String topic) {
    return new Schedule(clock, Wire.topic("intake", topic), due, options);
  }

  /**
   * The record to send, with the id as its key; without an id, with no key.
   *
   * @param value as the target is to get it; null is delivered as null
   * @throws IllegalArgumentException if the time to live ends before the message is due
   */
  public <V> ProducerRecord<String, V> record(@Nullable V value) {
    return built(options.id, value);
  }

  /**
   * The record to send, with this key: the target gets it too, and its partition follows from it. A
   * cancel or replacement must have the same one.
   *
   * @param key null only where there is no id
   * @param value as the target is to get it; null is delivered as null
   * @throws IllegalArgumentException if there is an id and the key is null, for then a cancel could
   *     go to another partition than this; or if the time to live ends before the message is due
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
    ProducerRecord<K, V> record = new ProducerRecord<>(intake, key, value);
    write(record.headers());
    return record;
  }

  private void write(Headers headers) {
    if (due.target != null) {
      Wire.put(headers, Wire.TARGET_TOPIC, due.target);
    }
    if (due.delayMs == UNSET) {
      Wire.put(headers, Wire.DELIVER_AT, due.atMs);
    } else {
      Wire.put(headers, Wire.DELAY_MS, due.delayMs);
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
  }

  private void checkTtl() {
    if (options.ttlMs == UNSET) {
      return;
    }
    // The record is stamped now or later, and the whole spread is the worst case of it.
    long delay = due.delayMs == UNSET ? due.atMs - clock.millis() : due.delayMs;
    long needed = Math.max(0, delay + options.spreadMs);
    if (options.ttlMs < needed) {
      throw Wire.refused(
          Wire.TTL_MS,
          Duration.ofMillis(options.ttlMs),
          Duration.ofMillis(needed) + " or more, for the message is not due before that");
    }
  }

  private Schedule with(Due other) {
    return new Schedule(clock, intake, other, options);
  }

  private Schedule with(Options other) {
    return new Schedule(clock, intake, due, other);
  }
}
