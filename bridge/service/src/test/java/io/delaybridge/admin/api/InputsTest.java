package io.delaybridge.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.admin.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InputsTest {

  @ParameterizedTest
  @CsvSource({
    "1760000000000, 1760000000000",
    "0, 0",
    "1970-01-01T00:00:01Z, 1000",
    "1970-01-01T01:00:01.5+01:00, 1500"
  })
  void anInstantIsEpochMillisecondsOrIso8601(String text, long millis) {
    assertThat(Inputs.optional("from", text)).isEqualTo(millis);
  }

  @Test
  void noTextIsNoInstant() {
    assertThat(Inputs.optional("from", null)).isNull();
    assertThat(Inputs.optional("from", " ")).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"yesterday", "-1", "2026-01-01", "2026-01-01T00:00:00"})
  void anInstantThatIsNoneIsTold(String text) {
    assertThatThrownBy(() -> Inputs.optional("from", text))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("from is '" + text + "', allowed: ");
  }

  @Test
  void anInstantBeyondMillisecondsIsTold() {
    assertThatThrownBy(() -> Inputs.optional("from", "+999999999-12-31T23:59:59Z"))
        .isInstanceOf(Problem.class);
  }

  @Test
  void aDurationIsIso8601() {
    assertThat(Inputs.millis("window", "PT1H")).isEqualTo(3_600_000);
    assertThatThrownBy(() -> Inputs.millis("window", "1h"))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("window is '1h', allowed: ");
  }
}
