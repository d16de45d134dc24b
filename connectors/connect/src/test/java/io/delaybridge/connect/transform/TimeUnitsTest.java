package io.delaybridge.connect.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.apache.kafka.connect.errors.DataException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeUnitsTest {

  @ParameterizedTest
  @CsvSource({
    "5, ms, 5",
    "5, s, 5000",
    "2, m, 120000",
    "1, h, 3600000",
    "7, d, 604800000",
    "1.5, s, 1500",
    "0.0001, s, 1",
    "PT30M, ms, 1800000",
    "P7D, ms, 604800000",
    "PT0.0001S, ms, 1",
    "0, ms, 0"
  })
  void readsDelaysAsText(String text, String unit, long millis) {
    assertThat(TimeUnits.delayMillis(text, unit)).isEqualTo(millis);
  }

  @Test
  void readsDelaysAsNumbers() {
    assertThat(TimeUnits.delayMillis(5, "s")).isEqualTo(5_000);
    assertThat(TimeUnits.delayMillis(5L, "s")).isEqualTo(5_000);
    assertThat(TimeUnits.delayMillis((short) 5, "s")).isEqualTo(5_000);
    assertThat(TimeUnits.delayMillis(0.25, "s")).isEqualTo(250);
    assertThat(TimeUnits.delayMillis(0.25f, "s")).isEqualTo(250);
    assertThat(TimeUnits.delayMillis(new BigDecimal("0.2501"), "s")).isEqualTo(251);
  }

  @ParameterizedTest
  @CsvSource({
    "1795246327000, ms, 1795246327000",
    "1795246327, s, 1795246327000",
    "1795246327000001, us, 1795246327001",
    "1795246327000000000, ns, 1795246327000",
    "2026-03-01T09:00:00Z, ms, 1772355600000",
    "2026-03-01T10:00:00+01:00, ms, 1772355600000",
    "2026-03-01T09:00:00.0000001Z, ms, 1772355600001"
  })
  void readsInstantsAsText(String text, String unit, long millis) {
    assertThat(TimeUnits.instantMillis(text, unit)).isEqualTo(millis);
  }

  @ParameterizedTest
  @CsvFileSource(
      files = "../../schemas/src/test/resources/instants.csv",
      useHeadersInDisplayName = true)
  void readsOrRefusesAnInstantAsEverywhere(String text, @Nullable Long millis, @Nullable Long up) {
    if (millis == null) {
      assertThatThrownBy(() -> TimeUnits.instantMillis(text, "ms"))
          .isInstanceOf(DataException.class)
          .hasMessageContaining(text);
    } else {
      assertThat(TimeUnits.instantMillis(text, "ms")).isEqualTo(up == null ? millis : up);
    }
  }

  @Test
  @SuppressWarnings("JavaUtilDate") // The type that Connect uses.
  void readsInstantsAsTimestampsAndNumbers() {
    Date date = Date.from(Instant.ofEpochMilli(1_795_246_327_001L));

    assertThat(TimeUnits.instantMillis(date, "s")).isEqualTo(1_795_246_327_001L);
    assertThat(TimeUnits.instantMillis(1_795_246_327, "s")).isEqualTo(1_795_246_327_000L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "soon",
        "P1M",
        "-1",
        "-PT1S",
        "1e3",
        "99999999999999999999",
        "PT9999999999999999999S",
        "NaN"
      })
  void refusesWhatIsNoDelay(String text) {
    assertThatThrownBy(() -> TimeUnits.delayMillis(text, "ms"))
        .isInstanceOf(DataException.class)
        .hasMessageContaining(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "2026-03-01", "2026-03-01T09:00:00", "-1", "1969-12-31T23:59:59Z", "PT1S"})
  void refusesWhatIsNoInstant(String text) {
    assertThatThrownBy(() -> TimeUnits.instantMillis(text, "ms"))
        .isInstanceOf(DataException.class)
        .hasMessageContaining(text);
  }

  @Test
  @SuppressWarnings("JavaUtilDate") // The type that Connect uses.
  void refusesWhatLooksLikeAnotherUnit() {
    assertThatThrownBy(() -> TimeUnits.instantMillis(1_795_710_000L, "ms"))
        .isInstanceOf(DataException.class)
        .hasMessage(
            "A field holds 1795710000, which is 1970-01-21T18:48:30Z: too long ago, so its unit is"
                + " probably another one (deliver.at.unit is ms)");
    assertThatThrownBy(() -> TimeUnits.instantMillis(new Date(9_000), "s"))
        .isInstanceOf(DataException.class);
  }

  @Test
  void refusesOtherTypes() {
    assertThatThrownBy(() -> TimeUnits.delayMillis(true, "ms"))
        .isInstanceOf(DataException.class)
        .hasMessageStartingWith("A field holds a Boolean, allowed: a number");
    assertThatThrownBy(() -> TimeUnits.instantMillis(List.of(), "ms"))
        .isInstanceOf(DataException.class);
    assertThatThrownBy(() -> TimeUnits.delayMillis(Double.NaN, "ms"))
        .isInstanceOf(DataException.class);
  }
}
