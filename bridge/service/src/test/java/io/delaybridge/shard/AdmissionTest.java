package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.message.Reading;
import io.delaybridge.shard.Admission.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdmissionTest {

  private static Reading limit(long longestDelay) {
    return Reading.latest(longestDelay, 0);
  }

  @Test
  void oneLimitAppliesToTheWholeLog() {
    Admission admission = Admission.of(limit(500));

    assertThat(admission.at(0).longestDelay()).isEqualTo(500);
    assertThat(admission.at(Long.MAX_VALUE).longestDelay()).isEqualTo(500);
  }

  @Test
  void aChangedLimitAppliesFromItsOffsetOn() {
    Admission admission = Admission.of(limit(500)).with(new Admission.Rule(100, limit(700)), 0);

    assertThat(admission.at(99).longestDelay()).isEqualTo(500);
    assertThat(admission.at(100).longestDelay()).isEqualTo(700);
    assertThat(admission.at(101).longestDelay()).isEqualTo(700);
  }

  @Test
  void anUnchangedLimitAddsNoRule() {
    assertThat(Admission.of(limit(500)).with(new Admission.Rule(100, limit(500)), 0))
        .isEqualTo(Admission.of(limit(500)));
  }

  @Test
  void anotherLevelIsAnotherRule() {
    Reading early = Reading.early(500, 0);
    Reading passing = new Reading(500, 0, Reading.LATEST, true);
    Admission admission =
        Admission.of(early).with(new Rule(100, passing), 0).with(new Rule(200, limit(500)), 0);

    assertThat(admission.at(99)).isEqualTo(early);
    assertThat(admission.at(199)).isEqualTo(passing);
    assertThat(admission.at(200)).isEqualTo(limit(500));
  }

  @Test
  void aRuleIsSaidIfNothingFromItsOffsetOnIsReadInAnotherWay() {
    Admission admission = Admission.of(limit(500)).with(new Rule(100, limit(700)), 0);

    assertThat(admission.says(new Rule(100, limit(700)))).isTrue();
    assertThat(admission.says(new Rule(101, limit(700)))).isTrue();
    assertThat(admission.says(new Rule(99, limit(700)))).isFalse();
    assertThat(admission.says(new Rule(99, limit(500)))).isFalse();
  }

  @Test
  void aRuleIsDroppedWhenTheLogHasNothingOfItAnyMore() {
    Admission admission =
        Admission.of(limit(500))
            .with(new Admission.Rule(100, limit(700)), 0)
            .with(new Admission.Rule(200, limit(900)), 100);

    assertThat(admission.rules())
        .containsExactly(new Rule(100, limit(700)), new Rule(200, limit(900)));
  }

  @Test
  void aRuleIsKeptAsLongAsTheLogHasOneRecordOfIt() {
    Admission admission =
        Admission.of(limit(500))
            .with(new Admission.Rule(100, limit(700)), 0)
            .with(new Admission.Rule(200, limit(900)), 99);

    assertThat(admission.rules())
        .containsExactly(
            new Rule(0, limit(500)), new Rule(100, limit(700)), new Rule(200, limit(900)));
  }

  @Test
  void oldRulesAreDroppedEvenIfTheLimitStays() {
    Admission admission =
        Admission.of(limit(500))
            .with(new Admission.Rule(100, limit(700)), 0)
            .with(new Admission.Rule(200, limit(700)), 150);

    assertThat(admission.rules()).containsExactly(new Rule(100, limit(700)));
  }

  @Test
  void aChangeWithinWhatWasSaidBeforeReplacesTheRest() {
    Admission admission =
        Admission.of(limit(500))
            .with(new Admission.Rule(100, limit(700)), 0)
            .with(new Admission.Rule(60, limit(900)), 0);

    assertThat(admission.at(59).longestDelay()).isEqualTo(500);
    assertThat(admission.at(60).longestDelay()).isEqualTo(900);
    assertThat(admission.at(100).longestDelay()).isEqualTo(900);
  }

  @Test
  void anAdmissionWithoutARuleCanNotExist() {
    assertThatThrownBy(() -> new Admission(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least one rule");
  }
}
