package io.delaybridge.spring;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.core.log.LogAccessor;
import org.springframework.kafka.support.serializer.DeserializationException;
import org.springframework.kafka.support.serializer.SerializationUtils;

/** Records whose key or value could not be deserialized. */
final class Undecoded {

  /**
   * Headers that Spring Kafka adds to them when they are read. No other reader understands them.
   */
  private static final String MARKS = "springDeserializerException";

  private static final String KEY = MARKS + "Key";
  private static final String VALUE = MARKS + "Value";

  private static final LogAccessor LOG = new LogAccessor(Undecoded.class);

  private Undecoded() {}

  /**
   * Returns why the record could not be deserialized, or null if it could. The record itself says
   * so: what a listener threw may be about another record of its batch.
   */
  static @Nullable DeserializationException why(ConsumerRecord<?, ?> record) {
    DeserializationException value = failure(record, VALUE);
    return value != null ? value : failure(record, KEY);
  }

  /** Returns the record with the bytes of what could not be deserialized. */
  static ConsumerRecord<Object, Object> restored(ConsumerRecord<?, ?> record) {
    return Copies.of(
        record,
        restored(record, KEY, record.key()),
        restored(record, VALUE, record.value()),
        name -> !name.startsWith(MARKS));
  }

  private static @Nullable Object restored(
      ConsumerRecord<?, ?> record, String mark, @Nullable Object known) {
    DeserializationException failure = failure(record, mark);
    return failure == null ? known : failure.getData();
  }

  private static @Nullable DeserializationException failure(
      ConsumerRecord<?, ?> record, String mark) {
    return SerializationUtils.getExceptionFromHeader(record, mark, LOG);
  }
}
