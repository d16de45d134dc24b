package io.delaybridge.intake;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.Reading;
import io.delaybridge.message.Replacement;
import io.delaybridge.message.Request;
import io.delaybridge.message.RetryMark;
import io.delaybridge.message.RetryMark.Kind;
import io.delaybridge.message.RetryPolicy;
import io.delaybridge.message.ShardId;
import io.delaybridge.repeat.InvalidRepeatException;
import io.delaybridge.repeat.Plan;
import io.delaybridge.repeat.Repetition;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import io.delaybridge.schemas.StoredHeader;
import io.delaybridge.schemas.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * Parses a record into a request; never throws. A record that cannot be understood becomes a
 * message that is due at its own timestamp, has no id and names its fault. It takes the same path
 * as all other messages and ends on the dead-letter topic. A record that gives an instant in
 * seconds keeps the due time that it states, long ago, as it was before that was a fault; see ADR
 * 30.
 *
 * <p>Whether a target is allowed, or exists, is decided when the message is due. The key must be
 * the same however often and under whatever configuration the record is read, see docs/protocol.md.
 * A {@link Reading} is the one exception and is therefore part of the checkpoint.
 */
public final class RequestParser {

  // Longer than a backoff with its jitter can be, and than clocks can differ when a message is
  // moved. A bridge does not write a later due time.
  private static final long LONGEST_RETRY_PAUSE = 2 * 86_400_000L;
  private static final int LONGEST_TOPIC = 249;

  /** The header of the W3C trace context; a trace should show when the wait began. */
  private static final String TRACE = "traceparent";

  private RequestParser() {}

  /**
   * Returns what the record asks for.
   *
   * @param reading how a record at that place is read
   */
  public static Request parse(ConsumerRecord<byte[], byte[]> record, Reading reading) {
    return parse(record, reading, reading.horizon());
  }

  /** Does the same, but a message that is due far ahead has the key that it has once it is near. */
  public static Request near(ConsumerRecord<byte[], byte[]> record, Reading reading) {
    return parse(record, reading, 0);
  }

  private static Request parse(
      ConsumerRecord<byte[], byte[]> record, Reading reading, long horizon) {
    long timestamp = Math.max(0, record.timestamp());
    long longestDelay = reading.longestDelay();
    try {
      ControlHeaders headers =
          ControlHeaders.of(record.headers(), reading.level(), !reading.passesUnknown());
      String op = headers.get(DelayHeaders.OP);
      String id = id(headers);
      if (op != null && !op.equals(DelayHeaders.OP_SCHEDULE)) {
        return AskParser.parse(record.offset(), op, id, headers, timestamp, longestDelay);
      }
      checkTargetName(headers.get(DelayHeaders.TARGET_TOPIC));
      checkTargetPartition(headers);
      int maxAttempts = maxAttempts(headers);
      Plan plan = plan(headers);
      String retry = headers.get(DelayHeaders.RETRY);
      if (retry != null) {
        RetryMark mark = mark(retry, id, record, reading, plan);
        DelayedMessage message = retry(record, mark, maxAttempts, horizon);
        return mark.kind() == Kind.INSTEAD
            ? new Replacement(message, mark.origin(), mark.seen())
            : message;
      }
      long due =
          FirstOccurrence.due(
              headers,
              plan,
              timestamp,
              () -> id != null ? id : shard(record).source(record.offset()).toString(),
              longestDelay);
      long expires = expiry(headers, timestamp, due);
      Rejection seconds = DueTime.seconds(headers, due);
      if (seconds != null) {
        return malformed(record, due, seconds);
      }
      Repetition first =
          plan == null ? null : FirstOccurrence.of(headers, plan, timestamp, due, reading);
      Fate fate = new Fate(1, maxAttempts, expires, StoredMessage.SELF, null, null, first);
      return nearOrFar(record, due, fate, horizon);
    } catch (Rejection e) {
      return malformed(record, Math.min(timestamp, DueTime.LATEST), e);
    }
  }

  private static DelayedMessage malformed(
      ConsumerRecord<byte[], byte[]> record, long due, Rejection why) {
    return message(
        record,
        due,
        new Fate(
            1, 0, StoredMessage.NO_EXPIRY, StoredMessage.SELF, why.reason(), why.detail(), null));
  }

  private static @Nullable Plan plan(ControlHeaders headers) throws Rejection {
    try {
      return Plan.of(headers::get);
    } catch (InvalidRepeatException e) {
      throw Rejection.of(e);
    }
  }

