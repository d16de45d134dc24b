package io.delaybridge.deadletter.letters;

import io.delaybridge.message.Source;
import io.delaybridge.schemas.DelayHeaders;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** Dead letters for tests. */
public final class Letters {

  public static final String TOPIC = "dead";
  public static final String MARKS = "dead-marks";
  public static final String INTAKE = "delay-intake";
  public static final long AT = 1_760_000_000_000L;

  private Letters() {}

  public static Source source(long offset) {
    return new Source(INTAKE, 3, offset);
  }

  public static DeadLetter letter(long offset, String reason, @Nullable String target, long at) {
    return letter(offset, reason, target, at, 0);
  }

  public static DeadLetter letter(
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

  /** Headers in pairs of name and value. */
  public static Headers headers(String... pairs) {
    Headers headers = new RecordHeaders();
    for (int i = 0; i < pairs.length; i += 2) {
      headers.add(pairs[i], pairs[i + 1].getBytes(StandardCharsets.UTF_8));
    }
    return headers;
  }

  /** Returns the headers that a bridge writes on a dead letter. */
  public static Headers deadHeaders(long offset, String reason, String target, long at) {
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

  public static ConsumerRecord<byte[], byte[]> content(
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
