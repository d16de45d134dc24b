package io.delaybridge.repeat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.repeat.Rule.Calendar;
import io.delaybridge.repeat.Rule.Every;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalendarTest {

  @ParameterizedTest(name = "{0} in {1} after {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # An hour that is skipped: once, right after it.
          30 2 * * *   | Europe/Berlin       | 2026-03-28T12:00+01:00 | 2026-03-29T03:00+02:00 | 2026-03-30T02:30+02:00
          0,30 2 * * * | Europe/Berlin       | 2026-03-28T12:00+01:00 | 2026-03-29T03:00+02:00 | 2026-03-30T02:00+02:00
          30 2 * * *   | America/New_York    | 2026-03-07T12:00-05:00 | 2026-03-08T03:00-04:00 | 2026-03-09T02:30-04:00
          15 2 * * *   | Australia/Lord_Howe | 2026-10-03T12:00+10:30 | 2026-10-04T02:30+11:00 | 2026-10-05T02:15+11:00
          # Nothing happens with what is only near it.
          0 3 * * *    | Europe/Berlin       | 2026-03-28T12:00+01:00 | 2026-03-29T03:00+02:00 | 2026-03-30T03:00+02:00
          59 1 * * *   | Europe/Berlin       | 2026-03-28T12:00+01:00 | 2026-03-29T01:59+01:00 | 2026-03-30T01:59+02:00
          # An hour that comes twice: once, the first time.
          30 2 * * *   | Europe/Berlin       | 2026-10-24T12:00+02:00 | 2026-10-25T02:30+02:00 | 2026-10-26T02:30+01:00
          30 1 * * *   | America/New_York    | 2026-10-31T12:00-04:00 | 2026-11-01T01:30-04:00 | 2026-11-02T01:30-05:00
          45 1 * * *   | Australia/Lord_Howe | 2026-04-04T12:00+11:00 | 2026-04-05T01:45+11:00 | 2026-04-06T01:45+10:30
          30 2 * * *   | Europe/Berlin       | 2026-10-25T02:10+01:00 | 2026-10-26T02:30+01:00 | 2026-10-27T02:30+01:00
          # What goes by intervals goes on by real time.
          */30 * * * * | Europe/Berlin       | 2026-03-29T01:30+01:00 | 2026-03-29T03:00+02:00 | 2026-03-29T03:30+02:00
          */30 * * * * | Europe/Berlin       | 2026-10-25T02:30+02:00 | 2026-10-25T02:00+01:00 | 2026-10-25T02:30+01:00
          30 * * * *   | Europe/Berlin       | 2026-10-25T02:30+02:00 | 2026-10-25T02:30+01:00 | 2026-10-25T03:30+01:00
          */20 2 * * * | Europe/Berlin       | 2026-03-28T12:00+01:00 | 2026-03-30T02:00+02:00 | 2026-03-30T02:20+02:00
          # A zone that changes at midnight: Havana.
          0 0 * * *    | America/Havana      | 2026-03-07T12:00-05:00 | 2026-03-08T01:00-04:00 | 2026-03-09T00:00-04:00
          @daily       | America/Havana      | 2026-10-31T12:00-04:00 | 2026-11-01T00:00-04:00 | 2026-11-02T00:00-05:00
          # One that stopped changing.
          0 0 * * *    | America/Sao_Paulo   | 2018-11-03T12:00-03:00 | 2018-11-04T01:00-02:00 | 2018-11-05T00:00-02:00
          0 0 * * *    | America/Sao_Paulo   | 2026-11-03T12:00-03:00 | 2026-11-04T00:00-03:00 | 2026-11-05T00:00-03:00
          # A day that there was not.
          0 9 30 * *   | Pacific/Apia        | 2011-12-01T00:00-10:00 | 2011-12-31T00:00+14:00 | 2012-01-30T09:00+14:00
          # Days that not all months and years have.
          0 0 29 2 *   | UTC                 | 2025-01-01T00:00Z      | 2028-02-29T00:00Z      | 2032-02-29T00:00Z
          0 0 29 2 *   | UTC                 | 2096-03-01T00:00Z      | 2104-02-29T00:00Z      | 2108-02-29T00:00Z
          0 0 31 * *   | UTC                 | 2026-01-31T00:00Z      | 2026-03-31T00:00Z      | 2026-05-31T00:00Z
          # Both days are restricted: one is enough. One begins with a star: both are needed.
          0 0 13 * FRI | UTC                 | 2026-01-01T00:00Z      | 2026-01-02T00:00Z      | 2026-01-09T00:00Z
          0 0 */2 * 1  | UTC                 | 2026-01-01T00:00Z      | 2026-01-05T00:00Z      | 2026-01-19T00:00Z
          # Names, both Sundays, seconds, macros.
          0 9 * JAN-MAR MON-FRI | UTC        | 2026-03-31T10:00Z      | 2027-01-01T09:00Z      | 2027-01-04T09:00Z
          0 0 * * 7    | UTC                 | 2026-01-01T00:00Z      | 2026-01-04T00:00Z      | 2026-01-11T00:00Z
          0 0 * * 5-7  | UTC                 | 2026-01-01T00:00Z      | 2026-01-02T00:00Z      | 2026-01-03T00:00Z
          0 0 * * SAT-SUN | UTC              | 2026-01-05T00:00Z      | 2026-01-10T00:00Z      | 2026-01-11T00:00Z
          10,50 * * * * * | UTC              | 2026-01-01T00:00:20Z   | 2026-01-01T00:00:50Z   | 2026-01-01T00:01:10Z
          @hourly      | UTC                 | 2026-01-01T00:00Z      | 2026-01-01T01:00Z      | 2026-01-01T02:00Z
          @Weekly      | UTC                 | 2026-01-01T00:00Z      | 2026-01-04T00:00Z      | 2026-01-11T00:00Z
          @monthly     | UTC                 | 2026-01-01T00:00Z      | 2026-02-01T00:00Z      | 2026-03-01T00:00Z
          @yearly      | UTC                 | 2026-01-01T00:00Z      | 2027-01-01T00:00Z      | 2028-01-01T00:00Z
          """)
  void comesWhenItShould(
      String cron, String zone, OffsetDateTime after, OffsetDateTime first, OffsetDateTime second) {
    Calendar calendar = Calendar.of(cron, ZoneId.of(zone));
    List<Instant> next = new ArrayList<>();
    long at = after.toInstant().toEpochMilli();
    for (int i = 0; i < 2; i++) {
      at = calendar.next(at);
      next.add(Instant.ofEpochMilli(at));
    }
    assertThat(next).containsExactly(first.toInstant(), second.toInstant());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0 0 30 2 *", "0 0 31 4,6,9,11 *"})
  void whatNeverComesIsNever(String cron) {
    assertThat(Calendar.of(cron, ZoneId.of("UTC")).next(0)).isEqualTo(Rule.NEVER);
  }

  /** The last Sunday of March, from two to three: an hour that is always skipped. */
  @Test
  void whatIsOnlyInHoursThatAreSkippedIsNever() {
    Calendar calendar = Calendar.of("*/5 2 25-31 3 */7", ZoneId.of("Europe/Berlin"));

    assertThat(calendar.next(0)).isLessThan(Rule.NEVER);
    assertThat(calendar.next(Instant.parse("2026-01-01T00:00:00Z").toEpochMilli()))
        .isEqualTo(Rule.NEVER);
  }

  @Test
  void nothingComesAfterTheLastYear() {
    assertThat(Calendar.of("@yearly", ZoneId.of("Europe/Berlin")).next(Long.MAX_VALUE - 1))
        .isEqualTo(Rule.NEVER);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''              | it has 0 fields
          * * * *         | it has 4 fields
          * * * * * * *   | it has 7 fields
          60 * * * *      | the minute has '60': allowed: 0 to 59
          * 24 * * *      | the hour has '24': allowed: 0 to 23
          * * 0 * *       | the day of the month has '0': allowed: 1 to 31
          * * 32 * *      | the day of the month has '32'
          * * * 13 *      | the month has '13': allowed: 1 to 12, or a name such as FEB
          * * * * 8       | the day of the week has '8': allowed: 0 to 7, or a name such as MON
          * * * JANUARY * | the month has 'JANUARY'
          x * * * *       | the minute has 'x'
          -1 * * * *      | the minute has ''
          5-1 * * * *     | the minute has '5-1': the range ends before it begins
          */0 * * * *     | the minute has '0': a step is a whole number from 1 on
          */ * * * *      | the minute has '': a step
          5/10 * * * *    | the minute has '5/10': a step needs a range or a star
          1,,2 * * * *    | the minute has ''
          ? * * * *       | the minute has '?'
          99999999999999999999999 * * * * | the minute has '99999999999999999999...'
          @reboot         | macros are @yearly
          """)
  void whatIsWrongIsSaid(String cron, String why) {
    assertThatThrownBy(() -> Calendar.of(cron, ZoneId.of("UTC")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @CsvSource({"1000, 1000, 2000", "1000, 1001, 2000", "1000, 1999, 2000", "1000, 2000, 3000"})
  void everySecondKeepsItsPlaceInTheSecond(long one, long after, long next) {
    assertThat(new Every(1000).next(one, after)).isEqualTo(next);
  }
}
