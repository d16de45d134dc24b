package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.DelayHeaders;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Asks about messages that came home: they are named by their origin, but were read later. */
class HomeAskRulesTest extends FarRuleTest {

  /** A far message has come home, and what was read behind it is settled. */
  private SimBridge cameHome() {
    SimBridge bridge = running("a");
    assertThat(schedule("far", DUE)).isZero();
    turns(bridge);
    at(LAP + LAP / 64);
    turns(bridge);
    schedule("behind it", LAP);
    turns(bridge);
    assertThat(bridge.told.home).isEqualTo(1);
    assertThat(delivered()).containsExactly("behind it");
    return bridge;
  }

  /** Asks for the first message of the intake, which was far. */
  private long ask(String op) {
    return append(
        Map.of(
            DelayHeaders.OP,
            op,
            DelayHeaders.PENDING,
            0 + "/" + (START + DUE),
            DelayHeaders.DELIVER_AT,
            Long.toString(START + 9_000)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itIsMovedAfterWhatWasReadBehindItIsSettled(boolean transactional) {
    exactlyOnce = transactional;
    SimBridge bridge = cameHome();

    long ask = ask(DelayHeaders.OP_MOVE);
    turns(bridge);
    assertThat(store.answer(shard(), ask)).isEqualTo(Verdict.MOVED);
    at(9_000);
    turns(bridge);
    assertThat(delivered()).containsExactly("behind it", "far");
    at(DUE);
    turns(bridge);
    assertThat(delivered()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itIsCancelledAfterWhatWasReadBehindItIsSettled(boolean transactional) {
    exactlyOnce = transactional;
    SimBridge bridge = cameHome();

    long ask = ask(DelayHeaders.OP_CANCEL);
    turns(bridge);
    assertThat(store.answer(shard(), ask)).isEqualTo(Verdict.CANCELLED);
    at(DUE);
    turns(bridge);
    assertThat(delivered()).containsExactly("behind it");
  }

  @Test
  void itIsADeadLetterIfItsLimitIsExceeded() {
    SimBridge bridge = cameHome();

    ask(DelayHeaders.OP_REJECT);
    turns(bridge);
    assertThat(dead()).containsExactly("far QUOTA_EXCEEDED");
  }

  @Test
  void itIsNotTooLateForWhatCameHomeAfterItsDueTime() {
    SimBridge bridge = running("a");
    schedule("far", DUE);
    turns(bridge);
    at(DUE + 1_000);
    schedule("other", DUE + 1_000);
    bridge.step();
    assertThat(delivered()).containsExactly("other");
    assertThat(bridge.told.home).isEqualTo(1);
    append(Map.of(DelayHeaders.OP, DelayHeaders.OP_PAUSE));
    turns(bridge);
    assertThat(status(bridge).pending()).isEqualTo(1);

    long ask = ask(DelayHeaders.OP_CANCEL);
    turns(bridge);
    assertThat(store.answer(shard(), ask)).isEqualTo(Verdict.CANCELLED);
    append(Map.of(DelayHeaders.OP, DelayHeaders.OP_RESUME));
    turns(bridge);
    assertThat(delivered()).containsExactly("other");
  }
}
