package io.delaybridge.schemas;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The names of the record headers that the bridge reads and writes, and the fixed values of some.
 *
 * <p>Every value is UTF-8 text; numbers are decimal. A header whose value is null or empty is
 * present all the same.
 */
public final class DelayHeaders {

  /**
   * The topic to deliver the message to: a legal Kafka topic name. Required to schedule, unless the
   * intake is configured with a default target.
   */
  public static final String TARGET_TOPIC = "delay-target-topic";

  /**
   * The partition of the target to deliver the message to: a whole number, at least 0. Optional:
   * without it, the partition follows from the key of the record. A partition that does not exist
   * when the message is due counts as a target that does not exist.
   */
  public static final String TARGET_PARTITION = "delay-target-partition";

  /**
   * The due time as a delay: whole milliseconds, at least 0, counted from the timestamp of the
   * record. Exactly one of this, {@link #DELAY_DURATION} and {@link #DELIVER_AT} is required to
   * schedule.
   */
  public static final String DELAY_MS = "delay-ms";

  /**
   * The due time as a delay: an ISO-8601 duration of days and smaller units ({@code PT30M}, {@code
   * P7D}), not negative, counted from the timestamp of the record.
   */
  public static final String DELAY_DURATION = "delay-duration";

  /**
   * The due time as an instant: epoch milliseconds, or an ISO-8601 date and time with a zone
   * ({@code 2026-03-01T09:00:00Z}). An instant in the past is due at once.
   */
  public static final String DELIVER_AT = "delay-deliver-at";

  /**
   * The name of the message: 1 to {@link #MAX_ID_BYTES} bytes. Optional to schedule, required to
   * cancel. A later record with the same id in the same partition replaces the message while it is
   * pending. Also on what arrives at the target, if the producer gave it.
   */
  public static final String ID = "delay-id";

  /**
   * The operation: {@link #OP_SCHEDULE}, which is also the default, {@link #OP_CANCEL}, {@link
   * #OP_MOVE}, {@link #OP_REJECT}, {@link #OP_PAUSE} or {@link #OP_RESUME}.
   */
  public static final String OP = "delay-op";

  /**
   * The only pending message that the request is for: {@code offset/due}, the intake offset of its
   * record and its due time in epoch milliseconds, as the API of the bridge reports them. The
   * message must be in the partition that this record is written to; if it has an {@link #ID}, the
   * id must be given as well. Required to move; a cancel that has it is answered. See
   * docs/protocol.md.
   */
  public static final String PENDING = "delay-pending";

  /**
   * The time to live: whole milliseconds, counted from the timestamp of the record. A message that
   * could not be delivered by then is dead-lettered as {@link Reason#EXPIRED}. Optional: without
   * it, the message never expires.
   */
  public static final String TTL_MS = "delay-ttl-ms";

  /**
   * The maximum number of delivery attempts, at least 1. Optional: without it, the configured
   * number.
   */
  public static final String MAX_ATTEMPTS = "delay-max-attempts";

  /**
   * The width over which messages with the same due time are spread: whole milliseconds n, at least
   * 0. The due time moves later by 0 to n ms, always the same for the same message. Optional:
   * without it, the due time does not move.
   */
  public static final String SPREAD_MS = "delay-spread-ms";

  /**
   * The interval of a repeating message: an ISO-8601 duration of days and smaller units, at least
   * one second. A repeating message needs an {@link #ID}, by which it is replaced and cancelled. At
   * most one of this and {@link #CRON}.
   */
  public static final String EVERY = "delay-every";

  /**
   * The calendar of a repeating message, as a cron expression: five fields as in crontab(5), or six
   * with seconds first, or a macro such as {@code @daily}. Without a header for the due time, the
   * first occurrence is the next match after the timestamp of the record.
   */
  public static final String CRON = "delay-cron";

  /** The IANA name of the zone of {@link #CRON}. Optional: without it, UTC. */
  public static final String ZONE = "delay-zone";

  /**
   * The end of the repetition, as an instant like that of {@link #DELIVER_AT}: no occurrence is
   * later. Optional.
   */
  public static final String UNTIL = "delay-until";

  /** The number of occurrences, at least 1. Optional. */
  public static final String COUNT = "delay-count";

  /**
   * The treatment of occurrences that were missed because of an outage or a pause: {@link
   * #MISSED_ONE}, which is also the default, {@link #MISSED_ALL} or {@link #MISSED_SKIP}.
   */
  public static final String MISSED = "delay-missed";

  /**
   * Internal: only the bridge writes it, on the copy of a message that it puts back on the intake
   * for a later attempt. Its format is private to the bridge. A value that the bridge cannot have
   * written makes a dead letter ({@link Reason#INVALID_RETRY}). Any other value is trusted, so
   * producers must not set it.
   */
  public static final String RETRY = "delay-retry";

