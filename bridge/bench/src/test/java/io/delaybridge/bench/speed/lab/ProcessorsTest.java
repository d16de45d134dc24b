package io.delaybridge.bench.speed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessorsTest {

  private static final Processors BEFORE =
      Processors.parse("cpu  100 0 50 800 10 0 5 35 0 0\ncpu0 100 0 50 800 10 0 5 35 0 0\n");

  @Test
  void isOfAllOfThemTogether() {
    Processors after =
        Processors.parse("cpu  150 0 60 820 10 0 5 55 0 0\ncpu0 150 0 60 820 10 0 5 55 0 0\n");

    assertThat(after.stolenSince(BEFORE)).isEqualTo(20.0);
    assertThat(after.idleSince(BEFORE)).isEqualTo(20.0);
  }

  @Test
  void isIdleWhileItWaitsForADisk() {
    Processors after = Processors.parse("cpu  130 0 50 820 60 0 5 35 0 0\n");

    assertThat(after.idleSince(BEFORE)).isEqualTo(70.0);
  }

  @Test
  void doesNotCountTheTimeOfGuestsTwice() {
    Processors before = Processors.parse("cpu  0 0 0 0 0 0 0 0 0 0\n");
    Processors after = Processors.parse("cpu  90 0 0 0 0 0 0 10 90 0\n");

    assertThat(after.stolenSince(before)).isEqualTo(10.0);
  }
}
