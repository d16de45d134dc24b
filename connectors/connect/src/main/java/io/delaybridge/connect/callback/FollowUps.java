package io.delaybridge.connect.callback;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * Builds the record that follows a failed callback: a request to the bridge for another delivery,
 * or a dead letter like one of the bridge. Pure.
 */
final class FollowUps {

  private static final Set<String> OWN =
      Set.of(CallbackHeaders.ATTEMPT, CallbackHeaders.SOURCE, CallbackHeaders.ID);

  /** Headers that the bridge always carries on. */
  private static final List<String> KEPT =
      List.of(
          DelayHeaders.REPLAY,
          DelayHeaders.SCHEDULE,
          DelayHeaders.OCCURRENCE,
          DelayHeaders.SCHEDULED_AT);

  /** Longer than any header that a bridge or this connector writes. */
  private static final int LONGEST_VALUE = 512;

  private final String intakeTopic;
  private final String deadLetterTopic;

  FollowUps(String intakeTopic, String deadLetterTopic) {
    this.intakeTopic = intakeTopic;
    this.deadLetterTopic = deadLetterTopic;
  }

  /**
   * Returns the record for the intake. It has no {@code delay-id}, because that would replace a
   * later pending message with the same id.
   *
   * @param delayMillis until the next attempt, counted from when this is written
   */
  ProducerRecord<byte[], byte[]> retry(CallbackRecord record, long delayMillis) {
    List<Header> headers = foreign(record);
    headers.add(header(DelayHeaders.TARGET_TOPIC, record.partition().topic()));
    headers.add(header(DelayHeaders.DELAY_MS, delayMillis));
    headers.add(header(DelayHeaders.TARGET_PARTITION, record.partition().partition()));
    headers.add(header(CallbackHeaders.ATTEMPT, record.attempt() + 1));
    headers.add(header(CallbackHeaders.SOURCE, record.origin()));
    String id = record.id();
    if (id != null) {
      headers.add(header(CallbackHeaders.ID, id));
    }
    return new ProducerRecord<>(intakeTopic, null, record.key(), record.value(), headers);
  }

  /**
   * Returns the dead letter. It has everything that the intake needs to deliver it again, at once
   * and with all attempts.
   *
   * @param now epoch milliseconds
   */
  ProducerRecord<byte[], byte[]> dead(
      CallbackRecord record, Reason reason, String detail, long now) {
    List<Header> headers = foreign(record);
    headers.addAll(deadHeaders(record, reason, detail, now));
    return new ProducerRecord<>(deadLetterTopic, null, record.key(), record.value(), headers);
  }

  /**
   * Returns the dead letter of a record that is too large for one: without key, value and own
   * headers. Like a dead letter of the bridge, it says where they are, if the intake has them. It
   * is small for any record.
   */
  ProducerRecord<byte[], byte[]> deadWithoutContent(
      CallbackRecord record, Reason reason, String detail, long now) {
    String pointer =
        " (too large for this topic: key, value and headers are at %s/%d/%d only)"
            .formatted(record.partition().topic(), record.partition().partition(), record.offset());
    List<Header> headers = deadHeaders(record, reason, detail + pointer, now);
    if (record.header(DelayHeaders.SOURCE) != null) {
      headers.add(header(DelayHeaders.DEAD_CONTENT, record.source()));
    }
    for (String name : KEPT) {
      String value = record.header(name);
      if (value != null) {
        headers.add(header(name, value));
      }
    }
    // A producer that bypasses the bridge can write anything into the kept headers.
    headers.removeIf(
        header ->
            !header.key().equals(DelayHeaders.DEAD_DETAIL)
                && header.value().length > LONGEST_VALUE);
    byte[] nothing = null;
    return new ProducerRecord<>(deadLetterTopic, null, nothing, nothing, headers);
  }

  private static List<Header> deadHeaders(
      CallbackRecord record, Reason reason, String detail, long now) {
    List<Header> headers = new ArrayList<>();
    headers.add(header(DelayHeaders.TARGET_TOPIC, record.partition().topic()));
    headers.add(header(DelayHeaders.DELAY_MS, 0));
    headers.add(header(DelayHeaders.TARGET_PARTITION, record.partition().partition()));
    String id = record.id();
    if (id != null) {
      headers.add(header(DelayHeaders.ID, id));
    }
    headers.add(header(CallbackHeaders.SOURCE, record.origin()));
    headers.add(header(DelayHeaders.DEAD_REASON, reason.name()));
    headers.add(header(DelayHeaders.DEAD_DETAIL, detail));
    headers.add(header(DelayHeaders.DEAD_AT, now));
    headers.add(header(DelayHeaders.SOURCE, record.source()));
    headers.add(header(DelayHeaders.ATTEMPT, record.attempt()));
    return headers;
  }

  private static List<Header> foreign(CallbackRecord record) {
    List<Header> headers = new ArrayList<>(record.headers().size() + 9);
    for (Header header : record.headers()) {
      String name = header.key();
      if (!OWN.contains(name)
          && !DelayHeaders.CONTROL.contains(name)
          && !DelayHeaders.ARRIVAL.contains(name)
          && !DelayHeaders.DEAD.contains(name)) {
        headers.add(header);
      }
    }
    return headers;
  }

  private static Header header(String name, Object value) {
    return new RecordHeader(name, value.toString().getBytes(StandardCharsets.UTF_8));
  }
}
