package io.delaybridge.intake;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Reading;
import io.delaybridge.schemas.DelayHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** A record of the intake in the making, for tests that care about one part of it. */
public final class IntakeRecord {

  public static final String TOPIC = "delay-intake";
  public static final int PARTITION = 3;
  public static final long OFFSET = 100;
  public static final long TIMESTAMP = 1_760_000_000_000L;
  public static final long WEEK = Duration.ofDays(7).toMillis();
  public static final Reading READING = Reading.latest(WEEK, 0);

  private final RecordHeaders headers = new RecordHeaders();
  private long offset = OFFSET;
  private long timestamp = TIMESTAMP;
  private byte @Nullable [] key;
  private byte @Nullable [] value;

  /** A record without key, value and headers. */
  public static IntakeRecord empty() {
    return new IntakeRecord();
  }

  /** A request to deliver to {@code orders} after one second. */
  public static IntakeRecord schedule() {
    return empty().with(DelayHeaders.TARGET_TOPIC, "orders").with(DelayHeaders.DELAY_MS, "1000");
  }

  /** A request to deliver to {@code orders}, that does not say when. */
  public static IntakeRecord timeless() {
    return empty().with(DelayHeaders.TARGET_TOPIC, "orders");
  }

  public IntakeRecord at(long offset) {
    this.offset = offset;
    return this;
  }

  public IntakeRecord stamped(long timestamp) {
    this.timestamp = timestamp;
    return this;
  }

  public IntakeRecord key(byte @Nullable [] key) {
    this.key = key;
    return this;
  }

  public IntakeRecord value(byte @Nullable [] value) {
    this.value = value;
    return this;
  }

  public IntakeRecord with(String name, String value) {
    return withBytes(name, value.getBytes(StandardCharsets.UTF_8));
  }

  public IntakeRecord withBytes(String name, byte @Nullable [] value) {
    headers.add(name, value);
    return this;
  }

  public IntakeRecord withAll(Iterable<Header> more) {
    more.forEach(headers::add);
    return this;
  }

  public ConsumerRecord<byte[], byte[]> build() {
    return new ConsumerRecord<>(
        TOPIC,
        PARTITION,
        offset,
        timestamp,
        TimestampType.CREATE_TIME,
        -1,
        -1,
        key,
        value,
        headers,
        Optional.empty());
  }

  /** The message that the record asks for; a week is the longest delay. */
  public DelayedMessage parsed() {
    return parsed(READING);
  }

  public DelayedMessage parsed(Reading reading) {
    return (DelayedMessage) RequestParser.parse(build(), reading);
  }
}
