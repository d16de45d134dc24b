package io.delaybridge.spring;

import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** Copies records that were read, with changes. */
final class Copies {

  private Copies() {}

  /** Returns a copy with this key and value, and with the headers that have such a name. */
  static ConsumerRecord<Object, Object> of(
      ConsumerRecord<?, ?> record,
      @Nullable Object key,
      @Nullable Object value,
      Predicate<String> kept) {
    Headers headers = new RecordHeaders();
    for (Header header : record.headers()) {
      if (kept.test(header.key())) {
        headers.add(header);
      }
    }
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
        headers,
        record.leaderEpoch());
  }
}