  /**
   * The origin of the message: {@code topic/partition/offset} of the record on the intake, the
   * first one if there were several attempts. On everything that arrives, and on dead letters.
   */
  public static final String SOURCE = "delay-source";

  /** The due time of the message: epoch milliseconds. On everything that arrives. */
  public static final String DUE_AT = "delay-due-at";

  /**
   * The time when the bridge sent the message to its target: epoch milliseconds. On everything that
   * arrives.
   */
  public static final String DELIVERED_AT = "delay-delivered-at";

  /** The number of the attempt, from 1. On everything that arrives, and on dead letters. */
  public static final String ATTEMPT = "delay-attempt";

  /** The reason why the message is a dead letter: the name of a {@link Reason}. On dead letters. */
  public static final String DEAD_REASON = "delay-dead-reason";

  /**
   * The exact error, for a human; programs should not parse it. On dead letters, if there is
   * anything to add to the reason.
   */
  public static final String DEAD_DETAIL = "delay-dead-detail";

  /** The time when the message became a dead letter: epoch milliseconds. On dead letters. */
  public static final String DEAD_AT = "delay-dead-at";

  /**
   * The number of the <em>consumer's</em> attempt: 2 for the first retry. Written by a consumer
   * that failed and puts the record back through the intake; absent on the first attempt. Not to be
   * confused with {@link #ATTEMPT}, which counts the attempts of the bridge. The bridge delivers it
   * unchanged, like any other header.
   */
  public static final String CONSUMER_ATTEMPT = "delay-consumer-attempt";

  /**
   * The record that the consumer failed on first, {@code topic/partition/offset}; the same over all
   * its attempts. Written together with {@link #CONSUMER_ATTEMPT}.
   */
  public static final String CONSUMER_SOURCE = "delay-consumer-source";

  /**
   * The timestamp of the record that the consumer failed on first: epoch milliseconds; the same
   * over all its attempts. Written together with {@link #CONSUMER_SOURCE}, if that record has one.
   */
  public static final String CONSUMER_TIMESTAMP = "delay-consumer-timestamp";

  /**
   * The {@link #ID} that the message had when the consumer first failed, if any. The bridge does
   * not treat it as an id: the retry must not replace a newer message with that id.
   */
  public static final String CONSUMER_ID = "delay-consumer-id";

  /** The URL that the callback connector calls instead of the configured one. */
  public static final String CALLBACK_URL = "delay-callback-url";

  /**
   * The number of the <em>callback connector's</em> attempt that a record is for, from 2. Written
   * on its retries; the bridge delivers it unchanged.
   */
  public static final String CALLBACK_ATTEMPT = "delay-callback-attempt";

  /**
   * The identity of the message over all attempts of the callback connector: the {@link #SOURCE} of
   * the first one, followed by the number of the occurrence if the message repeats. If it had no
   * source, the place where it was read. Written on its retries.
   */
  public static final String CALLBACK_SOURCE = "delay-callback-source";

  /** The {@link #ID} of the first attempt of the callback connector, if it had one. */
  public static final String CALLBACK_ID = "delay-callback-id";

  /**
   * The place of the key, value and headers of the message, if they would make the dead letter too
   * large: {@code topic/partition/offset} of a record on the intake. On such dead letters only.
   */
  public static final String DEAD_CONTENT = "delay-dead-content";

  /**
   * The number of times that the message was replayed as a dead letter, from 1. The bridge writes
   * it on the record that a replay puts on the intake. It carries it on to the target and, if
   * delivery fails again, to the next dead letter. Producers must not set it.
   */
  public static final String REPLAY = "delay-replay";

  /**
   * The number of the occurrence of a repeating message, from 1. On everything that results from an
   * occurrence, together with {@link #SCHEDULE} and {@link #SCHEDULED_AT}. Only the bridge writes
   * them. A consumer that puts the record back keeps them like any other header.
   */
  public static final String OCCURRENCE = "delay-occurrence";

  /**
   * The instant of the calendar that this occurrence is for: epoch milliseconds. Neither {@link
   * #SPREAD_MS} nor another attempt changes it.
   */
  public static final String SCHEDULED_AT = "delay-scheduled-at";

  /**
   * The {@link #ID} of the repeating message. An occurrence has no id of its own, so that no later
   * record of it replaces the message.
   */
  public static final String SCHEDULE = "delay-schedule";

  /**
   * On the record in the intake that stands for the next occurrence of a repeating message: the one
   * before it, as {@code scheduled-at/went-at} in epoch milliseconds. Only the bridge writes it.
   */
  public static final String LAST = "delay-last";

