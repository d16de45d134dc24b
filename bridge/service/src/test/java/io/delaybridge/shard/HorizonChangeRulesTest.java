package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The horizon is changed while messages are far: none is late because of it. */
class HorizonChangeRulesTest extends RuleTest {

  private static final long HORIZON = 10_000;
  private static final long LONG_HORIZON = 20 * HORIZON;

  @BeforeEach
  void withAHorizon() {
    horizon(HORIZON, HORIZON / 2);
  }

  private void longHorizon() {
    far = new LoopSettings.Far(LONG_HORIZON, LONG_HORIZON / 2);
  }

  private void goesOutAtItsTime(SimBridge bridge, long due) {
    assertThat(delivered()).isEmpty();
    secondBySecond(bridge, 0, due);
    assertThat(delivered()).containsExactly("far");
  }

  @Test
  void whatIsFarOfAShorterHorizonIsNotLate() {
    SimBridge before = running("before");
    schedule("far", HORIZON + 1_000);
    turns(before);
    before.stop();

    longHorizon();
    goesOutAtItsTime(running("after"), HORIZON + 1_000);
  }

  @Test
  void norIsWhatABridgeWithTheShorterHorizonWritesMeanwhile() {
    SimBridge before = bridge("before");
    longHorizon();
    SimBridge after = running("after");
    turns(before);
    kafka.group().giveAll(before.consumer);
    turns(after);
    turns(before);
    schedule("far", HORIZON + 1_000);
    turns(before);
    assertThat(checkpoint().laps().copies()).isEqualTo(1);
    before.stop();

    turns(after);
    goesOutAtItsTime(after, HORIZON + 1_000);
  }

  @Test
  void whatIsFarOfALongerHorizonComesHomeAfterAShorterLap() {
    longHorizon();
    SimBridge before = running("before");
    schedule("far", LONG_HORIZON + 1_000);
    turns(before);
    before.stop();

    far = new LoopSettings.Far(HORIZON, HORIZON / 2);
    goesOutAtItsTime(running("after"), LONG_HORIZON + 1_000);
  }

  @Test
  void withoutAHorizonItComesHomeAtOnce() {
    SimBridge before = running("before");
    schedule("far", 10 * HORIZON);
    turns(before);
    before.stop();

    far = LoopSettings.Far.OFF;
    SimBridge after = running("after");
    assertThat(checkpoint().laps().copies()).isZero();
    goesOutAtItsTime(after, 10 * HORIZON);
  }
}