  /**
   * Returns what a record would ask for if it were written now.
   *
   * @param now epoch milliseconds
   */
  public static Request preview(ProducerRecord<byte[], byte[]> record, long now, Reading reading) {
    Integer partition = record.partition();
    return near(
        new ConsumerRecord<>(
            record.topic(),
            partition == null ? 0 : partition,
            0,
            now,
            TimestampType.CREATE_TIME,
            0,
            0,
            record.key(),
            record.value(),
            record.headers(),
            Optional.empty()),
        reading);
  }

  private static int maxAttempts(ControlHeaders headers) throws Rejection {
    return (int)
        headers.number(
            DelayHeaders.MAX_ATTEMPTS,
            0,
            1,
            RetryPolicy.MOST_ATTEMPTS,
            Reason.INVALID_MAX_ATTEMPTS);
  }

  private static @Nullable String id(ControlHeaders headers) throws Rejection {
    String id = headers.get(DelayHeaders.ID);
    if (id == null) {
      return null;
    }
    int bytes = id.getBytes(StandardCharsets.UTF_8).length;
    if (bytes < 1 || bytes > DelayHeaders.MAX_ID_BYTES) {
      throw new Rejection(
          Reason.INVALID_ID,
          "delay-id has %d bytes, allowed: 1 to %d".formatted(bytes, DelayHeaders.MAX_ID_BYTES));
    }
    return id;
  }

  private static void checkTargetName(@Nullable String target) throws Rejection {
    if (target != null && !isTopicName(target)) {
      throw new Rejection(
          Reason.INVALID_TARGET,
          "delay-target-topic is '%s', allowed: 1 to 249 letters, digits, '.', '_' and '-'"
              .formatted(ControlHeaders.shortened(target)));
    }
  }

  /** Whether the target has that partition is decided when the message is due, like all else. */
  private static void checkTargetPartition(ControlHeaders headers) throws Rejection {
    var unused =
        headers.number(
            DelayHeaders.TARGET_PARTITION,
            0,
            0,
            Integer.MAX_VALUE,
            Reason.INVALID_TARGET_PARTITION);
  }

