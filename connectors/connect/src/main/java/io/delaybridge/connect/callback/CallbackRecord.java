package io.delaybridge.connect.callback;

import io.delaybridge.schemas.DelayHeaders;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.jspecify.annotations.Nullable;

/** A record of a target topic, byte for byte as it was read. */
final class CallbackRecord {

  private static final String NUMBER = "[1-9]\\d{0,8}";

  private final TopicPartition partition;
  private final long offset;
  private final byte @Nullable [] key;
  private final byte @Nullable [] value;
  private final List<RecordHeader> headers;

  private CallbackRecord(SinkRecord sink) {
    this.partition = new TopicPartition(sink.originalTopic(), sink.originalKafkaPartition());
    this.offset = sink.originalKafkaOffset();
    this.key = bytes("key", sink.key());
    this.value = bytes("value", sink.value());
    this.headers = new ArrayList<>(sink.headers().size());
    sink.headers()
        .forEach(
            header -> headers.add(new RecordHeader(header.key(), bytes("header", header.value()))));
  }

  /**
   * Returns the record in this sink record.
   *
   * @throws ConnectException if a converter other than that of byte arrays made it
   */
  static CallbackRecord of(SinkRecord sink) {
    return new CallbackRecord(sink);
  }

  private static byte @Nullable [] bytes(String what, @Nullable Object data) {
    if (data == null || data instanceof byte[]) {
      return (byte[]) data;
    }
    if (data instanceof ByteBuffer buffer) {
      byte[] copy = new byte[buffer.remaining()];
      buffer.duplicate().get(copy);
      return copy;
    }
    throw new ConnectException(
        "The %s of a record is not bytes but %s: set %s.converter to %s"
            .formatted(what, data.getClass().getName(), what, CallbackConfig.CONVERTER));
  }

  /** Returns the partition that it was read from. */
  TopicPartition partition() {
    return partition;
  }

  /** Returns its offset in the partition. */
  long offset() {
    return offset;
  }

  byte @Nullable [] key() {
    return key;
  }

  byte @Nullable [] value() {
    return value;
  }

  /** Returns the value; empty if it is null. */
  byte[] body() {
    return value == null ? new byte[0] : value;
  }

  List<RecordHeader> headers() {
    return headers;
  }

  /** Returns true if there is a header of this name, with or without a value. */
  boolean has(String name) {
    return headers.stream().anyMatch(header -> header.key().equals(name));
  }

  /** Returns the last header of this name as text; null if there is none or it has no value. */
  @Nullable String header(String name) {
    String text = null;
    for (RecordHeader header : headers) {
      if (header.key().equals(name)) {
        text = header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
      }
    }
    return text;
  }

  /** Returns the number of this attempt: 1 if the header is absent or not a positive number. */
  int attempt() {
    String text = header(CallbackHeaders.ATTEMPT);
    return text != null && text.matches(NUMBER) ? Integer.parseInt(text) : 1;
  }

  /**
   * Returns the intake record of this delivery, or the place of this record if it came from none.
   */
  String source() {
    String text = header(DelayHeaders.SOURCE);
    return text != null ? text : partition.topic() + "/" + partition.partition() + "/" + offset;
  }

  /** Returns the identity of the message over all attempts. Occurrences of one share the source. */
  String origin() {
    String text = header(CallbackHeaders.SOURCE);
    String occurrence = number(DelayHeaders.OCCURRENCE);
    return text != null ? text : occurrence == null ? source() : source() + "/" + occurrence;
  }

  /** Returns the last header of this name; null if there is none or it is not a whole number. */
  @Nullable String number(String name) {
    String text = header(name);
    return text != null && text.matches("\\d{1,19}") ? text : null;
  }

  /** Returns the id that the producer gave; null if none. */
  @Nullable String id() {
    String text = header(DelayHeaders.ID);
    return text != null ? text : header(CallbackHeaders.ID);
  }
}