  /**
   * On the record in the intake that stands for the next occurrence of a repeating message that is
   * paused: {@code true}. This occurrence is left out. Only the bridge writes it.
   */
  public static final String PAUSED = "delay-paused";

  /** The value of {@link #MISSED} for one late occurrence, followed by the regular ones. */
  public static final String MISSED_ONE = "one";

  /** The value of {@link #MISSED} for every occurrence, however late. */
  public static final String MISSED_ALL = "all";

  /** The value of {@link #MISSED} for none of the missed occurrences. */
  public static final String MISSED_SKIP = "skip";

  /** The value of {@link #OP} that requests a delivery. */
  public static final String OP_SCHEDULE = "schedule";

  /** The value of {@link #OP} that cancels the pending message with the same {@link #ID}. */
  public static final String OP_CANCEL = "cancel";

  /** The value of {@link #OP} that gives the {@link #PENDING} message another due time. */
  public static final String OP_MOVE = "move";

  /**
   * The value of {@link #OP} that moves the {@link #PENDING} message as {@link #OP_MOVE} does, if
   * it repeats, and leaves out this occurrence and all that are not later than the new due time.
   */
  public static final String OP_SKIP = "skip";

  /** The value of {@link #OP} that makes the {@link #PENDING} message a dead letter. */
  public static final String OP_REJECT = "reject";

  /** The value of {@link #OP} that stops delivery from this partition until {@link #OP_RESUME}. */
  public static final String OP_PAUSE = "pause";

  /** The value of {@link #OP} that starts delivery again. */
  public static final String OP_RESUME = "resume";

  /**
   * The smallest {@link #DELIVER_AT} that is a number, in epoch milliseconds: 2001-09-09T01:46:40Z.
   * A smaller number is most likely a recent instant in seconds.
   */
  public static final long MIN_DELIVER_AT = 1_000_000_000_000L;

  /** The latest due time, in epoch milliseconds: the end of the year 9999. */
  public static final long MAX_DELIVER_AT = 253_402_300_799_999L;

  /** The longest {@link #ID}, in bytes of UTF-8. */
  public static final int MAX_ID_BYTES = 256;

  /** The headers that control the bridge. Removed at the target, kept on dead letters. */
  public static final Set<String> CONTROL =
      Set.of(
          TARGET_TOPIC,
          TARGET_PARTITION,
          DELAY_MS,
          DELAY_DURATION,
          DELIVER_AT,
          ID,
          OP,
          PENDING,
          TTL_MS,
          MAX_ATTEMPTS,
          SPREAD_MS,
          EVERY,
          CRON,
          ZONE,
          UNTIL,
          COUNT,
          MISSED,
          LAST,
          PAUSED,
          RETRY);

  /** The headers that the bridge adds to everything that arrives at a target. */
  public static final Set<String> ARRIVAL = Set.of(SOURCE, DUE_AT, DELIVERED_AT, ATTEMPT);

  /** The headers that the bridge adds to dead letters only. */
  public static final Set<String> DEAD = Set.of(DEAD_REASON, DEAD_DETAIL, DEAD_AT, DEAD_CONTENT);

  /** The headers that the bridge writes on an intake record and carries on wherever it goes. */
  public static final Set<String> CARRIED = Set.of(REPLAY);

  /** The headers for the repetition of a message. No occurrence of it has these. */
  public static final Set<String> REPEAT =
      Set.of(EVERY, CRON, ZONE, UNTIL, COUNT, MISSED, LAST, PAUSED);

  /** The headers that the bridge adds to each occurrence, whatever becomes of it. */
  public static final Set<String> REPEATED = Set.of(SCHEDULE, OCCURRENCE, SCHEDULED_AT);

  /**
   * The headers of a consumer on a record that it puts back; the bridge delivers them unchanged.
   */
  public static final Set<String> CONSUMER =
      Set.of(CONSUMER_ATTEMPT, CONSUMER_SOURCE, CONSUMER_TIMESTAMP, CONSUMER_ID);

  /** The headers for the callback connector, and those of its retries; delivered unchanged. */
  public static final Set<String> CALLBACK =
      Set.of(CALLBACK_URL, CALLBACK_ATTEMPT, CALLBACK_SOURCE, CALLBACK_ID);

  /** All of them. Whoever reads a record asks {@link KnownHeaders} instead. */
  public static final Set<String> KNOWN =
      Stream.of(CONTROL, ARRIVAL, DEAD, CARRIED, REPEAT, REPEATED, CONSUMER, CALLBACK)
          .flatMap(Set::stream)
          .collect(Collectors.toUnmodifiableSet());

  private DelayHeaders() {}
}
