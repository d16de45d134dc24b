package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.shard.Admission.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdmissionTest {

  @Test
  void oneLimitAppliesToTheWholeLog() {
    Admission admission = Admission.of(500);

    assertThat(admission.longestDelay(0)).isEqualTo(500);
    assertThat(admission.longestDelay(Long.MAX_VALUE)).isEqualTo(500);
  }

  @Test
  void aChangedLimitAppliesFromItsOffsetOn() {
    Admission admission = Admission.of(500).with(new Admission.Rule(100, 700, 0), 0);

    assertThat(admission.longestDelay(99)).isEqualTo(500);
    assertThat(admission.longestDelay(100)).isEqualTo(700);
    assertThat(admission.longestDelay(101)).isEqualTo(700);
  }

  @Test
  void anUnchangedLimitAddsNoRule() {
    assertThat(Admission.of(500).with(new Admission.Rule(100, 500, 0), 0))
        .isEqualTo(Admission.of(500));
  }

  @Test
  void aRuleIsDroppedWhenTheLogHasNothingOfItAnyMore() {
    Admission admission =
        Admission.of(500)
            .with(new Admission.Rule(100, 700, 0), 0)
            .with(new Admission.Rule(200, 900, 0), 100);

    assertThat(admission.rules()).containsExactly(new Rule(100, 700, 0), new Rule(200, 900, 0));
  }

  @Test
  void aRuleIsKeptAsLongAsTheLogHasOneRecordOfIt() {
    Admission admission =
        Admission.of(500)
            .with(new Admission.Rule(100, 700, 0), 0)
            .with(new Admission.Rule(200, 900, 0), 99);

    assertThat(admission.rules())
        .containsExactly(new Rule(0, 500, 0), new Rule(100, 700, 0), new Rule(200, 900, 0));
  }

  @Test
  void oldRulesAreDroppedEvenIfTheLimitStays() {
    Admission admission =
        Admission.of(500)
            .with(new Admission.Rule(100, 700, 0), 0)
            .with(new Admission.Rule(200, 700, 0), 150);

    assertThat(admission.rules()).containsExactly(new Rule(100, 700, 0));
  }

  @Test
  void aChangeWithinWhatWasSaidBeforeReplacesTheRest() {
    Admission admission =
        Admission.of(500)
            .with(new Admission.Rule(100, 700, 0), 0)
            .with(new Admission.Rule(60, 900, 0), 0);

    assertThat(admission.longestDelay(59)).isEqualTo(500);
    assertThat(admission.longestDelay(60)).isEqualTo(900);
    assertThat(admission.longestDelay(100)).isEqualTo(900);
  }

  @Test
  void anAdmissionWithoutARuleCanNotExist() {
    assertThatThrownBy(() -> new Admission(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least one rule");
  }
}
