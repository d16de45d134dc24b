package io.delaybridge.deadletter;

import io.delaybridge.message.Source;
import io.delaybridge.schemas.DelayHeaders;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** Dead letters for tests. */
final class Letters {

  static final String TOPIC = "dead";
  static final String MARKS = "dead-marks";
  static final String INTAKE = "delay-intake";
  static final long AT = 1_760_000_000_000L;

  private Letters() {}

  static Source source(long offset) {
    return new Source(INTAKE, 3, offset);
  }

  static DeadLetter letter(long offset, String reason, @Nullable String target, long at) {
    return letter(offset, reason, target, at, 0);
  }

  static DeadLetter letter(
      long offset, String reason, @Nullable String target, long at, int replays) {
    return new DeadLetter(
        source(offset),
        new Source(TOPIC, 0, offset),
        target,
        null,
        reason,
        "detail",
        at,
        1,
        replays,
        10,
        null);
  }

  static Mark mark(Mark.State state, long offset) {
    return new Mark(
        state,
        AT,
        "me",
        "operation",
        new Source(TOPIC, 0, offset),
        state == Mark.State.REPLAYED ? source(offset + 1_000) : null,
        1);
  }

  /** Headers in pairs of name and value. */
  static Headers headers(String... pairs) {
    Headers headers = new RecordHeaders();
    for (int i = 0; i < pairs.length; i += 2) {
      headers.add(pairs[i], pairs[i + 1].getBytes(StandardCharsets.UTF_8));
    }
    return headers;
  }

  /** What a bridge writes on a dead letter. */
  static Headers deadHeaders(long offset, String reason, String target, long at) {
    return headers(
        DelayHeaders.TARGET_TOPIC,
        target,
        DelayHeaders.DEAD_REASON,
        reason,
        DelayHeaders.DEAD_DETAIL,
        "it failed",
        DelayHeaders.DEAD_AT,
        Long.toString(at),
        DelayHeaders.SOURCE,
        source(offset).toString(),
        DelayHeaders.ATTEMPT,
        "1");
  }

  static ConsumerRecord<byte[], byte[]> content(
      byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
    return new ConsumerRecord<>(
        TOPIC,
        0,
        7,
        AT,
        TimestampType.CREATE_TIME,
        0,
        0,
        key,
        value,
        headers,
        java.util.Optional.empty());
  }
}
