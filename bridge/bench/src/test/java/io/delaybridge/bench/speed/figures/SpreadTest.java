package io.delaybridge.bench.speed.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {

  @Test
  void theMedianOfAnOddNumberIsTheOneInTheMiddle() {
    assertThat(Spread.of(9, 1, 5).median()).isEqualTo(5);
  }

  @Test
  void theMedianOfAnEvenNumberIsTheMeanOfTheTwoThere() {
    assertThat(Spread.of(1, 2, 10, 20).median()).isEqualTo(6);
  }

  @Test
  void theSpreadGoesFromTheSmallestToTheLargest() {
    Spread spread = Spread.of(3, -1, 2);
    assertThat(spread.min()).isEqualTo(-1);
    assertThat(spread.max()).isEqualTo(3);
  }

  @Test
  void aRatioIsTakenRoundByRound() {
    // The machine was half as fast in the second round, for both.
    Spread ratio = Spread.of(50, 25).over(Spread.of(100, 50));
    assertThat(ratio.values()).containsExactly(0.5, 0.5);
  }

  @Test
  void aRatioNeedsAsManyOfBoth() {
    assertThatThrownBy(() -> Spread.of(1, 2).over(Spread.of(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("2 values over 1");
  }

  @Test
  void nothingHasNoSpread() {
    assertThatThrownBy(() -> new Spread(List.of())).isInstanceOf(IllegalArgumentException.class);
  }
}
