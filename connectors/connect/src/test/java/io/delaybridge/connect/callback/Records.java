package io.delaybridge.connect.callback;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.sink.SinkRecord;
import org.jspecify.annotations.Nullable;

/** Records as a worker with byte array converters hands them over, and their follow-ups. */
public final class Records {

  private Records() {}

  /** A record of the topic "reminders". */
  public static SinkRecord sink(
      int partition,
      long offset,
      @Nullable String key,
      @Nullable String value,
      @Nullable String... headers) {
    ConnectHeaders all = new ConnectHeaders();
    for (int i = 0; i < headers.length; i += 2) {
      all.add(String.valueOf(headers[i]), utf8(headers[i + 1]), Schema.OPTIONAL_BYTES_SCHEMA);
    }
    return new SinkRecord(
        "reminders",
        partition,
        Schema.OPTIONAL_BYTES_SCHEMA,
        utf8(key),
        Schema.OPTIONAL_BYTES_SCHEMA,
        utf8(value),
        offset,
        1_000L,
        TimestampType.CREATE_TIME,
        all);
  }

  static CallbackRecord record(
      @Nullable String key, @Nullable String value, @Nullable String... headers) {
    return CallbackRecord.of(sink(2, 7, key, value, headers));
  }

  static byte @Nullable [] utf8(@Nullable String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  static @Nullable String header(ProducerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
  }
}
