package io.delaybridge.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.admin.Problem;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class InputsTest {

  @ParameterizedTest
  @CsvFileSource(
      files = "../../schemas/src/test/resources/instants.csv",
      useHeadersInDisplayName = true)
  void anInstantIsReadOrRefusedAsEverywhere(String text, @Nullable Long millis) {
    if (millis == null) {
      assertThatThrownBy(() -> Inputs.optional("from", text))
          .isInstanceOf(Problem.class)
          .hasMessageStartingWith("from is '" + text + "', ")
          .hasMessageContaining("allowed: epoch milliseconds");
      assertThatThrownBy(() -> Inputs.before(text)).isInstanceOf(Problem.class);
      assertThatThrownBy(() -> Inputs.end("repeat.until", text)).isInstanceOf(Problem.class);
    } else {
      assertThat(Inputs.optional("from", text)).isEqualTo(millis);
      assertThat(Inputs.before(text)).isEqualTo(millis);
      assertThat(Inputs.end("repeat.until", text)).isEqualTo(text);
    }
  }

  @Test
  void noTextIsNoInstant() {
    assertThat(Inputs.optional("from", null)).isNull();
    assertThat(Inputs.optional("from", " ")).isNull();
  }

  @Test
  void aDurationIsIso8601() {
    assertThat(Inputs.millis("window", "PT1H")).isEqualTo(3_600_000);
    assertThatThrownBy(() -> Inputs.millis("window", "1h"))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("window is '1h', allowed: ");
  }
}
