package io.delaybridge.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimesTest {

  @ParameterizedTest
  @CsvSource({
    "1760000000000, 1760000000000",
    "0, 0",
    "1970-01-01T00:00:01Z, 1000",
    "1970-01-01T01:00:01.5+01:00, 1500"
  })
  void anInstantIsEpochMillisecondsOrIso8601(String text, long millis) {
    assertThat(Times.instant("from", text)).isEqualTo(millis);
  }

  @Test
  void noTextIsNoInstant() {
    assertThat(Times.instant("from", null)).isNull();
    assertThat(Times.instant("from", " ")).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"yesterday", "-1", "2026-01-01", "2026-01-01T00:00:00"})
  void anInstantThatIsNoneIsTold(String text) {
    assertThatThrownBy(() -> Times.instant("from", text))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("from is '" + text + "', allowed: ");
  }

  @Test
  void aDurationIsIso8601() {
    assertThat(Times.duration("window", "PT1H")).isEqualTo(3_600_000);
    assertThatThrownBy(() -> Times.duration("window", "1h"))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("window is '1h', allowed: ");
  }
}
