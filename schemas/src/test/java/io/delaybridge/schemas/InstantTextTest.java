package io.delaybridge.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.schemas.InstantText.Fault;
import io.delaybridge.schemas.InstantText.RefusedException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The table of instants holds for headers, the API, the commands, the Connect plugins and the
 * dashboard. A test of each reads it.
 */
class InstantTextTest {

  @ParameterizedTest
  @CsvFileSource(resources = "/instants.csv", useHeadersInDisplayName = true)
  void aTextIsAnInstantOrRefused(String text, @Nullable Long millis) {
    if (millis == null) {
      assertThatThrownBy(() -> InstantText.parse(text))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("allowed: " + InstantText.ALLOWED);
    } else {
      assertThat(InstantText.parse(text).toEpochMilli()).isEqualTo(millis);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "soon, UNREADABLE",
    "2027-02-30T09:00:00Z, UNREADABLE",
    "-1, NEGATIVE",
    "-99999999999999999999, NEGATIVE",
    "1796000000, SECONDS",
    "253402300800000, OUT_OF_RANGE",
    "1000000000000000000, OUT_OF_RANGE",
    "1969-12-31T23:59:59Z, OUT_OF_RANGE",
    "+999999999-12-31T23:59:59Z, OUT_OF_RANGE"
  })
  void aRefusalNamesTheFault(String text, Fault fault) {
    assertThatThrownBy(() -> InstantText.parse(text))
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.fault()).isEqualTo(fault));
  }

  @Test
  void secondsAreShownAsWhatTheyWouldBe() {
    assertThatThrownBy(() -> InstantText.parse("1796000000"))
        .hasMessageStartingWith("in milliseconds that is 1970-01-21T18:53:20Z: it looks like");
  }

  @ParameterizedTest
  @CsvSource({
    "1796000000, 1796000000",
    "999999999999999999, 999999999999999999",
    "1969-12-31T23:59:59.999Z, -1",
    "+10000-01-01T00:00:00Z, 253402300800000"
  })
  void aHeaderKeepsTheInstantThatItAlwaysHad(String text, long millis) {
    assertThat(InstantText.read(text).toEpochMilli()).isEqualTo(millis);
  }
}
