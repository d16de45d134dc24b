package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.DelayHeaders;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** While the clock of its machine is ahead, a bridge delivers nothing. See ADR 38. */
class ClockRulesTest extends RuleTest {

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whileTheClockIsAheadNothingGoesOut(boolean withLimits) {
    limited = withLimits;
    SimBridge bridge = running("a");
    schedule("stored before", 1_000);
    turns(bridge);

    at(HOUR);
    clock.ahead = true;
    schedule("read meanwhile", 2_000);
    turns(bridge);
    assertThat(delivered()).isEmpty();

    at(999);
    clock.ahead = false;
    turns(bridge);
    assertThat(delivered()).isEmpty();

    at(2_000);
    turns(bridge);
    assertThat(delivered()).containsExactly("stored before", "read meanwhile");
  }

  @Test
  void asksAreAnsweredAllTheSame() {
    SimBridge bridge = running("a");
    long message = schedule("a", 1_000);
    turns(bridge);

    at(HOUR);
    clock.ahead = true;
    long ask =
        append(
            Map.of(
                DelayHeaders.OP,
                DelayHeaders.OP_CANCEL,
                DelayHeaders.PENDING,
                message + "/" + (START + 1_000)));
    turns(bridge);

    assertThat(store.answer(shard(), ask)).isEqualTo(Verdict.CANCELLED);
  }

  @Test
  void noOccurrenceIsLeftOutBecauseTheClockWasAhead() {
    SimBridge bridge = running("a");
    append(
        Map.of(
            DelayHeaders.TARGET_TOPIC,
            TARGET,
            DelayHeaders.ID,
            "x",
            DelayHeaders.DELIVER_AT,
            Long.toString(START + 1_000),
            DelayHeaders.EVERY,
            "PT1S"));
    secondBySecond(bridge, 1_000, 3_000);

    at(HOUR);
    clock.ahead = true;
    turns(bridge);
    clock.ahead = false;
    secondBySecond(bridge, 4_000, 6_000);

    assertThat(kafka.records(TARGET))
        .extracting(each -> header(each, DelayHeaders.OCCURRENCE))
        .containsExactly("1", "2", "3", "4", "5", "6");
  }

  @Test
  void aLoopSleepsMeanwhile() {
    SimBridge bridge = running("a");
    schedule("a", 1_000);
    turns(bridge);

    at(HOUR);
    clock.ahead = true;
    turns(bridge);

    assertThat(bridge.consumer.lastPollTimeout()).isEqualTo(Duration.ofMillis(500));
  }
}
