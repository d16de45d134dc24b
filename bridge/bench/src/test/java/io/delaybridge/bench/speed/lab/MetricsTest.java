package io.delaybridge.bench.speed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MetricsTest {

  private static final String TEXT =
      """
      # HELP turns Turns.
      turn_seconds_sum{loop="loop-0"} 1.5
      turn_seconds_sum{loop="a b}"} 0.5
      turn_seconds_count{loop="loop-0"} 3
      turn_seconds_count{loop="a b}"} 1
      up 1.0
      """;

  @Test
  void labelsAreSummedUp() {
    assertThat(Metrics.parse(TEXT).get("turn_seconds_sum")).isEqualTo(2);
    assertThat(Metrics.parse(TEXT).get("up")).isEqualTo(1);
  }

  @Test
  void whatIsNotThereIsZero() {
    assertThat(Metrics.parse(TEXT).get("down")).isZero();
  }

  @Test
  void aMeanIsOfWhatWasAdded() {
    Metrics later = Metrics.parse(TEXT.replace("} 3", "} 7").replace("1.5", "3.5"));
    assertThat(later.since(Metrics.parse(TEXT)).mean("turn_seconds")).isEqualTo(0.5);
  }
}
