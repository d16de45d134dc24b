package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LapClockTest {

  private final LapClock clock = new LapClock();

  private long looksUntil(long end, long copies) {
    long looks = 0;
    for (long now = clock.at(); now < end; now = clock.at()) {
      clock.nothing(copies, now);
      looks++;
    }
    return looks;
  }

  @Test
  void looksAgainHoweverOftenThereWasNothing() {
    clock.open(0, 0);

    assertThat(looksUntil(1_000, 0)).isEqualTo(9);
    assertThat(looksUntil(3_600_000, 0)).isBetween(15L, 25L);
    assertThat(clock.at()).isLessThan(4_000_000);
  }

  @Test
  void looksEachSecondForWhatIsCounted() {
    clock.open(1, 0);
    assertThat(looksUntil(1_000, 1)).isEqualTo(9);
    assertThat(looksUntil(61_000, 1)).isEqualTo(60);
  }

  @Test
  void looksOftenAgainOnceSomethingMayBeThere() {
    clock.open(0, 0);
    looksUntil(3_600_000, 0);

    clock.lookAtOnce();
    assertThat(looksUntil(1_000, 0)).isEqualTo(9);
  }
}
