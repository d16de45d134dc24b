package io.delaybridge.intake;

import static io.delaybridge.intake.IntakeRecord.TIMESTAMP;
import static io.delaybridge.intake.IntakeRecord.WEEK;
import static io.delaybridge.intake.IntakeRecord.schedule;
import static io.delaybridge.intake.IntakeRecord.timeless;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Reading;
import io.delaybridge.repeat.InvalidRepeatException;
import io.delaybridge.repeat.Plan;
import io.delaybridge.repeat.Repetition;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import io.delaybridge.schemas.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that repeat: where they begin, and what is wrong with those that cannot. */
class RepeatingRequestsTest {

  private static final long SECOND = 1_000;

  private static IntakeRecord every(String every) {
    return schedule().with(DelayHeaders.ID, "x").with(DelayHeaders.EVERY, every);
  }

  private static IntakeRecord cron(String cron) {
    return timeless().with(DelayHeaders.ID, "x").with(DelayHeaders.CRON, cron);
  }

  private static Repetition repetition(IntakeRecord record) throws InvalidRepeatException {
    DelayedMessage message = record.parsed();
    assertThat(message.content().detail()).isNull();
    return Repetition.of(message);
  }

  private static Repetition next(Repetition one, long now) {
    return Objects.requireNonNull(one.next(now), "the next one");
  }

  private static void assertMalformed(IntakeRecord record, Reason reason, String detail) {
    DelayedMessage message = record.parsed();
    assertThat(message.content().reason()).isEqualTo(reason);
    assertThat(message.content().detail()).contains(detail);
    assertThat(message.key().time()).isEqualTo(TIMESTAMP);
    assertThat(message.id()).isNull();
    assertThat(message.repeats()).isFalse();
  }

  @Test
  void theFirstOccurrenceIsWhatTheRecordSays() throws InvalidRepeatException {
    DelayedMessage message = every("PT15M").parsed();
    Repetition first = Repetition.of(message);

    assertThat(message.key().time()).isEqualTo(TIMESTAMP + SECOND);
    assertThat(first.occurrence()).isEqualTo(1);
    assertThat(first.scheduledAt()).isEqualTo(TIMESTAMP + SECOND);
    assertThat(next(first, TIMESTAMP + SECOND).scheduledAt())
        .isEqualTo(TIMESTAMP + SECOND + Duration.ofMinutes(15).toMillis());
  }

  @Test
  void aCronExpressionAloneIsDueAtOnceAndBeginsWithItsNextMatch() throws InvalidRepeatException {
    DelayedMessage message = cron("0 * * * *").parsed();
    Repetition request = Repetition.of(message);

    assertThat(message.key().time()).isEqualTo(TIMESTAMP);
    assertThat(request.isRequest()).isTrue();
    Repetition first = next(request, TIMESTAMP);
    assertThat(first.occurrence()).isEqualTo(1);
    assertThat(first.scheduledAt()).isEqualTo((TIMESTAMP / 3_600_000 + 1) * 3_600_000);
  }

  @Test
  void aCronExpressionMayBeginWithAnotherInstant() throws InvalidRepeatException {
    Repetition first = repetition(cron("0 * * * *").with(DelayHeaders.DELAY_MS, "5"));

    assertThat(first.occurrence()).isEqualTo(1);
    assertThat(first.scheduledAt()).isEqualTo(TIMESTAMP + 5);
  }

  @Test
  void aSpreadIsNotOfTheCalendar() throws InvalidRepeatException {
    DelayedMessage message = every("PT15M").with(DelayHeaders.SPREAD_MS, "60000").parsed();

    assertThat(Repetition.of(message).scheduledAt()).isEqualTo(TIMESTAMP + SECOND);
    assertThat(Repetition.of(message).due()).isEqualTo(message.key().time());
    assertThat(message.key().time()).isNotEqualTo(TIMESTAMP + SECOND);
  }

