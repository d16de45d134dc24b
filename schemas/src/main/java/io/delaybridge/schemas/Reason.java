package io.delaybridge.schemas;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a message is a dead letter. A closed set: the name is the value of {@link
 * DelayHeaders#DEAD_REASON}, and stored messages contain the number. Neither ever changes its
 * meaning, and the number of a removed reason is never used again.
 */
public enum Reason {

  /** The request names no target topic and the intake has no default one. */
  NO_TARGET(1, "No target topic is given and the intake has no default target."),

  /** The target is not a legal Kafka topic name. */
  INVALID_TARGET(2, "The target topic is not a legal Kafka topic name."),

  /** The target is not in the list of topics that the bridge may deliver to. */
  FORBIDDEN_TARGET(3, "The target topic is not in the bridge's list of allowed targets."),

  /**
   * The target is an intake, a later topic, the dead-letter topic or an internal topic of the
   * cluster or the bridge.
   */
  CONTROL_TOPIC(
      4, "The target is an intake, a later topic, the dead-letter topic or an internal topic."),

  /** The target topic does not exist, or does not have the partition that the request names. */
  UNKNOWN_TARGET(5, "The target topic, or the partition of it, does not exist."),

  /** The bridge has no permission to write to the target topic. */
  UNAUTHORIZED_TARGET(6, "The bridge is not authorized to write to the target topic."),

  /** The target partition has no leader, or did not answer in time. */
  UNAVAILABLE_TARGET(7, "The target partition has no leader or did not answer in time."),

  /** The request has no due time. */
  NO_DUE_TIME(8, "No due time is given."),

  /** The request gives the due time in more than one way. */
  AMBIGUOUS_DUE_TIME(9, "The due time is given in more than one way."),

  /** The delay is below zero. */
  NEGATIVE_DELAY(10, "The delay is negative."),

  /** The delay is not a number or not a duration, or the due time is not an instant. */
  UNREADABLE_DUE_TIME(11, "The due time is not a number, not a duration or not an instant."),

  /** Timestamp and delay together exceed the range of epoch milliseconds. */
  DUE_TIME_OVERFLOW(12, "The due time is too far away to be represented."),

  /** The delay is longer than the bridge is configured to accept. */
  DELAY_TOO_LONG(13, "The delay is longer than the bridge accepts."),

  /** The id is empty or longer than {@link DelayHeaders#MAX_ID_BYTES} bytes. */
  INVALID_ID(14, "The id is empty or longer than 256 bytes."),

  /** The request is to cancel, but names no message. */
  CANCEL_WITHOUT_ID(15, "The request to cancel has no id."),

  /** The bridge does not know the operation. */
  UNKNOWN_OP(16, "The operation is not one that the bridge knows."),

  /** The time to live is not a whole number of milliseconds, or is out of range. */
  INVALID_TTL(17, "The time to live is not a valid number of milliseconds."),

  /** The number of attempts is not a whole number, or is out of range. */
  INVALID_MAX_ATTEMPTS(18, "The maximum number of attempts is not a valid number."),

  /** The spread is not a whole number of milliseconds, or is out of range. */
  INVALID_SPREAD(19, "The spread is not a valid number of milliseconds."),

  /** The value of a control header is not UTF-8. */
  INVALID_UTF8(20, "A control header is not valid UTF-8."),

  /** A control header is given twice. */
  DUPLICATE_HEADER(21, "A control header is given more than once."),

  /** There is a {@link DelayHeaders#RETRY} header that the bridge did not write. */
  INVALID_RETRY(22, "The retry header was not written by the bridge."),

  /** The target refuses the record because of its size. */
  RECORD_TOO_LARGE(23, "The record is too large for the target topic."),

  /** The broker of the target refuses the record for a reason that has no code of its own. */
  REFUSED_BY_TARGET(24, "The broker refused the record for another reason."),

  /** The message could not be delivered within its time to live. */
  EXPIRED(25, "The message could not be delivered before it expired."),

  /** The last allowed attempt has failed. */
  ATTEMPTS_EXHAUSTED(26, "Every delivery attempt that the message may have has failed."),

  /** The record names a pending message in a way that cannot be read, or not at all. */
  INVALID_PENDING(27, "The request does not say which pending message it is about."),

  /**
   * The intake is over a limit: too many pending, too many in a short time, or too large a value.
   */
  QUOTA_EXCEEDED(28, "The intake has a limit that this message went beyond."),

  /**
   * The message was delivered, and its consumer failed on it in every attempt that it makes.
   * Written by the consumer, never by the bridge.
   */
  CONSUMER_FAILED(29, "The consumer failed on the message in every attempt that it makes."),

  /**
   * The message was delivered, and its consumer failed on it in a way that no retry will mend.
   * Written by the consumer, never by the bridge.
   */
  CONSUMER_REJECTED(30, "The consumer failed on the message in a way that no retry will mend."),

  /** The HTTP callback got a status that a repetition would not change (4xx). */
  CALLBACK_REFUSED(31, "The callback's receiver refused the message."),

  /** The HTTP callback has no URL, or one that the connector must not call. */
  CALLBACK_FORBIDDEN(32, "The callback's URL is missing, malformed or not allowed."),

  /** The last allowed attempt of the HTTP callback has failed. */
  CALLBACK_EXHAUSTED(33, "Every callback attempt that the message may have has failed."),

  /** {@link DelayHeaders#EVERY} is not a duration, or is shorter than a second. */
  INVALID_EVERY(34, "The time after which it repeats is not a duration of a second or more."),

  /** {@link DelayHeaders#CRON} cannot be read, or never matches. */
  INVALID_CRON(35, "The cron expression cannot be read, or never comes."),

  /** {@link DelayHeaders#ZONE} is not the name of a zone. */
  INVALID_ZONE(36, "The zone is not one that is known."),

  /** {@link DelayHeaders#UNTIL} is not an instant, or is before the first occurrence. */
  INVALID_UNTIL(37, "The end of the repetition is not an instant, or before its beginning."),

  /** {@link DelayHeaders#COUNT} is not a whole number, or is out of range. */
  INVALID_COUNT(38, "The number of occurrences is not a valid number."),

  /** {@link DelayHeaders#MISSED} is none of its values. */
  INVALID_MISSED(39, "What becomes of missed occurrences is none of one, all and skip."),

  /** The message repeats in two ways, or has a header for a repetition but does not repeat. */
  INVALID_REPEAT(40, "The message repeats in two ways, or does not repeat but says how."),

  /** A repeating message has no id: nobody could cancel it. */
  REPEAT_WITHOUT_ID(41, "The message repeats, but has no id."),

  /**
   * The name of a header begins with {@link KnownHeaders#PREFIX}, and the bridge does not know it.
   */
  UNKNOWN_HEADER(42, "A header has the prefix of the bridge and a name that it does not know."),

  /** {@link DelayHeaders#TARGET_PARTITION} is not a whole number, or is out of range. */
  INVALID_TARGET_PARTITION(43, "The partition of the target is not a valid number.");

  private static final Map<Integer, Reason> BY_NUMBER =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(Reason::number, Function.identity()));

  private final int number;
  private final String description;

  Reason(int number, String description) {
    this.number = number;
    this.description = description;
  }

  /** Returns the number of this reason in stored messages: at least 1, unique, never changed. */
  public int number() {
    return number;
  }

  /** Returns one sentence for the operator who finds the dead letter. */
  public String description() {
    return description;
  }

  /** Returns the reason with this number, or null if there is none. */
  public static @Nullable Reason ofNumber(int number) {
    return BY_NUMBER.get(number);
  }
}
