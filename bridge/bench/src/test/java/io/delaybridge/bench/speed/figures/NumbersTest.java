package io.delaybridge.bench.speed.figures;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumbersTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "0.6127, 0.613",
    "12.44, 12.4",
    "7, 7",
    "100, 100",
    "253412, '253,000'",
    "-3.14159, -3.14",
    "0.00012345, 0.000123"
  })
  void threeDigitsAreEnough(double value, String text) {
    assertThat(Numbers.plain(value)).isEqualTo(text);
  }
}
