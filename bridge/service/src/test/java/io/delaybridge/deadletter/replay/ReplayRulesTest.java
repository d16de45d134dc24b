package io.delaybridge.deadletter.replay;

import static io.delaybridge.deadletter.letters.Letters.AT;
import static io.delaybridge.deadletter.letters.Letters.letter;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.deadletter.index.Catalog;
import io.delaybridge.deadletter.letters.DeadLetter;
import io.delaybridge.deadletter.letters.Letters;
import io.delaybridge.deadletter.marks.Mark;
import io.delaybridge.deadletter.marks.Marks;
import io.delaybridge.deadletter.replay.Refusal.Code;
import io.delaybridge.schemas.Reason;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReplayRulesTest {

  /** Reasons that may heal, or are a matter of configuration. */
  private static final Set<Reason> CURABLE =
      EnumSet.of(
          Reason.NO_TARGET,
          Reason.FORBIDDEN_TARGET,
          Reason.CONTROL_TOPIC,
          Reason.UNKNOWN_TARGET,
          Reason.UNAUTHORIZED_TARGET,
          Reason.UNAVAILABLE_TARGET,
          Reason.RECORD_TOO_LARGE,
          Reason.REFUSED_BY_TARGET,
          Reason.EXPIRED,
          Reason.ATTEMPTS_EXHAUSTED,
          Reason.QUOTA_EXCEEDED,
          Reason.CONSUMER_FAILED,
          Reason.CONSUMER_REJECTED,
          Reason.CALLBACK_REFUSED,
          Reason.CALLBACK_FORBIDDEN,
          Reason.CALLBACK_EXHAUSTED);

  private final ReplayRules rules = new ReplayRules(Set.of(Letters.INTAKE), 3, intake -> false);

  @ParameterizedTest
  @EnumSource(Reason.class)
  void onlyWhatMayHealIsReplayedAsItIs(Reason reason) {
    assertThat(rules.malformed(letter(1, reason.name(), "orders", AT)).isEmpty())
        .isEqualTo(CURABLE.contains(reason));
  }

  @Test
  void anUnknownHeaderIsNoFaultWhereSuchHeadersPassNow() {
    ReplayRules passing = new ReplayRules(Set.of(Letters.INTAKE), 3, Letters.INTAKE::equals);

    assertThat(passing.malformed(letter(1, "UNKNOWN_HEADER", "orders", AT))).isEmpty();
    assertThat(passing.malformed(letter(1, "INVALID_ID", "orders", AT))).isPresent();
  }

  @Test
  void aMessageIsReplayedSoOftenAndNotOnceMore() {
    assertThat(rules.never(letter(1, "EXPIRED", "orders", AT, 2))).isEmpty();
    assertThat(rules.never(letter(1, "EXPIRED", "orders", AT, 3)))
        .map(Refusal::code)
        .contains(Code.LOOP);
  }

  @Test
  void onlyIntakesOfThisBridgeAreWrittenTo() {
    assertThat(
            new ReplayRules(Set.of("other"), 3, intake -> false)
                .never(letter(1, "EXPIRED", "orders", AT)))
        .map(Refusal::code)
        .contains(Code.NOT_AN_INTAKE);
  }

  @Test
  void whatWasReplayedOrHandledIsNotReplayedAgain() {
    DeadLetter letter = letter(1, "EXPIRED", "orders", AT);

    assertThat(ReplayRules.already(letter, null)).isEmpty();
    assertThat(ReplayRules.already(letter, Marks.mark(Mark.State.REPLAYED, 1)))
        .map(Refusal::text)
        .contains("delay-intake/3/1 was replayed as delay-intake/3/1001");
    assertThat(ReplayRules.already(letter, Marks.mark(Mark.State.HANDLED, 1)))
        .map(Refusal::text)
        .contains("delay-intake/3/1 was marked as handled by me");
  }

  @Test
  void whatIsNotOnTheDeadLetterTopicCountsAsLarge() {
    DeadLetter small = letter(1, "EXPIRED", "orders", AT);
    DeadLetter elsewhere =
        new DeadLetter(
            small.source(),
            small.position(),
            small.target(),
            null,
            small.reason(),
            small.detail(),
            AT,
            1,
            0,
            0,
            small.source());

    assertThat(small.contentBytes()).isEqualTo(10);
    assertThat(elsewhere.contentBytes()).isEqualTo(1 << 20);
  }

  @Test
  void aFilterTellsWhatItWouldReplayOldestFirstAndWhatItWouldLeaveOut() {
    List<Catalog.Item> newestFirst =
        List.of(
            new Catalog.Item(letter(3, "EXPIRED", "orders", AT + 3), null),
            new Catalog.Item(letter(2, "NO_DUE_TIME", "orders", AT + 2), null),
            new Catalog.Item(letter(4, "EXPIRED", "orders", AT + 2, 3), null),
            new Catalog.Item(letter(1, "EXPIRED", "orders", AT + 1), null));

    Matches matches = Matches.of(newestFirst, rules);

    assertThat(matches.letters())
        .containsExactly(
            letter(1, "EXPIRED", "orders", AT + 1), letter(3, "EXPIRED", "orders", AT + 3));
    assertThat(matches.malformed()).isEqualTo(1);
    assertThat(matches.looping()).isEqualTo(1);
    assertThat(matches.foreign()).isZero();
    assertThat(Matches.of(newestFirst, new ReplayRules(Set.of(), 3, intake -> false)).foreign())
        .isEqualTo(4);
  }
}
