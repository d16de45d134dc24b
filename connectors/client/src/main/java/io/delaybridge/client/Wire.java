package io.delaybridge.client;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The names and ranges of the contract. They are duplicated here because the module that defines
 * them brings in Protobuf. A test keeps the copies equal.
 */
final class Wire {

  static final String INTAKE = "delay-intake";
  static final String DEAD_LETTER = "delay-deadletter";

  static final String TARGET_TOPIC = "delay-target-topic";
  static final String TARGET_PARTITION = "delay-target-partition";
  static final String DELAY_MS = "delay-ms";
  static final String DELAY_DURATION = "delay-duration";
  static final String DELIVER_AT = "delay-deliver-at";
  static final String ID = "delay-id";
  static final String OP = "delay-op";
  static final String OP_CANCEL = "cancel";
  static final String PENDING = "delay-pending";
  static final String TTL_MS = "delay-ttl-ms";
  static final String MAX_ATTEMPTS = "delay-max-attempts";
  static final String SPREAD_MS = "delay-spread-ms";
  static final String EVERY = "delay-every";
  static final String CRON = "delay-cron";
  static final String ZONE = "delay-zone";
  static final String UNTIL = "delay-until";
  static final String COUNT = "delay-count";
  static final String MISSED = "delay-missed";
  static final String LAST = "delay-last";
  static final String PAUSED = "delay-paused";
  static final String RETRY = "delay-retry";

  static final String SOURCE = "delay-source";
  static final String DUE_AT = "delay-due-at";
  static final String DELIVERED_AT = "delay-delivered-at";
  static final String ATTEMPT = "delay-attempt";

  static final String SCHEDULE = "delay-schedule";
  static final String OCCURRENCE = "delay-occurrence";
  static final String SCHEDULED_AT = "delay-scheduled-at";

  static final String DEAD_REASON = "delay-dead-reason";
  static final String DEAD_DETAIL = "delay-dead-detail";
  static final String DEAD_AT = "delay-dead-at";
  static final String DEAD_CONTENT = "delay-dead-content";

  static final String CONSUMER_ATTEMPT = "delay-consumer-attempt";
  static final String CONSUMER_SOURCE = "delay-consumer-source";
  static final String CONSUMER_TIMESTAMP = "delay-consumer-timestamp";
  static final String CONSUMER_ID = "delay-consumer-id";

  static final String REPLAY = "delay-replay";

  static final String CALLBACK_URL = "delay-callback-url";
  static final String CALLBACK_ATTEMPT = "delay-callback-attempt";
  static final String CALLBACK_SOURCE = "delay-callback-source";
  static final String CALLBACK_ID = "delay-callback-id";

  static final Set<String> CONTROL =
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
  static final Set<String> ARRIVAL = Set.of(SOURCE, DUE_AT, DELIVERED_AT, ATTEMPT);
  static final Set<String> DEAD = Set.of(DEAD_REASON, DEAD_DETAIL, DEAD_AT, DEAD_CONTENT);
  static final Set<String> CARRIED = Set.of(REPLAY);
  static final Set<String> REPEATED = Set.of(SCHEDULE, OCCURRENCE, SCHEDULED_AT);
  static final Set<String> CONSUMER =
      Set.of(CONSUMER_ATTEMPT, CONSUMER_SOURCE, CONSUMER_TIMESTAMP, CONSUMER_ID);
  static final Set<String> CALLBACK =
      Set.of(CALLBACK_URL, CALLBACK_ATTEMPT, CALLBACK_SOURCE, CALLBACK_ID);

  /** All of them: no other header of a request may begin with the prefix of the bridge. */
  static final Set<String> KNOWN =
      Stream.of(CONTROL, ARRIVAL, DEAD, CARRIED, REPEATED, CONSUMER, CALLBACK)
          .flatMap(Set::stream)
          .collect(Collectors.toUnmodifiableSet());

  static final int MAX_ID_BYTES = 256;
  static final int MOST_ATTEMPTS = 100;
  static final long MAX_SPREAD_MS = Integer.MAX_VALUE;

  /** The last due time that the bridge accepts: the end of the year 9999, epoch milliseconds. */
  static final long MAX_DELIVER_AT = 253_402_300_799_999L;

  /** The bridge refuses smaller numbers as an instant, because they look like seconds. */
  static final long MIN_DELIVER_AT = 1_000_000_000_000L;

  private static final Pattern LEGAL_TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
  private static final int SHOWN = 64;

  private Wire() {}

  /** Returns the topic itself, if Kafka would accept its name. */
  static String topic(String what, String name) {
    if (name == null
        || !LEGAL_TOPIC.matcher(name).matches()
        || name.equals(".")
        || name.equals("..")) {
      throw refused(what, shortened(name), "1 to 249 letters, digits, '.', '_' and '-'");
    }
    return name;
  }

  /** Returns the id itself, if the bridge would accept it. */
  static String id(String id) {
    if (id == null) {
      throw refused(ID, "null", "1 to " + MAX_ID_BYTES + " bytes");
    }
    int bytes;
    try {
      // A lone surrogate would become a question mark, and two ids the same.
      bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(id)).remaining();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(ID + " is not valid UTF-16, allowed: any text", e);
    }
    if (bytes < 1 || bytes > MAX_ID_BYTES) {
      throw refused(ID, "of " + bytes + " bytes", "1 to " + MAX_ID_BYTES + " bytes");
    }
    return id;
  }

  /** Returns whole milliseconds, rounded up, so that nothing is earlier than requested. */
  static long millis(String what, Duration duration, long max) {
    if (duration.isNegative() || duration.compareTo(Duration.ofMillis(max)) > 0) {
      throw refused(what, duration, "PT0S to " + Duration.ofMillis(max));
    }
    return duration.plusNanos(999_999).toMillis();
  }

  /** Returns epoch milliseconds, rounded up, so that nothing is earlier than requested. */
  static long millis(String what, Instant instant) {
    Instant first = Instant.ofEpochMilli(MIN_DELIVER_AT);
    Instant latest = Instant.ofEpochMilli(MAX_DELIVER_AT);
    if (instant.isBefore(first) || instant.isAfter(latest)) {
      throw refused(
          what, instant, first + " to " + latest + " (an earlier one looks like seconds)");
    }
    return instant.plusNanos(999_999).toEpochMilli();
  }

  static IllegalArgumentException refused(String what, Object is, String allowed) {
    return new IllegalArgumentException(what + " is " + is + ", allowed: " + allowed);
  }

  /** Sets a header to a text and removes earlier values. */
  static void put(Headers headers, String name, Object value) {
    headers.remove(name);
    headers.add(name, value.toString().getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Returns the text of a header, or null if it is absent.
   *
   * @throws IllegalArgumentException if it has no value or is not UTF-8
   */
  static @Nullable String text(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    if (header == null) {
      return null;
    }
    if (header.value() == null) {
      throw refused(name, "null", "UTF-8 text");
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(header.value())).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(name + " is not valid UTF-8", e);
    }
  }

  /** Cuts a text from outside to a length that is safe to repeat. */
  static String shortened(@Nullable String text) {
    if (text == null) {
      return "null";
    }
    return "'" + (text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...") + "'";
  }
}
