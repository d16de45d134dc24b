package io.delaybridge.schemas;

import java.util.Set;

/**
 * The names of the record headers that the bridge reads and writes, and the fixed values of some.
 *
 * <p>Every value is UTF-8 text; numbers are decimal. A header whose value is null or empty is
 * present all the same.
 */
public final class DelayHeaders {

  /**
   * Where the message is to be delivered: a legal Kafka topic name. Required to schedule, unless
   * the intake is configured with a default target.
   */
  public static final String TARGET_TOPIC = "delay-target-topic";

  /**
   * When, as a delay: whole milliseconds, at least 0, counted from the timestamp of the record.
   * Exactly one of this, {@link #DELAY_DURATION} and {@link #DELIVER_AT} is required to schedule.
   */
  public static final String DELAY_MS = "delay-ms";

  /**
   * When, as a delay: an ISO-8601 duration of days and smaller units ({@code PT30M}, {@code P7D}),
   * not negative, counted from the timestamp of the record.
   */
  public static final String DELAY_DURATION = "delay-duration";

  /**
   * When, as an instant: epoch milliseconds, or ISO-8601 date and time with zone ({@code
   * 2026-03-01T09:00:00Z}). An instant in the past is due at once.
   */
  public static final String DELIVER_AT = "delay-deliver-at";

  /**
   * The name of the message: 1 to {@link #MAX_ID_BYTES} bytes. Optional to schedule, required to
   * cancel. A later record with the same id in the same partition replaces the message while it is
   * pending. Also on what arrives at the target, if the producer gave it.
   */
  public static final String ID = "delay-id";

  /**
   * What is asked for: {@link #OP_SCHEDULE}, which is also the default, {@link #OP_CANCEL}, {@link
   * #OP_MOVE}, {@link #OP_REJECT}, {@link #OP_PAUSE} or {@link #OP_RESUME}.
   */
  public static final String OP = "delay-op";

  /**
   * Which pending message is meant, and no other: {@code offset/due}, the intake offset of its
   * record and its due time in epoch milliseconds, as the API of the bridge tells them. The message
   * must be in the partition that this record is written to; if it has an {@link #ID}, the id must
   * be given as well. Required to move; a cancel that has it is answered. See docs/protocol.md.
   */
  public static final String PENDING = "delay-pending";

  /**
   * How long the message is of use: whole milliseconds, counted from the timestamp of the record. A
   * message that could not be delivered by then is dead-lettered as {@link Reason#EXPIRED}.
   * Optional: without it, it never expires.
   */
  public static final String TTL_MS = "delay-ttl-ms";

  /**
   * How many delivery attempts the message may have, at least 1. Optional: without it, the
   * configured number.
   */
  public static final String MAX_ATTEMPTS = "delay-max-attempts";

  /**
   * How far to spread messages that have one due time: whole milliseconds n, at least 0. The due
   * time moves later by 0 to n ms, always the same for the same message. Optional: without it, it
   * does not move.
   */
  public static final String SPREAD_MS = "delay-spread-ms";

  /**
   * How often it repeats, as a time: an ISO-8601 duration of days and smaller units, at least one
   * second. A message that repeats needs an {@link #ID}, by which it is replaced and cancelled. At
   * most one of this and {@link #CRON}.
   */
  public static final String EVERY = "delay-every";

  /**
   * When it repeats, as a cron expression: five fields as in crontab(5), or six with seconds first,
   * or a macro such as {@code @daily}. Without a header that says when, the first occurrence is the
   * next match after the timestamp of the record.
   */
  public static final String CRON = "delay-cron";

  /** The IANA name of the zone of {@link #CRON}. Optional: without it, UTC. */
  public static final String ZONE = "delay-zone";

  /**
   * Until when it repeats, as an instant like that of {@link #DELIVER_AT}: no occurrence has a
   * later one. Optional.
   */
  public static final String UNTIL = "delay-until";

  /** How many occurrences there are, at least 1. Optional. */
  public static final String COUNT = "delay-count";

  /**
   * What becomes of occurrences whose time has passed without them, because of an outage or a
   * pause: {@link #MISSED_ONE}, which is also the default, {@link #MISSED_ALL} or {@link
   * #MISSED_SKIP}.
   */
  public static final String MISSED = "delay-missed";

  /**
   * Internal: only the bridge writes it, on the copy of a message that it puts back to the intake
   * for a later attempt. Its format is the bridge's own business. One that the bridge cannot have
   * written makes a dead letter ({@link Reason#INVALID_RETRY}); beyond that it is believed, so
   * whoever may write to the intake must leave it alone.
   */
  public static final String RETRY = "delay-retry";

  /**
   * Where the message came from: {@code topic/partition/offset} of the record on the intake, the
   * first one if there were several attempts. On everything that arrives, and on dead letters.
   */
  public static final String SOURCE = "delay-source";

  /** When the message was due: epoch milliseconds. On everything that arrives. */
  public static final String DUE_AT = "delay-due-at";

  /**
   * When the bridge sent the message to its target: epoch milliseconds. On everything that arrives.
   */
  public static final String DELIVERED_AT = "delay-delivered-at";

