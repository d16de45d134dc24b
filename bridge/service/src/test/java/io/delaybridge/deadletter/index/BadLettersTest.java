package io.delaybridge.deadletter.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.Noise;
import io.delaybridge.deadletter.alarms.AlertClaim;
import io.delaybridge.deadletter.letters.DeadLetter;
import io.delaybridge.deadletter.marks.Mark;
import io.delaybridge.deadletter.marks.MarkCodec;
import io.delaybridge.deadletter.marks.ReplayJob;
import io.delaybridge.message.Source;
import io.delaybridge.schemas.DelayHeaders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** Records that others may write to the dead-letter topic and to the one with the marks. */
class BadLettersTest {

  private static final int CASES = Integer.getInteger("noise.cases", 200_000);
  private static final Map<String, String> VALID =
      Map.of(
          DelayHeaders.SOURCE, "delay-intake/3/100",
          DelayHeaders.DEAD_REASON, "NO_TARGET",
          DelayHeaders.DEAD_DETAIL, "why not",
          DelayHeaders.DEAD_AT, "1760000000000",
          DelayHeaders.ATTEMPT, "2",
          DelayHeaders.REPLAY, "1",
          DelayHeaders.TARGET_TOPIC, "orders",
          DelayHeaders.ID, "a");
  private static final List<String> NAMES = VALID.keySet().stream().sorted().toList();

  private final Noise noise = new Noise(Long.getLong("noise.seed", 1));

  @Test
  void everyRecordIsALetterOfBoundedSizeOrNone() {
    int letters = 0;
    Source position = new Source("delay-deadletter", 0, 7);
    for (int i = 0; i < CASES; i++) {
      RecordHeaders headers = new RecordHeaders();
      for (String name : NAMES) {
        byte[] value = Objects.requireNonNull(VALID.get(name)).getBytes(StandardCharsets.UTF_8);
        int odd = noise.below(8);
        headers.add(name, odd == 0 ? noise.changed(value) : odd == 1 ? noise.bytes(500) : value);
      }
      Optional<DeadLetter> letter = LetterParser.parse(position, headers, 5, 50);
      if (letter.isPresent()) {
        letters++;
        assertThat(letter.get().toString().length()).isLessThan(2_000);
      }
    }
    assertThat(letters).isBetween(CASES / 10, CASES - CASES / 10);
  }

  @Test
  void everyMarkIsAMarkOrRefused() {
    byte[] valid =
        "{\"replays\":1,\"handled\":true,\"at\":1760000000000,\"by\":\"x\"}"
            .getBytes(StandardCharsets.UTF_8);
    int refused = 0;
    for (int i = 0; i < CASES / 10; i++) {
      byte[] value = noise.changed(valid);
      for (Class<?> type : List.of(Mark.class, ReplayJob.class, AlertClaim.class)) {
        try {
          assertThat(MarkCodec.read(value, type)).isNotNull();
        } catch (IOException e) {
          refused++;
        }
      }
    }
    assertThat(refused).isPositive();
  }
}
