package io.delaybridge.bench.speed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StolenTest {

  @Test
  void isThePartOfAllProcessorTimeThatTheHostGaveToOthers() {
    String before = "cpu  100 0 50 800 10 0 5 35 0 0\ncpu0 100 0 50 800 10 0 5 35 0 0\n";
    String after = "cpu  150 0 60 820 10 0 5 55 0 0\ncpu0 150 0 60 820 10 0 5 55 0 0\n";

    assertThat(Stolen.percent(before, after)).isEqualTo(20.0);
  }

  @Test
  void doesNotCountTheTimeOfGuestsTwice() {
    String before = "cpu  0 0 0 0 0 0 0 0 0 0\n";
    String after = "cpu  90 0 0 0 0 0 0 10 90 0\n";

    assertThat(Stolen.percent(before, after)).isEqualTo(10.0);
  }
}
