package io.delaybridge.intake;

import static io.delaybridge.intake.IntakeRecord.OFFSET;
import static io.delaybridge.intake.IntakeRecord.READING;
import static io.delaybridge.intake.IntakeRecord.TIMESTAMP;
import static io.delaybridge.intake.IntakeRecord.WEEK;
import static io.delaybridge.intake.IntakeRecord.empty;
import static io.delaybridge.intake.IntakeRecord.schedule;
import static io.delaybridge.intake.IntakeRecord.timeless;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.Ask;
import io.delaybridge.message.Cancellation;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.Reading;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import io.delaybridge.schemas.StoredAsk;
import io.delaybridge.schemas.StoredAsk.Verb;
import io.delaybridge.schemas.StoredHeader;
import io.delaybridge.schemas.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestParserTest {

  private static final long LATEST = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

  private static long due(IntakeRecord record) {
    DelayedMessage message = record.parsed();
    assertThat(message.content().reason()).as("reason").isNull();
    return message.key().time();
  }

  private static long dueOfMalformed(IntakeRecord record) {
    return record.parsed().key().time();
  }

  private static void assertMalformed(IntakeRecord record, Reason reason, String detail) {
    StoredMessage content = record.parsed().content();
    assertThat(content.reason()).isEqualTo(reason);
    assertThat(content.detail()).contains(detail);
  }

  @Nested
  class WellFormed {

    @ParameterizedTest
    @CsvSource({"0, 0", "1500, 1500", "007, 7", "604800000, 604800000"})
    void aDelayInMillisecondsCountsFromTheTimestampOfTheRecord(String text, long delay) {
      assertThat(due(timeless().with(DelayHeaders.DELAY_MS, text))).isEqualTo(TIMESTAMP + delay);
    }

    @ParameterizedTest
    @CsvSource({
      "PT30M, 1800000",
      "P1DT2H, 93600000",
      "PT0.25S, 250",
      "PT0S, 0",
      "pt5s, 5000",
      "P7D, 604800000"
    })
    void anIsoDurationCountsFromTheTimestampOfTheRecord(String text, long delay) {
      assertThat(due(timeless().with(DelayHeaders.DELAY_DURATION, text)))
          .isEqualTo(TIMESTAMP + delay);
    }

    @ParameterizedTest
    @CsvFileSource(
        files = "../../schemas/src/test/resources/instants.csv",
        useHeadersInDisplayName = true)
    void anInstantIsReadOrRefusedAsEverywhere(String text, @Nullable Long millis) {
      IntakeRecord record = timeless().with(DelayHeaders.DELIVER_AT, text);

      DelayedMessage message = record.parsed(Reading.latest(Long.MAX_VALUE, 0));

      assertThat(message.isMalformed()).isEqualTo(millis == null);
      if (millis != null) {
        assertThat(message.key().time()).isEqualTo(millis);
      }
    }

    @Test
    void anInstantMayBeGivenAsEpochMilliseconds() {
      assertThat(due(timeless().with(DelayHeaders.DELIVER_AT, "1760000005001")))
          .isEqualTo(1_760_000_005_001L);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {"2025-10-09T09:00:00Z", "2025-10-09T11:00:00+02:00", "2025-10-09T05:00-04:00"})
    void anInstantMayBeGivenInIsoFormWithAnOffset(String text) {
      assertThat(due(timeless().with(DelayHeaders.DELIVER_AT, text)))
          .isEqualTo(Instant.parse("2025-10-09T09:00:00Z").toEpochMilli());
    }

    @Test
    void anIsoInstantKeepsItsMilliseconds() {
      assertThat(due(timeless().with(DelayHeaders.DELIVER_AT, "2025-10-09T09:00:00.123Z")))
          .isEqualTo(Instant.parse("2025-10-09T09:00:00.123Z").toEpochMilli());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1000000000000", "1759999999999"})
    void anInstantInThePastKeepsItsOwnDueTime(String text) {
      assertThat(due(timeless().with(DelayHeaders.DELIVER_AT, text)))
          .isEqualTo(Long.parseLong(text));
    }

    @Test
    void itCouldBeDeliveredSinceItWasWrittenIfItWasDueBeforeThat() {
      assertThat(timeless().with(DelayHeaders.DELIVER_AT, "1500000000000").parsed())
          .extracting(DelayedMessage::deliverableSince)
          .isEqualTo(TIMESTAMP);
      assertThat(timeless().with(DelayHeaders.DELAY_MS, "0").parsed())
          .extracting(DelayedMessage::deliverableSince)
          .isEqualTo(TIMESTAMP);
      assertThat(schedule().parsed())
          .extracting(DelayedMessage::deliverableSince)
          .isEqualTo(TIMESTAMP + 1000);
    }

    @Test
    void whenItWasWrittenIsKeptForATraceAndChangesNothingElse() {
      DelayedMessage traced = schedule().with("traceparent", "00-1-2-01").parsed();

      assertThat(traced.content().writtenAt()).isEqualTo(TIMESTAMP);
      assertThat(traced.deliverableSince()).isEqualTo(TIMESTAMP + 1000);
      assertThat(traced.key()).isEqualTo(schedule().parsed().key());
      assertThat(schedule().parsed().content().writtenAt()).isEqualTo(StoredMessage.BEFORE_DUE);
    }

    @Test
    void anIsoInstantInThePastKeepsItsOwnDueTime() {
      assertThat(due(timeless().with(DelayHeaders.DELIVER_AT, "1970-01-01T00:00:01Z")))
          .isEqualTo(1000);
    }

    @Test
    void theLastMomentOfTheYear9999CanBeAskedFor() {
      IntakeRecord record =
          timeless().stamped(LATEST - 10).with(DelayHeaders.DELIVER_AT, Long.toString(LATEST));

      assertThat(due(record)).isEqualTo(LATEST);
    }

    @Test
    void theKeyIsTheDueTimeAndTheOffsetOfTheRecord() {
      assertThat(schedule().at(77).parsed().key()).isEqualTo(new Due(TIMESTAMP + 1000, 77));
    }

    @Test
    void aRecordWithoutATimestampCountsFromTheEpoch() {
      assertThat(due(schedule().stamped(-1))).isEqualTo(1000);
    }

    @Test
    void keyValueAndHeadersAreKeptAsTheyAre() {
      StoredMessage content =
          schedule()
              .key(new byte[] {1, 2})
              .value(new byte[] {-1, 0})
              .withBytes("trace", new byte[] {-128})
              .withBytes("trace", null)
              .withBytes("", new byte[0])
              .parsed()
              .content();

      assertThat(content.key()).containsExactly(1, 2);
      assertThat(content.value()).containsExactly(-1, 0);
      assertThat(content.headers())
          .containsExactly(
              new StoredHeader(DelayHeaders.TARGET_TOPIC, "orders".getBytes(UTF_8)),
              new StoredHeader(DelayHeaders.DELAY_MS, "1000".getBytes(UTF_8)),
              new StoredHeader("trace", new byte[] {-128}),
              new StoredHeader("trace", null),
              new StoredHeader("", new byte[0]));
    }

    @Test
    void absentKeyAndValueStayAbsent() {
      StoredMessage content = schedule().parsed().content();

      assertThat(content.key()).isNull();
      assertThat(content.value()).isNull();
    }

    @Test
    void aPlainRequestIsTheFirstAttemptOfItselfAndNeverExpires() {
      StoredMessage content = schedule().parsed().content();

      assertThat(content.attempt()).isEqualTo(1);
      assertThat(content.maxAttempts()).isZero();
      assertThat(content.expiresAt()).isEqualTo(StoredMessage.NO_EXPIRY);
      assertThat(content.origin()).isEqualTo(StoredMessage.SELF);
      assertThat(content.detail()).isNull();
    }

    @Test
    void aRequestNamesItsTargetAndItsId() {
      DelayedMessage message = schedule().with(DelayHeaders.ID, "order-7").parsed();

      assertThat(message.target()).isEqualTo("orders");
      assertThat(message.id()).isEqualTo("order-7");
    }

    @Test
    void aRequestMayLeaveTargetAndIdOut() {
      DelayedMessage message = empty().with(DelayHeaders.DELAY_MS, "5").parsed();

      assertThat(message.isMalformed()).isFalse();
      assertThat(message.target()).isNull();
      assertThat(message.id()).isNull();
    }

    @Test
    void thePartitionOfTheTargetDoesNotChangeTheKey() {
      DelayedMessage message =
          schedule().with(DelayHeaders.TARGET_PARTITION, "2147483647").parsed();

      assertThat(message.isMalformed()).isFalse();
      assertThat(message.targetPartition()).isEqualTo(2147483647);
      assertThat(message.key()).isEqualTo(schedule().parsed().key());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 256})
    void anIdMayHaveAnyLengthUpToTheLimit(int length) {
      String id = "x".repeat(length);

      assertThat(schedule().with(DelayHeaders.ID, id).parsed().id()).isEqualTo(id);
    }

    @Test
    void theOperationMayBeSpelledOut() {
      assertThat(due(schedule().with(DelayHeaders.OP, "schedule"))).isEqualTo(TIMESTAMP + 1000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "Orders_v2.eu-west", "...", "__consumer_offsets"})
    void everyLegalTopicNameIsAccepted(String target) {
      IntakeRecord record =
          empty().with(DelayHeaders.TARGET_TOPIC, target).with(DelayHeaders.DELAY_MS, "1");

      assertThat(record.parsed().isMalformed()).isFalse();
    }

    @Test
    void aTopicNameMayHave249Characters() {
      IntakeRecord record =
          empty().with(DelayHeaders.TARGET_TOPIC, "t".repeat(249)).with(DelayHeaders.DELAY_MS, "1");

      assertThat(record.parsed().isMalformed()).isFalse();
    }

    @Test
    void theTimeToLiveCountsFromTheTimestampOfTheRecord() {
      assertThat(schedule().with(DelayHeaders.TTL_MS, "4000").parsed().content().expiresAt())
          .isEqualTo(TIMESTAMP + 4000);
    }

    @Test
    void theTimeToLiveMayEndJustWhenTheMessageIsDue() {
      assertThat(schedule().with(DelayHeaders.TTL_MS, "1000").parsed().content().expiresAt())
          .isEqualTo(TIMESTAMP + 1000);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 100})
    void theNumberOfAttemptsIsTakenOver(int attempts) {
      IntakeRecord record = schedule().with(DelayHeaders.MAX_ATTEMPTS, Integer.toString(attempts));

      assertThat(record.parsed().content().maxAttempts()).isEqualTo(attempts);
    }

    @Test
    void theLongestDelayItselfIsAllowed() {
      assertThat(due(timeless().with(DelayHeaders.DELAY_MS, Long.toString(WEEK))))
          .isEqualTo(TIMESTAMP + WEEK);
    }
  }

  @Nested
  class Spread {

    @Test
    void theShareOfAnIdIsTheSameInEveryRelease() {
      IntakeRecord record =
          timeless()
              .with(DelayHeaders.DELAY_MS, "0")
              .with(DelayHeaders.ID, "order-1")
              .with(DelayHeaders.SPREAD_MS, "60000");

      assertThat(due(record) - TIMESTAMP).isEqualTo(GOLDEN_ID);
    }

    @Test
    void theShareOfASourceIsTheSameInEveryRelease() {
      IntakeRecord record =
          timeless().with(DelayHeaders.DELAY_MS, "0").with(DelayHeaders.SPREAD_MS, "60000");

      assertThat(due(record) - TIMESTAMP).isEqualTo(GOLDEN_SOURCE);
    }

    @Test
    void oneIdHasTheSameShareWhereverItIsStored() {
      long here = due(spread(1000).with(DelayHeaders.ID, "a").at(1));
      long there = due(spread(1000).with(DelayHeaders.ID, "a").at(2));

      assertThat(here).isEqualTo(there);
    }

    @Test
    void aHerdIsSpreadOverTheWholeWidth() {
      int width = 9;
      List<Long> shares =
          IntStream.range(0, 1000)
              .mapToObj(offset -> due(spread(width).at(offset)) - TIMESTAMP - 1000)
              .distinct()
              .sorted()
              .toList();

      assertThat(shares).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }

    @Test
    void aWidthOfZeroMovesNothing() {
      assertThat(due(spread(0))).isEqualTo(TIMESTAMP + 1000);
    }

    @Test
    void anInstantIsSpreadAsWell() {
      IntakeRecord record =
          timeless()
              .with(DelayHeaders.DELIVER_AT, Long.toString(TIMESTAMP))
              .with(DelayHeaders.SPREAD_MS, "60000");

      assertThat(due(record) - TIMESTAMP).isEqualTo(GOLDEN_SOURCE);
    }

    private static IntakeRecord spread(int width) {
      return schedule().with(DelayHeaders.SPREAD_MS, Integer.toString(width));
    }

    // CRC-32 of the text times (width + 1), divided by 2^32, computed independently.
    private static final long GOLDEN_ID = 52_665;
    private static final long GOLDEN_SOURCE = 43_607;
  }

  @Nested
  class Malformed {

    static Stream<Arguments> sayingWhen() {
      return Stream.of(
          Arguments.of(DelayHeaders.DELAY_MS, "", Reason.UNREADABLE_DUE_TIME),
          Arguments.of(DelayHeaders.DELAY_MS, "soon", Reason.UNREADABLE_DUE_TIME),
          Arguments.of(DelayHeaders.DELAY_MS, "1.5", Reason.UNREADABLE_DUE_TIME),
          Arguments.of(DelayHeaders.DELAY_MS, "+5", Reason.UNREADABLE_DUE_TIME),
          Arguments.of(DelayHeaders.DELAY_MS, " 5", Reason.UNREADABLE_DUE_TIME),
          Arguments.of(DelayHeaders.DELAY_MS, "5\n", Reason.UNREADABLE_DUE_TIME),
          Arguments.of(DelayHeaders.DELAY_MS, "\u0665", Reason.UNREADABLE_DUE_TIME),
          Arguments.of(DelayHeaders.DELAY_MS, "-", Reason.UNREADABLE_DUE_TIME),
          Arguments.of(DelayHeaders.DELAY_MS, "PT5S", Reason.UNREADABLE_DUE_TIME),
          Arguments.of(DelayHeaders.DELAY_MS, "-1", Reason.NEGATIVE_DELAY),
          Arguments.of(DelayHeaders.DELAY_MS, "999999999999999999", Reason.DUE_TIME_OVERFLOW),
          Arguments.of(DelayHeaders.DELAY_MS, "9".repeat(500), Reason.DUE_TIME_OVERFLOW),
          Arguments.of(DelayHeaders.DELAY_DURATION, "", Reason.UNREADABLE_DUE_TIME),
          Arguments.of(DelayHeaders.DELAY_DURATION, "5000", Reason.UNREADABLE_DUE_TIME),
          Arguments.of(DelayHeaders.DELAY_DURATION, "5 minutes", Reason.UNREADABLE_DUE_TIME),
          Arguments.of(DelayHeaders.DELAY_DURATION, "P1M", Reason.UNREADABLE_DUE_TIME),
          Arguments.of(DelayHeaders.DELAY_DURATION, "PT-1S", Reason.NEGATIVE_DELAY),
          Arguments.of(DelayHeaders.DELAY_DURATION, "-PT0.001S", Reason.NEGATIVE_DELAY),
          Arguments.of(
              DelayHeaders.DELAY_DURATION, "PT9223372036854775807S", Reason.DUE_TIME_OVERFLOW),
          Arguments.of(
              DelayHeaders.DELAY_DURATION, "PT9223372036854775S", Reason.DUE_TIME_OVERFLOW),
          Arguments.of(DelayHeaders.DELIVER_AT, "", Reason.UNREADABLE_DUE_TIME),
          Arguments.of(DelayHeaders.DELIVER_AT, "tomorrow", Reason.UNREADABLE_DUE_TIME),
          Arguments.of(DelayHeaders.DELIVER_AT, "2025-10-09", Reason.UNREADABLE_DUE_TIME),
          Arguments.of(DelayHeaders.DELIVER_AT, "2025-10-09T09:00:00", Reason.UNREADABLE_DUE_TIME),
          // A region's offset depends on the time zone data of the host: the key would as well.
          Arguments.of(
              DelayHeaders.DELIVER_AT,
              "2025-10-09T11:00:00+02:00[Europe/Berlin]",
              Reason.UNREADABLE_DUE_TIME),
          Arguments.of(DelayHeaders.DELIVER_AT, "2025-02-30T09:00:00Z", Reason.UNREADABLE_DUE_TIME),
          Arguments.of(
              DelayHeaders.DELIVER_AT, "2025-10-09T09:00Z[No/Where]", Reason.UNREADABLE_DUE_TIME),
          Arguments.of(DelayHeaders.DELIVER_AT, "-1", Reason.NEGATIVE_DELAY),
          Arguments.of(DelayHeaders.DELIVER_AT, "253402300800000", Reason.DUE_TIME_OVERFLOW),
          Arguments.of(DelayHeaders.DELIVER_AT, "9".repeat(19), Reason.DUE_TIME_OVERFLOW),
          Arguments.of(
              DelayHeaders.DELIVER_AT, "1969-12-31T23:59:59.999Z", Reason.DUE_TIME_OVERFLOW),
          Arguments.of(DelayHeaders.DELIVER_AT, "+10000-01-01T00:00:00Z", Reason.DUE_TIME_OVERFLOW),
          Arguments.of(
              DelayHeaders.DELIVER_AT, "+999999999-12-31T23:59:59Z", Reason.DUE_TIME_OVERFLOW));
    }

    @ParameterizedTest
    @MethodSource("sayingWhen")
    void aDueTimeThatIsNoneIsRefusedByName(String header, String text, Reason reason) {
      assertMalformed(timeless().with(header, text), reason, header);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1795710000", "999999999999", "000000001795710000"})
    void anInstantThatLooksLikeSecondsIsRefusedAndKeepsTheKeyThatItHadBeforeThat(String text) {
      IntakeRecord record = timeless().with(DelayHeaders.DELIVER_AT, text);

      assertMalformed(record, Reason.UNREADABLE_DUE_TIME, "it looks like seconds");
      assertThat(dueOfMalformed(record)).isEqualTo(Long.parseLong(text));
      IntakeRecord spread = record.with(DelayHeaders.SPREAD_MS, "60000");
      assertMalformed(spread, Reason.UNREADABLE_DUE_TIME, "delay-deliver-at is '" + text);
      assertThat(dueOfMalformed(spread))
          .isBetween(Long.parseLong(text), Long.parseLong(text) + 60_000);
    }

    @Test
    void aMoveToAnInstantThatLooksLikeSecondsIsRefused() {
      assertMalformed(
          timeless()
              .with(DelayHeaders.OP, DelayHeaders.OP_MOVE)
              .with(DelayHeaders.PENDING, "117/1790000000000")
              .with(DelayHeaders.DELIVER_AT, "1795710000"),
          Reason.UNREADABLE_DUE_TIME,
          "in milliseconds that is 1970-01-21T18:48:30Z");
    }

    @Test
    void aRequestThatDoesNotSayWhenIsToldTheThreeWays() {
      IntakeRecord record = timeless();

      assertMalformed(record, Reason.NO_DUE_TIME, DelayHeaders.DELAY_MS);
      assertMalformed(record, Reason.NO_DUE_TIME, DelayHeaders.DELAY_DURATION);
      assertMalformed(record, Reason.NO_DUE_TIME, DelayHeaders.DELIVER_AT);
    }

    @Test
    void sayingWhenInTwoWaysIsAmbiguousEvenIfTheyAgree() {
      IntakeRecord record = schedule().with(DelayHeaders.DELAY_DURATION, "PT1S");

      assertMalformed(record, Reason.AMBIGUOUS_DUE_TIME, "delay-ms, delay-duration");
    }

    @Test
    void sayingWhenAsADelayAndAsAnInstantIsAmbiguous() {
      IntakeRecord record = schedule().with(DelayHeaders.DELIVER_AT, "1760000001000");

      assertMalformed(record, Reason.AMBIGUOUS_DUE_TIME, "delay-ms, delay-deliver-at");
    }

    @Test
    void aTimestampInTheFarFutureOverflows() {
      assertMalformed(
          schedule().stamped(Long.MAX_VALUE), Reason.DUE_TIME_OVERFLOW, DelayHeaders.DELAY_MS);
    }

    @Test
    void aSpreadBeyondTheLastDueTimeOverflows() {
      IntakeRecord record =
          timeless()
              .stamped(LATEST)
              .with(DelayHeaders.DELAY_MS, "0")
              .with(DelayHeaders.SPREAD_MS, "60000");

      assertMalformed(record, Reason.DUE_TIME_OVERFLOW, DelayHeaders.DELAY_MS);
    }

    @Test
    void aDelayLongerThanAllowedNamesBoth() {
      IntakeRecord record = timeless().with(DelayHeaders.DELAY_MS, Long.toString(WEEK + 1));

      assertMalformed(record, Reason.DELAY_TOO_LONG, "PT168H0.001S");
      assertMalformed(record, Reason.DELAY_TOO_LONG, "allowed is PT168H");
    }

    @Test
    void anInstantIsMeasuredFromTheTimestampOfTheRecord() {
      IntakeRecord record =
          timeless().with(DelayHeaders.DELIVER_AT, Long.toString(TIMESTAMP + WEEK + 1));

      assertMalformed(record, Reason.DELAY_TOO_LONG, "PT168H0.001S");
    }

    @Test
    void theSpreadCountsTowardsTheLongestDelay() {
      IntakeRecord record =
          timeless()
              .with(DelayHeaders.DELAY_MS, Long.toString(WEEK))
              .with(DelayHeaders.SPREAD_MS, "60000");

      assertMalformed(record, Reason.DELAY_TOO_LONG, "PT168H");
    }

    static Stream<Arguments> otherHeaders() {
      return Stream.of(
          Arguments.of(DelayHeaders.ID, "", Reason.INVALID_ID),
          Arguments.of(DelayHeaders.ID, "x".repeat(257), Reason.INVALID_ID),
          Arguments.of(DelayHeaders.ID, "\u00e4".repeat(129), Reason.INVALID_ID),
          Arguments.of(DelayHeaders.OP, "", Reason.UNKNOWN_OP),
          Arguments.of(DelayHeaders.OP, "Cancel", Reason.UNKNOWN_OP),
          Arguments.of(DelayHeaders.OP, "delete", Reason.UNKNOWN_OP),
          Arguments.of(DelayHeaders.TTL_MS, "", Reason.INVALID_TTL),
          Arguments.of(DelayHeaders.TTL_MS, "-1", Reason.INVALID_TTL),
          Arguments.of(DelayHeaders.TTL_MS, "PT1H", Reason.INVALID_TTL),
          Arguments.of(DelayHeaders.TTL_MS, "253402300800000", Reason.INVALID_TTL),
          Arguments.of(DelayHeaders.TTL_MS, "9".repeat(30), Reason.INVALID_TTL),
          Arguments.of(DelayHeaders.TTL_MS, "999", Reason.INVALID_TTL),
          Arguments.of(DelayHeaders.MAX_ATTEMPTS, "0", Reason.INVALID_MAX_ATTEMPTS),
          Arguments.of(DelayHeaders.MAX_ATTEMPTS, "-1", Reason.INVALID_MAX_ATTEMPTS),
          Arguments.of(DelayHeaders.MAX_ATTEMPTS, "101", Reason.INVALID_MAX_ATTEMPTS),
          Arguments.of(DelayHeaders.MAX_ATTEMPTS, "4294967297", Reason.INVALID_MAX_ATTEMPTS),
          Arguments.of(DelayHeaders.MAX_ATTEMPTS, "many", Reason.INVALID_MAX_ATTEMPTS),
          Arguments.of(DelayHeaders.TARGET_PARTITION, "", Reason.INVALID_TARGET_PARTITION),
          Arguments.of(DelayHeaders.TARGET_PARTITION, "-1", Reason.INVALID_TARGET_PARTITION),
          Arguments.of(
              DelayHeaders.TARGET_PARTITION, "2147483648", Reason.INVALID_TARGET_PARTITION),
          Arguments.of(DelayHeaders.TARGET_PARTITION, "first", Reason.INVALID_TARGET_PARTITION),
          Arguments.of(DelayHeaders.SPREAD_MS, "", Reason.INVALID_SPREAD),
          Arguments.of(DelayHeaders.SPREAD_MS, "-1", Reason.INVALID_SPREAD),
          Arguments.of(DelayHeaders.SPREAD_MS, "2147483648", Reason.INVALID_SPREAD),
          Arguments.of(DelayHeaders.SPREAD_MS, "wide", Reason.INVALID_SPREAD));
    }

    @ParameterizedTest
    @MethodSource("otherHeaders")
    void aHeaderOutOfItsRangeIsRefusedByName(String header, String text, Reason reason) {
      assertMalformed(schedule().with(header, text), reason, header);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "",
          ".",
          "..",
          "a b",
          "a/b",
          "a:b",
          "a@b",
          "a[b",
          "a`b",
          "a{b",
          "caf\u00e9",
          "orders\n"
        })
    void aTargetThatIsNoTopicNameIsRefused(String target) {
      IntakeRecord record =
          empty().with(DelayHeaders.TARGET_TOPIC, target).with(DelayHeaders.DELAY_MS, "1");

      assertMalformed(record, Reason.INVALID_TARGET, DelayHeaders.TARGET_TOPIC);
    }

    @Test
    void aTargetOf250CharactersIsRefused() {
      IntakeRecord record =
          empty().with(DelayHeaders.TARGET_TOPIC, "t".repeat(250)).with(DelayHeaders.DELAY_MS, "1");

      assertMalformed(record, Reason.INVALID_TARGET, DelayHeaders.TARGET_TOPIC);
    }

    static Stream<String> controlHeaders() {
      return DelayHeaders.CONTROL.stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("controlHeaders")
    void aControlHeaderWithoutAValueIsRefused(String header) {
      assertMalformed(empty().withBytes(header, null), Reason.INVALID_UTF8, header);
    }

    @ParameterizedTest
    @MethodSource("controlHeaders")
    void aControlHeaderThatIsNotUtf8IsRefused(String header) {
      assertMalformed(
          empty().withBytes(header, new byte[] {(byte) 0xc3, 0x28}), Reason.INVALID_UTF8, header);
    }

    @ParameterizedTest
    @MethodSource("controlHeaders")
    void aControlHeaderThatIsGivenTwiceIsRefusedEvenIfBothAgree(String header) {
      assertMalformed(
          empty().with(header, "1").with("other", "1").with(header, "1"),
          Reason.DUPLICATE_HEADER,
          header);
    }

    @Test
    void aCancellationNeedsAnId() {
      assertMalformed(
          empty().with(DelayHeaders.OP, "cancel"), Reason.CANCEL_WITHOUT_ID, DelayHeaders.ID);
    }

    @Test
    void aCancellationNeedsAValidId() {
      assertMalformed(
          empty().with(DelayHeaders.OP, "cancel").with(DelayHeaders.ID, ""),
          Reason.INVALID_ID,
          DelayHeaders.ID);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "",
          "1",
          "v3|5|2|1760000001000|-",
          "v1|5|2|1760000001000",
          "v1|-5|2|1760000001000|-",
          "v1|5|2|253402300800000|-",
          "v2|5|2|253402300800000|-",
          "v2|5|2|999999999999999|-",
          "v1|5|2|1760000001000|never",
          "v1|100|2|1760000001000|-",
          "v1|101|2|1760000001000|-",
          "v1|5|2|1760000001000|-\n"
        })
    void aRetryHeaderThatTheBridgeCanNotHaveWrittenIsRefused(String forged) {
      assertMalformed(
          schedule().with(DelayHeaders.RETRY, forged), Reason.INVALID_RETRY, DelayHeaders.RETRY);
    }

    @Test
    void whatTheProducerWroteIsRepeatedOnlyInPart() {
      String detail =
          String.valueOf(
              timeless().with(DelayHeaders.DELAY_MS, "y".repeat(65)).parsed().content().detail());

      assertThat(detail).contains("'" + "y".repeat(64) + "...'").doesNotContain("y".repeat(65));
    }

    @Test
    void itIsDueAtItsOwnTimestamp() {
      assertThat(timeless().at(9).parsed().key()).isEqualTo(new Due(TIMESTAMP, 9));
    }

    @Test
    void itIsDueAtTheEpochIfItsTimestampIsBeforeIt() {
      assertThat(timeless().stamped(-5).parsed().key()).isEqualTo(new Due(0, OFFSET));
    }

    @Test
    void itIsDueAtTheLastMomentIfItsTimestampIsAfterIt() {
      assertThat(timeless().stamped(Long.MAX_VALUE).parsed().key())
          .isEqualTo(new Due(LATEST, OFFSET));
    }

    @Test
    void itHasNoIdSoThatItReplacesNothing() {
      DelayedMessage message = timeless().with(DelayHeaders.ID, "order-7").parsed();

      assertThat(message.isMalformed()).isTrue();
      assertThat(message.id()).isNull();
    }

    @Test
    void itKeepsKeyValueAndAllHeaders() {
      DelayedMessage message =
          empty()
              .key(new byte[] {7})
              .value(new byte[] {8})
              .with(DelayHeaders.RETRY, "forged")
              .with(DelayHeaders.OP, "delete")
              .withBytes(DelayHeaders.ID, null)
              .parsed();

      assertThat(message.content().key()).containsExactly(7);
      assertThat(message.content().value()).containsExactly(8);
      assertThat(message.content().headers())
          .containsExactly(
              new StoredHeader(DelayHeaders.RETRY, "forged".getBytes(UTF_8)),
              new StoredHeader(DelayHeaders.OP, "delete".getBytes(UTF_8)),
              new StoredHeader(DelayHeaders.ID, null));
    }

    @Test
    void itNeitherExpiresNorCountsAttempts() {
      StoredMessage content =
          timeless()
              .with(DelayHeaders.TTL_MS, "1")
              .with(DelayHeaders.MAX_ATTEMPTS, "9")
              .parsed()
              .content();

      assertThat(content.expiresAt()).isEqualTo(StoredMessage.NO_EXPIRY);
      assertThat(content.attempt()).isEqualTo(1);
      assertThat(content.origin()).isEqualTo(StoredMessage.SELF);
    }
  }

  @Nested
  class Cancelling {

    @Test
    void aCancellationNamesTheIdToTakeBack() {
      IntakeRecord record = empty().with(DelayHeaders.OP, "cancel").with(DelayHeaders.ID, "o-1");

      assertThat(RequestParser.parse(record.build(), READING)).isEqualTo(new Cancellation("o-1"));
    }

    @Test
    void aCancellationMayCarryTheHeadersOfTheRequestItTakesBack() {
      IntakeRecord record =
          schedule().with(DelayHeaders.OP, "cancel").with(DelayHeaders.ID, "\u00e4".repeat(128));

      assertThat(RequestParser.parse(record.build(), READING))
          .isEqualTo(new Cancellation("\u00e4".repeat(128)));
    }
  }

  @Nested
  class Asking {

    private static IntakeRecord ask(String op) {
      return empty().with(DelayHeaders.OP, op).with(DelayHeaders.PENDING, "17/1760000009000");
    }

    @ParameterizedTest
    @CsvSource({"cancel, CANCEL", "reject, REJECT"})
    void anAskNamesOnePendingMessage(String op, Verb verb) {
      assertThat(RequestParser.parse(ask(op).build(), READING))
          .isEqualTo(
              new Ask(Due.asked(OFFSET), null, new StoredAsk(verb, 17, 1_760_000_009_000L, 0)));
    }

    @Test
    void aMoveSaysWhenAsAMessageDoes() {
      IntakeRecord record =
          ask("move").with(DelayHeaders.ID, "o-1").with(DelayHeaders.DELAY_MS, "500");

      assertThat(RequestParser.parse(record.build(), READING))
          .isEqualTo(
              new Ask(
                  Due.asked(OFFSET),
                  "o-1",
                  new StoredAsk(Verb.MOVE, 17, 1_760_000_009_000L, TIMESTAMP + 500)));
    }

    @ParameterizedTest
    @CsvSource({"pause, PAUSE", "resume, RESUME"})
    void thePartitionIsPausedAndResumed(String op, Verb verb) {
      assertThat(RequestParser.parse(empty().with(DelayHeaders.OP, op).build(), READING))
          .isEqualTo(new Ask(Due.asked(OFFSET), null, new StoredAsk(verb, 0, 0, 0)));
    }

    @ParameterizedTest
    @ValueSource(
        strings = {"", "17", "17/", "/1", "-1/1", "17/-1", "17/1/2", "1234567890123456789/1"})
    void whatIsPendingIsAnOffsetAndADueTime(String pending) {
      assertMalformed(
          empty().with(DelayHeaders.OP, "cancel").with(DelayHeaders.PENDING, pending),
          Reason.INVALID_PENDING,
          DelayHeaders.PENDING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"move", "reject"})
    void toMoveAndToRejectNeedAPendingMessage(String op) {
      assertMalformed(
          empty().with(DelayHeaders.OP, op).with(DelayHeaders.DELAY_MS, "1"),
          Reason.INVALID_PENDING,
          DelayHeaders.PENDING);
    }

    @Test
    void aMoveNeedsATime() {
      assertMalformed(ask("move"), Reason.NO_DUE_TIME, DelayHeaders.DELAY_MS);
    }

    @Test
    void aMoveBeyondTheLongestDelayIsRefused() {
      assertMalformed(
          ask("move").with(DelayHeaders.DELAY_DURATION, "P8D"), Reason.DELAY_TOO_LONG, "PT168H");
    }
  }

  @Nested
  class RetryCopies {

    private static DelayedMessage copy(String mark) {
      return schedule()
          .with(DelayHeaders.ID, "o-1")
          .with(DelayHeaders.MAX_ATTEMPTS, "4")
          .with(DelayHeaders.TTL_MS, "9000")
          .with(DelayHeaders.RETRY, mark)
          .parsed();
    }

    @Test
    void aCopyIsDueWhenItSaysWhateverTheRequestAskedFor() {
      assertThat(copy("v1|5|2|1760009999999|1760000009000").key())
          .isEqualTo(new Due(1_760_009_999_999L, OFFSET));
    }

    @Test
    void aCopyMayBeDueLaterThanTheLongestDelay() {
      long late = TIMESTAMP + Duration.ofDays(2).toMillis();

      assertThat(
              schedule()
                  .with(DelayHeaders.RETRY, "v1|5|2|" + late + "|-")
                  .parsed(Reading.latest(1_000, 0))
                  .key())
          .isEqualTo(new Due(late, OFFSET));
    }

    @Test
    void aCopyThatIsDueLaterThanAnyBackoffIsNotFromTheBridge() {
      long late = TIMESTAMP + WEEK + Duration.ofDays(2).toMillis() + 1;

      assertThat(copy("v1|5|2|" + late + "|-").content().reason()).isEqualTo(Reason.INVALID_RETRY);
    }

    @Test
    void aCopyKnowsItsOriginItsAttemptAndItsExpiry() {
      DelayedMessage message = copy("v1|5|3|1760000001000|1760000009999");

      assertThat(message.isRetry()).isTrue();
      assertThat(message.origin()).isEqualTo(5);
      assertThat(message.offset()).isEqualTo(OFFSET);
      assertThat(message.content().attempt()).isEqualTo(3);
      assertThat(message.content().expiresAt()).isEqualTo(1_760_000_009_999L);
    }

    @Test
    void aCopyWithoutExpiryNeverExpires() {
      assertThat(copy("v1|5|2|1760000001000|-").content().expiresAt())
          .isEqualTo(StoredMessage.NO_EXPIRY);
    }

    @Test
    void aCopyKeepsIdTargetAndNumberOfAttempts() {
      DelayedMessage message = copy("v1|5|2|1760000001000|-");

      assertThat(message.id()).isEqualTo("o-1");
      assertThat(message.target()).isEqualTo("orders");
      assertThat(message.content().maxAttempts()).isEqualTo(4);
    }

    @Test
    void aCopyKeepsThePartitionOfTheTarget() {
      DelayedMessage message =
          schedule()
              .with(DelayHeaders.TARGET_PARTITION, "3")
              .with(DelayHeaders.RETRY, "v1|5|2|1760000001000|-")
              .parsed();

      assertThat(message.targetPartition()).isEqualTo(3);
    }

    @Test
    void aCopyLosesTheRetryHeaderAndNothingElse() {
      assertThat(copy("v1|5|2|1760000001000|-").content().headers())
          .extracting(StoredHeader::name)
          .containsExactly(
              DelayHeaders.TARGET_TOPIC,
              DelayHeaders.DELAY_MS,
              DelayHeaders.ID,
              DelayHeaders.MAX_ATTEMPTS,
              DelayHeaders.TTL_MS);
    }

    @Test
    void aRequestIsItsOwnOrigin() {
      DelayedMessage message = schedule().at(42).parsed();

      assertThat(message.isRetry()).isFalse();
      assertThat(message.origin()).isEqualTo(42);
    }
  }
}