  /**
   * Applies Kafka's rule. Called for each record; a regular expression takes twenty times as long.
   */
  private static boolean isTopicName(String name) {
    if (name.isEmpty() || name.length() > LONGEST_TOPIC || name.equals(".") || name.equals("..")) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if (!isOfTopicName(name.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOfTopicName(char letter) {
    return (letter >= 'a' && letter <= 'z')
        || (letter >= 'A' && letter <= 'Z')
        || (letter >= '0' && letter <= '9')
        || letter == '.'
        || letter == '_'
        || letter == '-';
  }

  private static long expiry(ControlHeaders headers, long timestamp, long due) throws Rejection {
    long ttl = headers.number(DelayHeaders.TTL_MS, -1, 0, DueTime.LATEST, Reason.INVALID_TTL);
    if (ttl < 0) {
      return StoredMessage.NO_EXPIRY;
    }
    long expires = timestamp + ttl;
    if (expires < due) {
      throw new Rejection(
          Reason.INVALID_TTL,
          "delay-ttl-ms is %d, it ends %d ms before the message is due"
              .formatted(ttl, due - expires));
    }
    return expires;
  }

  /**
   * Returns the message that a copy in the later topic stands for, under the key that the message
   * has once it is home. A copy that no bridge has written is malformed, and due at its own
   * timestamp.
   */
  public static DelayedMessage copy(ConsumerRecord<byte[], byte[]> record) {
    try {
      ControlHeaders headers = ControlHeaders.of(record.headers(), Reading.LATEST, false);
      String text = String.valueOf(headers.get(DelayHeaders.RETRY));
      RetryMark mark =
          RetryMark.parse(text)
              .filter(each -> each.kind() == Kind.LAP && each.due() <= DueTime.LATEST)
              .orElseThrow(() -> notOurs(text));
      return retry(record, mark, maxAttempts(headers), 0);
    } catch (Rejection e) {
      return malformed(record, Math.min(Math.max(0, record.timestamp()), DueTime.LATEST), e);
    }
  }

  private static RetryMark mark(
      String text,
      @Nullable String id,
      ConsumerRecord<byte[], byte[]> record,
      Reading reading,
      @Nullable Plan plan)
      throws Rejection {
    long longest = FirstOccurrence.longestWait(plan, reading);
    long latest = Math.min(record.timestamp() + longest + LONGEST_RETRY_PAUSE, DueTime.LATEST);
    RetryMark ours =
        RetryMark.parse(text)
            .filter(mark -> mark.origin() < record.offset())
            .filter(mark -> mark.kind() != Kind.INSTEAD || id != null)
            .filter(
                mark ->
                    mark.kind() == Kind.LAP
                        ? mark.due() <= DueTime.LATEST
                        : plan != null || mark.due() <= latest)
            .orElseThrow(() -> notOurs(text));
    if (ours.kind() != Kind.LAP && ours.due() > latest) {
      throw new Rejection(
          Reason.DELAY_TOO_LONG,
          "the next occurrence is %s after this record, %s; the message does not repeat any more"
              .formatted(
                  Duration.ofMillis(ours.due() - record.timestamp()),
                  FirstOccurrence.allowed(plan, reading)));
    }
    return ours;
  }

  private static Rejection notOurs(String mark) {
    return new Rejection(
        Reason.INVALID_RETRY,
        "delay-retry is '%s', only the bridge may write this header"
            .formatted(ControlHeaders.shortened(mark)));
  }

  private static DelayedMessage retry(
      ConsumerRecord<byte[], byte[]> record, RetryMark mark, int maxAttempts, long horizon)
      throws Rejection {
    DelayedMessage message = copy(record, mark, maxAttempts, horizon);
    if (message.repeats()) {
      try {
        var unused = Repetition.of(message);
      } catch (InvalidRepeatException e) {
        throw Rejection.of(e);
      }
    }
    return message;
  }

  private static DelayedMessage copy(
      ConsumerRecord<byte[], byte[]> record, RetryMark mark, int maxAttempts, long horizon) {
    long origin = mark.kind() == Kind.INSTEAD ? StoredMessage.SELF : mark.origin();
    Fate fate = new Fate(mark.attempt(), maxAttempts, mark.expiresAt(), origin, null, null, null);
    if (mark.kind() != Kind.LAP) {
      return nearOrFar(record, mark.due(), fate, horizon);
    }
    // A copy that comes home keeps the place of its origin among messages that are due with it.
    // An occurrence has its own: several of one message, with the same origin, may come home.
    return record.headers().lastHeader(DelayHeaders.SCHEDULE) == null
        ? message(record, new Due(mark.due(), origin), fate, StoredMessage.NEAR, record.offset())
        : message(record, mark.due(), fate);
  }

  /** A far message leaves at once, so it is stored like one that is due when it is written. */
  private static DelayedMessage nearOrFar(
      ConsumerRecord<byte[], byte[]> record, long due, Fate fate, long horizon) {
    long timestamp = Math.max(0, record.timestamp());
    return horizon > 0 && due - timestamp > horizon
        ? message(record, new Due(timestamp, record.offset()), fate, due, StoredMessage.SELF)
        : message(record, due, fate);
  }

  private static DelayedMessage message(
      ConsumerRecord<byte[], byte[]> record, long due, Fate fate) {
    return message(
        record, new Due(due, record.offset()), fate, StoredMessage.NEAR, StoredMessage.SELF);
  }

  private static DelayedMessage message(
      ConsumerRecord<byte[], byte[]> record, Due key, Fate fate, long farDue, long readAt) {
    List<StoredHeader> headers = new ArrayList<>();
    boolean traced = false;
    for (Header header : record.headers()) {
      traced |= header.key().equals(TRACE);
      if (!header.key().equals(DelayHeaders.RETRY) || fate.reason != null) {
        headers.add(new StoredHeader(header.key(), header.value()));
      }
    }
    long timestamp = Math.max(0, record.timestamp());
    return new DelayedMessage(
        key,
        new StoredMessage(
            record.key(),
            record.value(),
            fate.first == null ? headers : fate.first.with(headers),
            fate.attempt,
            fate.maxAttempts,
            fate.expiresAt,
            fate.origin,
            fate.reason,
            fate.detail,
            null,
            traced || timestamp > key.time() ? timestamp : StoredMessage.BEFORE_DUE,
            farDue,
            readAt));
  }

  private static ShardId shard(ConsumerRecord<byte[], byte[]> record) {
    return new ShardId(record.topic(), record.partition());
  }

  /** The part of a stored message that is not simply copied from the record. */
  private record Fate(
      int attempt,
      int maxAttempts,
      long expiresAt,
      long origin,
      @Nullable Reason reason,
      @Nullable String detail,
      @Nullable Repetition first) {}
}