  @Test
  void howFarItHasComeIsNotWhatAProducerSays() throws InvalidRepeatException {
    Repetition first =
        repetition(
            every("PT15M")
                .with(DelayHeaders.OCCURRENCE, "7")
                .with(DelayHeaders.SCHEDULED_AT, "1")
                .with(DelayHeaders.SCHEDULE, "y"));

    assertThat(first.occurrence()).isEqualTo(1);
    assertThat(first.scheduledAt()).isEqualTo(TIMESTAMP + SECOND);
  }

  @Test
  void theCopyOfABridgeIsBelieved() throws InvalidRepeatException {
    long due = TIMESTAMP + 60_000;
    IntakeRecord copy =
        every("PT15M")
            .with(DelayHeaders.OCCURRENCE, "7")
            .with(DelayHeaders.SCHEDULED_AT, Long.toString(due))
            .with(DelayHeaders.RETRY, "v1|3|1|" + due + "|-");

    Repetition seventh = repetition(copy);
    assertThat(seventh.occurrence()).isEqualTo(7);
    assertThat(seventh.scheduledAt()).isEqualTo(due);
    assertThat(copy.parsed().origin()).isEqualTo(3);
    assertThat(copy.parsed().key().time()).isEqualTo(due);
  }

  @Test
  void aCopyThatDoesNotSayHowFarItHasComeIsMalformed() {
    assertMalformed(
        every("PT15M")
            .with(DelayHeaders.OCCURRENCE, "7")
            .with(DelayHeaders.RETRY, "v1|3|1|" + (TIMESTAMP + 5) + "|-"),
        Reason.INVALID_RETRY,
        "delay-occurrence");
  }

  /** To a release that did not know the headers they were headers like any other. */
  @Test
  void aCopyOfAnEarlierReleaseIsTheFirstOccurrence() throws InvalidRepeatException {
    Repetition first =
        repetition(every("PT15M").with(DelayHeaders.RETRY, "v1|3|2|" + (TIMESTAMP + 5) + "|-"));

    assertThat(first.occurrence()).isEqualTo(1);
    assertThat(first.scheduledAt()).isEqualTo(TIMESTAMP + 5);
  }

  @Test
  void aCopyWhoseInstantIsTooFarAheadEndsTheRepetition() {
    long due = TIMESTAMP + Duration.ofDays(30).toMillis();
    assertMalformed(
        every("PT15M")
            .with(DelayHeaders.OCCURRENCE, "7")
            .with(DelayHeaders.SCHEDULED_AT, Long.toString(due))
            .with(DelayHeaders.RETRY, "v1|3|1|" + due + "|-"),
        Reason.DELAY_TOO_LONG,
        "the message does not repeat any more");
  }

  /** Of a leap day, 2028 is the next. */
  private static final String LEAP_DAY = "0 9 29 2 *";

  private static final Instant NEXT_LEAP_DAY = Instant.parse("2028-02-29T09:00:00Z");
  private static final Reading WITH_HORIZON = Reading.latest(WEEK, Duration.ofDays(1).toMillis());

  private static IntakeRecord successor(String cron, long due) {
    return cron(cron)
        .with(DelayHeaders.OCCURRENCE, "7")
        .with(DelayHeaders.SCHEDULED_AT, Long.toString(due))
        .with(DelayHeaders.RETRY, "v1|3|1|" + due + "|-");
  }

  private static void assertTooLong(IntakeRecord record, Reading reading, String detail) {
    DelayedMessage message = record.parsed(reading);
    assertThat(message.content().reason()).isEqualTo(Reason.DELAY_TOO_LONG);
    assertThat(message.content().detail()).endsWith(detail);
    assertThat(message.id()).isNull();
  }

  @Test
  void aCalendarMayWaitLongerThanTheLongestDelay() throws InvalidRepeatException {
    DelayedMessage message = cron(LEAP_DAY).parsed(WITH_HORIZON);

    assertThat(message.content().detail()).isNull();
    assertThat(message.key().time()).isEqualTo(TIMESTAMP);
    assertThat(next(Repetition.of(message), TIMESTAMP).scheduledAt())
        .isEqualTo(NEXT_LEAP_DAY.toEpochMilli());
  }

