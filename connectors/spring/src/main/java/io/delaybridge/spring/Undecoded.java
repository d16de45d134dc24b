package io.delaybridge.spring;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.springframework.kafka.support.serializer.DeserializationException;

/** Records whose key or value could not be deserialized. */
final class Undecoded {

  /**
   * Headers that Spring Kafka adds to them when they are read. No other reader understands them.
   */
  private static final String MARKS = "springDeserializerException";

  private Undecoded() {}

  /** Returns the record with the bytes that could not be deserialized, or the record itself. */
  @SuppressWarnings("unchecked") // It is only read.
  static ConsumerRecord<Object, Object> restored(ConsumerRecord<?, ?> record, Exception failure) {
    ConsumerRecord<Object, Object> known = (ConsumerRecord<Object, Object>) record;
    return Failures.first(failure, DeserializationException.class)
        .map(undecoded -> restored(known, undecoded))
        .orElse(known);
  }

  private static ConsumerRecord<Object, Object> restored(
      ConsumerRecord<Object, Object> record, DeserializationException undecoded) {
    Object key = undecoded.isKey() ? undecoded.getData() : record.key();
    Object value = undecoded.isKey() ? record.value() : undecoded.getData();
    return new ConsumerRecord<>(
        record.topic(),
        record.partition(),
        record.offset(),
        record.timestamp(),
        record.timestampType(),
        record.serializedKeySize(),
        record.serializedValueSize(),
        key,
        value,
        unmarked(record.headers()),
        record.leaderEpoch());
  }

  private static Headers unmarked(Headers headers) {
    Headers unmarked = new RecordHeaders();
    for (Header header : headers) {
      if (!header.key().startsWith(MARKS)) {
        unmarked.add(header);
      }
    }
    return unmarked;
  }
}
