package io.delaybridge.spring.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Records as these tests write and compare them. */
final class Records {

  private Records() {}

  static ProducerRecord<byte[], byte[]> text(String topic, String key, String value) {
    return new ProducerRecord<>(topic, key.getBytes(UTF_8), value.getBytes(UTF_8));
  }

  /** Returns text that hardly compresses, always the same. */
  static String noise(int letters) {
    return new Random(1)
        .ints(letters, '!', '~')
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  static List<String> values(List<ConsumerRecord<byte[], byte[]>> records) {
    return records.stream().map(record -> new String(record.value(), UTF_8)).toList();
  }

  static @Nullable String header(ConsumerRecord<?, ?> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? null : new String(header.value(), UTF_8);
  }

  /** The headers that are not about the bridge, in their order. */
  static List<Header> own(ConsumerRecord<?, ?> record) {
    List<Header> own = new ArrayList<>();
    for (Header header : record.headers()) {
      if (!header.key().startsWith("delay-")) {
        own.add(header);
      }
    }
    return own;
  }
}