  @Test
  void soMayEachOccurrenceOfACalendar() {
    DelayedMessage message = successor(LEAP_DAY, NEXT_LEAP_DAY.toEpochMilli()).parsed(WITH_HORIZON);

    assertThat(message.content().detail()).isNull();
    assertThat(message.isFar()).isTrue();
    assertThat(message.due()).isEqualTo(NEXT_LEAP_DAY.toEpochMilli());
  }

  /** What is far then is not in the intake, which keeps its records for less. */
  @Test
  void withoutAHorizonACalendarWaitsNoLongerThanAnybody() {
    Reading reading = Reading.latest(WEEK, 0);
    String detail =
        "the longest delay allowed is PT168H; a calendar may wait PT87600H if intake.horizon is"
            + " shorter than intake.longestDelay";

    assertTooLong(cron(LEAP_DAY), reading, detail);
    assertTooLong(
        successor(LEAP_DAY, NEXT_LEAP_DAY.toEpochMilli()),
        reading,
        detail + "; the message does not repeat any more");
  }

  /** Its id would take away what has been scheduled under it since. */
  @ParameterizedTest
  @ValueSource(longs = {0, 86_400_000})
  void whatAnEarlierReleaseRefusedStaysRefused(long horizon) {
    Reading reading = Reading.early(WEEK, horizon);

    assertTooLong(cron(LEAP_DAY), reading, "the longest delay allowed is PT168H");
    assertTooLong(
        successor(LEAP_DAY, NEXT_LEAP_DAY.toEpochMilli()),
        reading,
        "the longest delay allowed is PT168H; the message does not repeat any more");
  }

  /** A leap day that is a Sunday; from 2040 on, that of 2060 is the next. */
  @Test
  void aCalendarWaitsNoLongerThanTenYears() {
    long in2040 = Instant.parse("2040-01-01T00:00:00Z").toEpochMilli();
    long in2060 = Instant.parse("2060-02-29T00:00:00Z").toEpochMilli();
    String sunday = "0 0 29 2 */7";

    assertTooLong(
        cron(sunday).stamped(in2040), WITH_HORIZON, "the longest delay allowed is PT87600H");
    assertTooLong(
        successor(sunday, in2060).stamped(in2040),
        WITH_HORIZON,
        "the longest delay allowed is PT87600H; the message does not repeat any more");
  }

  @Test
  void aNumberIsBoundedByTheLongestDelayAlsoInACalendar() {
    assertTooLong(
        cron("0 9 * * *").with(DelayHeaders.DELAY_DURATION, "P8D"),
        WITH_HORIZON,
        "the longest delay allowed is PT168H");
    assertTooLong(every("P8D"), WITH_HORIZON, "the longest delay allowed is PT168H");
    long due = TIMESTAMP + Duration.ofDays(30).toMillis();
    assertTooLong(
        every("PT15M")
            .with(DelayHeaders.OCCURRENCE, "7")
            .with(DelayHeaders.SCHEDULED_AT, Long.toString(due))
            .with(DelayHeaders.RETRY, "v1|3|1|" + due + "|-"),
        WITH_HORIZON,
        "the longest delay allowed is PT168H; the message does not repeat any more");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          delay-every  | PT0.999S           | INVALID_EVERY  | delay-every is 'PT0.999S', allowed: an ISO-8601 duration of a second or more
          delay-every  | hourly             | INVALID_EVERY  | delay-every is 'hourly'
          delay-every  | -PT1H              | INVALID_EVERY  | delay-every is '-PT1H'
          delay-every  | P8D                | DELAY_TOO_LONG | delay-every is PT192H, the longest delay allowed is PT168H
          """)
  void aWrongTimeIsRefused(String name, String value, Reason reason, String detail) {
    assertMalformed(schedule().with(DelayHeaders.ID, "x").with(name, value), reason, detail);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          delay-cron   | 0 0 30 2 *         | INVALID_CRON   | delay-cron is '0 0 30 2 *': it never matches
          delay-cron   | 61 * * * *         | INVALID_CRON   | delay-cron is '61 * * * *': the minute has '61'
          delay-cron   | 0 0 1 1 *          | DELAY_TOO_LONG | the longest delay allowed is PT168H
          """)
  void aWrongExpressionIsRefused(String name, String value, Reason reason, String detail) {
    assertMalformed(timeless().with(DelayHeaders.ID, "x").with(name, value), reason, detail);
  }

