package io.delaybridge.intake;

import static io.delaybridge.intake.IntakeRecord.TIMESTAMP;
import static io.delaybridge.intake.IntakeRecord.WEEK;
import static io.delaybridge.intake.IntakeRecord.empty;
import static io.delaybridge.intake.IntakeRecord.schedule;
import static io.delaybridge.intake.IntakeRecord.timeless;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.Cancellation;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Reading;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import io.delaybridge.schemas.StoredHeader;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers with the prefix of the bridge and a name that it does not know. */
class UnknownHeadersTest {

  static final Set<String> KNOWN = DelayHeaders.KNOWN;

  private static final String UNKNOWN = "delay-timezone";

  private static void assertRefused(IntakeRecord record, String detail) {
    DelayedMessage message = record.parsed();
    assertThat(message.content().reason()).isEqualTo(Reason.UNKNOWN_HEADER);
    assertThat(message.content().detail()).contains(detail);
    assertThat(message.key().time()).isEqualTo(TIMESTAMP);
    assertThat(message.id()).isNull();
  }

  static Stream<Reading> passing() {
    return Stream.of(Reading.early(WEEK, 0), new Reading(WEEK, 0, Reading.LATEST, true));
  }

  @Test
  void anUnknownHeaderMakesTheRecordMalformed() {
    assertRefused(
        schedule().with(DelayHeaders.ID, "x").with(UNKNOWN, "Europe/Berlin"),
        "delay-timezone is not a header of the bridge (did you mean delay-zone?)");
  }

  @Test
  void aRecordThatIsMalformedForThisIsDueAtItsTimestampHoweverItSaysWhen() {
    assertRefused(timeless().with(DelayHeaders.DELIVER_AT, "1795710000").with(UNKNOWN, ""), "zone");
    assertRefused(timeless().with(DelayHeaders.DELAY_MS, "-1").with(UNKNOWN, ""), "zone");
  }

  /** Most likely the fault is the name. */
  @Test
  void theNameIsToldBeforeWhatIsMissingForIt() {
    assertRefused(timeless().with("delay-duraton", "PT5M"), "did you mean delay-duration?");
    assertRefused(empty().with(DelayHeaders.OP, "cancel").with("delay-idd", "x"), "delay-id?");
  }

  @Test
  void ofSeveralTheFirstIsTold() {
    assertRefused(schedule().with("delay-ttl", "1").with("delay-timezone", "UTC"), "delay-ttl is");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cancel", "move", "skip", "reject", "pause", "resume"})
  void aCancelAndAnAskAreJudgedAsWell(String op) {
    assertRefused(
        empty()
            .with(DelayHeaders.OP, op)
            .with(DelayHeaders.ID, "x")
            .with(DelayHeaders.PENDING, "17/1760000009000")
            .with(DelayHeaders.DELAY_MS, "1")
            .with(UNKNOWN, "UTC"),
        UNKNOWN);
  }

  @ParameterizedTest
  @FieldSource("KNOWN")
  void aKnownHeaderIsNeverUnknown(String name) {
    assertThat(timeless().with(name, "?").parsed().content().reason())
        .isNotEqualTo(Reason.UNKNOWN_HEADER);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Delay-Timezone", "x-delay-timezone", "delay", "delay_timezone", ""})
  void anyOtherNameIsTheProducers(String name) {
    assertThat(schedule().with(name, "?").parsed().content().reason()).isNull();
  }

  @ParameterizedTest
  @MethodSource("passing")
  void whereItPassesItIsAHeaderLikeAnyOther(Reading reading) {
    DelayedMessage message =
        schedule().with(DelayHeaders.ID, "x").withBytes(UNKNOWN, null).parsed(reading);

    assertThat(message.content().reason()).isNull();
    assertThat(message.id()).isEqualTo("x");
    assertThat(message.key().time()).isEqualTo(TIMESTAMP + 1000);
    assertThat(message.content().headers()).contains(new StoredHeader(UNKNOWN, null));
    assertThat(
            RequestParser.parse(
                empty()
                    .with(DelayHeaders.OP, "cancel")
                    .with(DelayHeaders.ID, "x")
                    .with(UNKNOWN, "UTC")
                    .build(),
                reading))
        .isEqualTo(new Cancellation("x"));
  }

  /** Its message may have been read when such a header passed. */
  @ParameterizedTest
  @ValueSource(strings = {"v1|5|2|1760000009000|-", "v2|5|2|1760000009000|-"})
  void aCopyOfTheBridgeIsNotJudgedAgain(String mark) {
    DelayedMessage message =
        schedule().with(UNKNOWN, "UTC").with(DelayHeaders.RETRY, mark).parsed();

    assertThat(message.content().reason()).isNull();
    assertThat(message.key().time()).isEqualTo(1_760_000_009_000L);
  }

  @Test
  void aCopyInTheLaterTopicIsNotJudgedAgain() {
    IntakeRecord copy =
        schedule().with(UNKNOWN, "UTC").with(DelayHeaders.RETRY, "v2|5|2|1760000009000|-");

    assertThat(RequestParser.copy(copy.build()).isMalformed()).isFalse();
  }

  @Test
  void aCopyThatTheBridgeDidNotWriteIsMalformedForThat() {
    assertThat(
            schedule()
                .with(UNKNOWN, "UTC")
                .with(DelayHeaders.RETRY, "forged")
                .parsed()
                .content()
                .reason())
        .isEqualTo(Reason.INVALID_RETRY);
  }
}
