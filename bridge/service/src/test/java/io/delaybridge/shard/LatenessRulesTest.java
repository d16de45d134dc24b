package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lateness counts from the time at which a message could have been delivered. */
class LatenessRulesTest extends RuleTest {

  /** With limits, messages are stored before they go out; without, they go out as they are read. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsPastDueWhenItIsWrittenIsNotLate(boolean withLimits) {
    limited = withLimits;
    SimBridge bridge = running("a");
    at(1_000);
    schedule("long ago", -HOUR);
    at(1_007);
    turns(bridge);

    assertThat(delivered()).containsExactly("long ago");
    assertThat(bridge.told.lateness).containsExactly(7L);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsDueDuringAnOutageIsLate(boolean withLimits) {
    limited = withLimits;
    schedule("due meanwhile", 10);
    at(HOUR);
    SimBridge bridge = running("a");
    turns(bridge);

    assertThat(bridge.told.lateness).containsExactly(HOUR - 10);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatWaitsSaysSinceWhenItCouldHaveBeenDelivered(boolean withLimits) {
    limited = withLimits;
    SimBridge bridge = running("a");
    at(1_000);
    schedule("long ago", -HOUR);
    for (int i = 0; i < 20; i++) {
      bridge.delivery.fault(SimDelivery.Fault.NOT_OUT);
    }
    at(1_500);
    bridge.step();
    bridge.step();

    assertThat(delivered()).isEmpty();
    assertThat(status(bridge).overdue()).isEqualTo(1);
    assertThat(status(bridge).nextDue()).isEqualTo(START + 1_000);
  }
}