  @Test
  void aVeryLongExpressionIsRefused() {
    assertMalformed(
        timeless()
            .with(DelayHeaders.ID, "x")
            .with(DelayHeaders.CRON, "0" + ",0".repeat(200) + " * * * *"),
        Reason.INVALID_CRON,
        "it has 409 characters, allowed: at most 256");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          delay-zone   | Europe/Bonn        | INVALID_ZONE   | delay-zone is 'Europe/Bonn', allowed: an IANA name
          delay-zone   | +02:00             | INVALID_ZONE   | delay-zone is '+02:00'
          delay-until  | tomorrow           | INVALID_UNTIL  | delay-until is 'tomorrow', allowed: epoch milliseconds, 1000000000000 or more, or
          delay-until  | 1796000000         | INVALID_UNTIL  | delay-until is '1796000000', in milliseconds that is 1970-01-21T18:53:20Z: it looks like seconds; allowed:
          delay-until  | 1759999999999      | INVALID_UNTIL  | delay-until is 2025-10-09T08:53:19.999Z, the first occurrence is later
          delay-count  | 0                  | INVALID_COUNT  | delay-count is '0', allowed: a whole number from 1 on
          delay-count  | two                | INVALID_COUNT  | delay-count is 'two'
          delay-missed | some               | INVALID_MISSED | delay-missed is 'some', allowed: one, all or skip
          delay-every  | PT1H               | INVALID_REPEAT | only one may be given: delay-every, delay-cron
          """)
  void aWrongDetailIsRefused(String name, String value, Reason reason, String detail) {
    assertMalformed(cron("0 * * * *").with(name, value), reason, detail);
  }

  @ParameterizedTest
  @CsvFileSource(
      files = "../../schemas/src/test/resources/instants.csv",
      useHeadersInDisplayName = true)
  void anEndIsReadOrRefusedAsEveryInstant(
      String text, @Nullable Long millis, @Nullable Long up, @Nullable String why)
      throws InvalidRepeatException {
    IntakeRecord record = cron("0 * * * *").with(DelayHeaders.UNTIL, text);

    if (millis != null) {
      Map<String, String> headers =
          Map.of(DelayHeaders.ID, "x", DelayHeaders.CRON, "@daily", DelayHeaders.UNTIL, text);
      assertThat(Plan.of(headers::get)).extracting(Plan::until).isEqualTo(millis);
    } else if (Set.of("after the year 9999", "microseconds").contains(String.valueOf(why))) {
      // An end that never comes was always allowed.
      assertThat(record.parsed().isMalformed()).isFalse();
    } else {
      assertMalformed(record, Reason.INVALID_UNTIL, "delay-until is ");
    }
  }

  @Test
  void whatRepeatsNeedsAnId() {
    assertMalformed(
        schedule().with(DelayHeaders.EVERY, "PT1H"), Reason.REPEAT_WITHOUT_ID, "delay-id");
  }

  @ParameterizedTest
  @CsvSource({"delay-zone,UTC", "delay-until,1", "delay-count,1", "delay-missed,one"})
  void aDetailOfWhatDoesNotRepeatIsRefused(String name, String value) {
    assertMalformed(schedule().with(name, value), Reason.INVALID_REPEAT, name);
  }

  @Test
  void aZoneIsOfACronExpression() {
    assertMalformed(
        every("PT1H").with(DelayHeaders.ZONE, "UTC"), Reason.INVALID_REPEAT, "delay-zone");
  }

  @Test
  void everyOccurrenceHasItsOwnTimeToLive() throws InvalidRepeatException {
    DelayedMessage message = every("PT15M").with(DelayHeaders.TTL_MS, "3000").parsed();
    Repetition first = Repetition.of(message);
    Repetition second = next(first, first.due());

    assertThat(second.expires(first, message.content().expiresAt()))
        .isEqualTo(second.due() + 2_000);
    assertThat(second.expires(first, StoredMessage.NO_EXPIRY)).isEqualTo(StoredMessage.NO_EXPIRY);
  }
}
