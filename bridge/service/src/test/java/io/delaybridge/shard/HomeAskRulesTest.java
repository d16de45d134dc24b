package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.DelayHeaders;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Asks about messages that came home: they are named by their origin, but were read later. */
class HomeAskRulesTest extends RuleTest {

  private static final long HORIZON = 10_000;
  private static final long LAP = 4_000;
  private static final long DUE = HORIZON + LAP;

  @BeforeEach
  void withAHorizon() {
    far = new LoopSettings.Far(HORIZON, LAP);
    kafka.createTopic(SimLater.TOPIC, 1);
  }

  /** A far message has come home, and what was read behind it is settled. */
  private SimBridge cameHome(long offset) {
    SimBridge bridge = running("a");
    assertThat(schedule("far", DUE)).isEqualTo(offset);
    turns(bridge);
    at(LAP);
    turns(bridge);
    schedule("behind it", LAP);
    turns(bridge);
    assertThat(bridge.told.home).isEqualTo(1);
    assertThat(delivered()).containsExactly("behind it");
    return bridge;
  }

  private long ask(String op, long offset, long due) {
    return append(
        Map.of(
            DelayHeaders.OP,
            op,
            DelayHeaders.PENDING,
            offset + "/" + (START + due),
            DelayHeaders.DELIVER_AT,
            Long.toString(START + 9_000)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itIsMovedAfterWhatWasReadBehindItIsSettled(boolean transactional) {
    exactlyOnce = transactional;
    SimBridge bridge = cameHome(0);

    long ask = ask(DelayHeaders.OP_MOVE, 0, DUE);
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
    SimBridge bridge = cameHome(0);

    long ask = ask(DelayHeaders.OP_CANCEL, 0, DUE);
    turns(bridge);
    assertThat(store.answer(shard(), ask)).isEqualTo(Verdict.CANCELLED);
    at(DUE);
    turns(bridge);
    assertThat(delivered()).containsExactly("behind it");
  }

  @Test
  void itIsADeadLetterIfItsLimitIsExceeded() {
    SimBridge bridge = cameHome(0);

    ask(DelayHeaders.OP_REJECT, 0, DUE);
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

    long ask = ask(DelayHeaders.OP_CANCEL, 0, DUE);
    turns(bridge);
    assertThat(store.answer(shard(), ask)).isEqualTo(Verdict.CANCELLED);
    append(Map.of(DelayHeaders.OP, DelayHeaders.OP_RESUME));
    turns(bridge);
    assertThat(delivered()).containsExactly("other");
  }
}