  /** Which attempt this is, 1 for the first. On everything that arrives, and on dead letters. */
  public static final String ATTEMPT = "delay-attempt";

  /** Why the message is a dead letter: the name of a {@link Reason}. On dead letters. */
  public static final String DEAD_REASON = "delay-dead-reason";

  /**
   * What exactly went wrong, for a human; no program should read it. On dead letters, if there is
   * anything to add to the reason.
   */
  public static final String DEAD_DETAIL = "delay-dead-detail";

  /** When the message became a dead letter: epoch milliseconds. On dead letters. */
  public static final String DEAD_AT = "delay-dead-at";

  /**
   * Which attempt of the <em>consumer</em> this is: 2 for the first retry. Written by a consumer
   * that failed and puts the record back through the intake; absent on the first attempt. Not to be
   * confused with {@link #ATTEMPT}, which counts the bridge's own. To the bridge, a header like any
   * other: delivered as it is.
   */
  public static final String CONSUMER_ATTEMPT = "delay-consumer-attempt";

  /**
   * The record that the consumer failed on first, {@code topic/partition/offset}; the same over all
   * its attempts. Written together with {@link #CONSUMER_ATTEMPT}.
   */
  public static final String CONSUMER_SOURCE = "delay-consumer-source";

  /**
   * The {@link #ID} that the message arrived with when the consumer failed first, if it had one. No
   * id to the bridge: the retry must not replace a newer message of that id.
   */
  public static final String CONSUMER_ID = "delay-consumer-id";

  /**
   * Where key, value and headers of the message are, if they are not on the dead letter because it
   * would be too large: {@code topic/partition/offset} of a record on the intake. On such dead
   * letters only.
   */
  public static final String DEAD_CONTENT = "delay-dead-content";

  /**
   * How often the message was a dead letter and replayed from there, 1 for the first time. The
   * bridge writes it on the record that a replay puts on the intake, and carries it on to the
   * target and, should it die again, to the next dead letter. Producers leave it alone.
   */
  public static final String REPLAY = "delay-replay";

  /**
   * Which occurrence of a repeating message this is, 1 for the first. On all that comes of one,
   * together with {@link #SCHEDULE} and {@link #SCHEDULED_AT}; only the bridge writes them. To a
   * consumer that puts the record back they are headers like any other.
   */
  public static final String OCCURRENCE = "delay-occurrence";

  /**
   * The instant of the calendar that this occurrence is for: epoch milliseconds. Neither {@link
   * #SPREAD_MS} nor another attempt changes it.
   */
  public static final String SCHEDULED_AT = "delay-scheduled-at";

  /**
   * The {@link #ID} of the repeating message. An occurrence has no id of its own, so that nothing
   * that becomes of it takes the place of the message.
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

  /** The value of {@link #MISSED} that has one late occurrence, and then the regular ones. */
  public static final String MISSED_ONE = "one";

  /** The value of {@link #MISSED} that has every occurrence, however late. */
  public static final String MISSED_ALL = "all";

  /** The value of {@link #MISSED} that has none of them. */
  public static final String MISSED_SKIP = "skip";

  /** The value of {@link #OP} that asks for a delivery. */
  public static final String OP_SCHEDULE = "schedule";

  /** The value of {@link #OP} that takes back the pending message of the same {@link #ID}. */
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
   * The least {@link #DELIVER_AT} that is a number, epoch milliseconds: 2001-09-09T01:46:40Z. In
   * milliseconds nobody means a smaller one, but in seconds it is one of these years.
   */
  public static final long MIN_DELIVER_AT = 1_000_000_000_000L;

  /** The longest {@link #ID}, in bytes of UTF-8. */
  public static final int MAX_ID_BYTES = 256;

  /**
   * What tells the bridge what to do. Removed from what arrives at the target, kept on dead
   * letters.
   */
  public static final Set<String> CONTROL =
      Set.of(
          TARGET_TOPIC,
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

  /** What the bridge adds to everything that arrives at a target. */
  public static final Set<String> ARRIVAL = Set.of(SOURCE, DUE_AT, DELIVERED_AT, ATTEMPT);

  /** What the bridge adds to dead letters only. */
  public static final Set<String> DEAD = Set.of(DEAD_REASON, DEAD_DETAIL, DEAD_AT, DEAD_CONTENT);

  /** What the bridge writes on an intake record and carries on to wherever the message goes. */
  public static final Set<String> CARRIED = Set.of(REPLAY);

  /** What says how a message repeats. No occurrence of it has these. */
  public static final Set<String> REPEAT =
      Set.of(EVERY, CRON, ZONE, UNTIL, COUNT, MISSED, LAST, PAUSED);

  /** What the bridge adds to each occurrence of a repeating message, whatever becomes of it. */
  public static final Set<String> REPEATED = Set.of(SCHEDULE, OCCURRENCE, SCHEDULED_AT);

  /** What a consumer writes on a record that it puts back; the bridge delivers it as it is. */
  public static final Set<String> CONSUMER = Set.of(CONSUMER_ATTEMPT, CONSUMER_SOURCE, CONSUMER_ID);

  private DelayHeaders() {}
}
