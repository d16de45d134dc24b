package io.delaybridge.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.Noise;
import io.delaybridge.message.Ask;
import io.delaybridge.message.Cancellation;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.Request;
import io.delaybridge.schemas.CorruptMessageException;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.StoredMessage;
import io.delaybridge.schemas.StoredMessageCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/**
 * Invalid records, and damaged stored messages. {@code -Dnoise.cases=} sets their number, {@code
 * -Dnoise.seed=} chooses others.
 */
class BadRequestsTest {

  private static final int CASES = Integer.getInteger("noise.cases", 400_000);
  private static final long SEED = Long.getLong("noise.seed", 1);
  private static final int LONGEST_TEXT = 600;

  private static final Map<String, List<String>> VALID =
      Map.of(
          DelayHeaders.TARGET_TOPIC, List.of("orders"),
          DelayHeaders.DELAY_MS, List.of("1000", "0"),
          DelayHeaders.DELAY_DURATION, List.of("PT30M", "P7D"),
          DelayHeaders.DELIVER_AT, List.of("1760000001000", "2025-10-09T08:53:21Z"),
          DelayHeaders.ID, List.of("a", "x".repeat(256)),
          DelayHeaders.OP, List.of("schedule", "cancel", "move", "reject", "pause", "resume"),
          DelayHeaders.PENDING, List.of("17/1760000000500"),
          DelayHeaders.TTL_MS, List.of("60000"),
          DelayHeaders.MAX_ATTEMPTS, List.of("5"),
          DelayHeaders.RETRY, List.of("v1|17|2|1760000000500|-"));

  private static final List<String> NAMES = VALID.keySet().stream().sorted().toList();

  private final Noise noise = new Noise(SEED);

  @Test
  void everyRecordIsARequestWithAKeyThatCanBeStored() throws CorruptMessageException {
    int malformed = 0;
    for (int i = 0; i < CASES; i++) {
      ConsumerRecord<byte[], byte[]> record = record();
      Request request = RequestParser.parse(record, IntakeRecord.READING);
      if (request instanceof DelayedMessage message) {
        malformed += message.isMalformed() ? 1 : 0;
        checkMessage(message, i);
      } else if (request instanceof Ask ask) {
        assertThat(ask.key()).isEqualTo(Due.asked(record.offset()));
      } else {
        assertThat(((Cancellation) request).id().getBytes(StandardCharsets.UTF_8))
            .hasSizeBetween(1, 256);
      }
    }
    assertThat(malformed).isBetween(CASES / 10, CASES - CASES / 50);
  }

  private static void checkMessage(DelayedMessage message, int number)
      throws CorruptMessageException {
    Due key = message.key();
    StoredMessage content = message.content();
    String detail = content.detail();
    if (key.time() < 0 || (detail != null && detail.length() > LONGEST_TEXT)) {
      throw new AssertionError("case " + number + ": " + message);
    }
    if (number % 8 == 0) {
      byte[] bytes = StoredMessageCodec.encode(content, key.time(), key.offset());
      assertThat(StoredMessageCodec.decode(bytes, key.time(), key.offset())).isEqualTo(content);
    }
  }

  private ConsumerRecord<byte[], byte[]> record() {
    RecordHeaders headers = new RecordHeaders();
    for (int i = noise.below(5); i >= 0; i--) {
      String name = noise.of(NAMES);
      byte[] value =
          noise.of(Objects.requireNonNull(VALID.get(name))).getBytes(StandardCharsets.UTF_8);
      boolean odd = noise.below(20) == 0;
      headers.add(
          odd ? noise.changed(name) : name,
          odd && noise.below(4) == 0 ? null : noise.below(2) == 0 ? value : noise.changed(value));
    }
    long timestamp = noise.below(50) == 0 ? Long.MAX_VALUE - noise.below(9) : 1_760_000_000_000L;
    return new ConsumerRecord<>(
        IntakeRecord.TOPIC,
        0,
        IntakeRecord.OFFSET,
        noise.below(50) == 0 ? -1 : timestamp,
        TimestampType.CREATE_TIME,
        0,
        0,
        null,
        noise.bytes(20),
        headers,
        java.util.Optional.empty());
  }

  @Test
  void storedBytesAreTheMessageOrCorrupt() {
    DelayedMessage message =
        (DelayedMessage)
            RequestParser.parse(
                IntakeRecord.schedule()
                    .with(DelayHeaders.ID, "a")
                    .key(new byte[] {1})
                    .value(new byte[40])
                    .build(),
                IntakeRecord.READING);
    long due = message.key().time();
    byte[] bytes = StoredMessageCodec.encode(message.content(), due, message.offset());
    int read = 0;
    for (int i = 0; i < CASES; i++) {
      byte[] changed = noise.changed(bytes);
      try {
        StoredMessage decoded = StoredMessageCodec.decode(changed, due, message.offset());
        assertThat(changed).as("case %d", i).isEqualTo(bytes);
        assertThat(decoded).isEqualTo(message.content());
        read++;
      } catch (CorruptMessageException e) {
        assertThat(String.valueOf(e.getMessage()).length()).isLessThan(LONGEST_TEXT);
      }
    }
    assertThat(read).as("those that were not changed").isLessThan(CASES / 3);
  }
}
