package io.delaybridge.deadletter.index;

import static io.delaybridge.deadletter.letters.Letters.AT;
import static io.delaybridge.deadletter.letters.Letters.letter;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RatesTest {

  private final Rates rates = new Rates(1_000);

  private int count(String reason, long at) {
    return rates.count(letter(1, reason, "orders", at));
  }

  @Test
  void theWindowSlidesWithTheNewest() {
    assertThat(count("EXPIRED", AT)).isEqualTo(1);
    assertThat(count("EXPIRED", AT + 999)).isEqualTo(2);
    assertThat(count("EXPIRED", AT + 1_000)).isEqualTo(2);
    assertThat(count("EXPIRED", AT + 5_000)).isEqualTo(1);
  }

  @Test
  void lettersOfAnotherPartitionMayComeLater() {
    assertThat(count("EXPIRED", AT + 500)).isEqualTo(1);
    assertThat(count("EXPIRED", AT)).isEqualTo(2);
    assertThat(count("EXPIRED", AT - 500)).isZero();
    assertThat(count("EXPIRED", AT + 1_100)).isEqualTo(2);
  }

  @Test
  void reasonsAreCountedApart() {
    assertThat(count("EXPIRED", AT)).isEqualTo(1);
    assertThat(count("NO_TARGET", AT)).isEqualTo(1);
  }

  @Test
  void timesDoNotGrowWithoutBound() {
    int last = 0;
    for (int i = 0; i <= Rates.MAX_COUNT; i++) {
      last = count("EXPIRED", AT);
    }
    assertThat(last).isEqualTo(Rates.MAX_COUNT);
  }

  @Test
  void ofTooManyReasonsTheOneThatIsNotCountedAnyMoreIsForgotten() {
    count("RARE", AT);
    count("EXPIRED", AT);
    for (int i = 0; i < Rates.MAX_REASONS; i++) {
      count("MADE_UP_" + i, AT);
      assertThat(count("EXPIRED", AT)).isEqualTo(i + 2);
    }
    assertThat(count("RARE", AT)).isEqualTo(1);
    assertThat(count("NEW", AT)).isEqualTo(1);
  }
}
