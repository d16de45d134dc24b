package io.delaybridge.bench.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.bench.speed.lab.Guarantee;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {

  private static Options parse(String line) {
    return Options.parse(List.of(line.split(" ", -1)), Set.of("throughput", "herd"));
  }

  @Test
  void withoutOptionsTheDefaultsHold() {
    Options options = parse("throughput");
    assertThat(options.sizes()).containsExactly(100, 1024);
    assertThat(options.messages()).isEqualTo(400_000);
    assertThat(options.guarantees())
        .containsExactly(Guarantee.EXACTLY_ONCE, Guarantee.AT_LEAST_ONCE);
  }

  @Test
  void whatToMeasureKeepsItsOrder() {
    assertThat(parse("herd --rounds 1 throughput").what()).containsExactly("herd", "throughput");
  }

  @Test
  void severalSizesAreGivenWithCommas() {
    assertThat(parse("herd --size 1,20,300").sizes()).containsExactly(1, 20, 300);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--size 0 herd | --size is '0', allowed: 1 to 100000",
        "--size 5,x herd | --size is 'x', allowed: 1 to 100000",
        "--messages 10 herd | --messages is '10', allowed: 20000 to 5000000",
        "--rounds | --rounds has no value",
        "--guarantee twice herd"
            + " | --guarantee is 'twice', allowed: exactly_once, at_least_once or both with a comma",
        "--loops 65 herd | --loops is '65', allowed: 0 to 64",
        "--size 5,5 herd | --size is [5, 5], allowed: each once",
        "--backlog 0 herd | --backlog is '0', allowed: 1000 to 20000000",
        "--minutes 0 herd | --minutes is '0', allowed: 1 to 600"
      })
  void aWrongValueIsNamedWithWhatIsAllowed(String line, String message) {
    assertThatThrownBy(() -> parse(line)).hasMessage(message);
  }

  @Test
  void anUnknownWordIsNamed() {
    assertThatThrownBy(() -> parse("heard")).hasMessageContaining("'heard' is not known");
  }

  @Test
  void nothingToMeasureIsAnError() {
    assertThatThrownBy(() -> parse("--rounds 2")).hasMessageContaining("nothing to measure");
  }
}
