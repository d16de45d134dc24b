package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.store.SimStore.Call;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Asks in the presence of faults. */
class AskFaultRulesTest extends RuleTest {

  private long ask(String op, long offset, long due, @Nullable String id, @Nullable Long to) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(DelayHeaders.OP, op);
    headers.put(DelayHeaders.PENDING, offset + "/" + (START + due));
    if (id != null) {
      headers.put(DelayHeaders.ID, id);
    }
    if (to != null) {
      headers.put(DelayHeaders.DELIVER_AT, Long.toString(START + to));
    }
    return append(headers);
  }

  private long say(String op) {
    return append(Map.of(DelayHeaders.OP, op));
  }

  private @Nullable Verdict answer(long ask) {
    return store.answer(shard(), ask);
  }

  @Test
  void aRecordWithoutHeadersIsNotLostByAnAsk() {
    SimBridge bridge = running("a");
    say(DelayHeaders.OP_PAUSE);
    turns(bridge);
    long garbage = append(Map.of());
    turns(bridge);
    assertThat(pending()).containsExactly(garbage);

    // Its due time is its own timestamp.
    long due = store.pending(shard()).get(0).key().time() - START;
    long ask = ask(DelayHeaders.OP_REJECT, garbage, due, null, null);
    turns(bridge);
    say(DelayHeaders.OP_RESUME);
    turns(bridge);

    assertThat(dead()).as("answered %s", answer(ask)).hasSize(1);
  }

  @Test
  void aMoveBesideARefusedRecordIsAnswered() {
    exactlyOnce = false;
    SimBridge bridge = running("a");
    long message = schedule("a", 1000);
    turns(bridge);
    schedule("refused", 10);
    kafka.refuse(TARGET, "refused", new NotEnoughReplicasException("for now"));
    at(10);
    long ask = ask(DelayHeaders.OP_MOVE, message, 1000, null, 2000L);
    turns(bridge);
    kafka.accept();
    turns(bridge);

    assertThat(answer(ask)).isEqualTo(Verdict.MOVED);
  }

  @Test
  void aPauseIsNotAnsweredBeforeItIsInTheCheckpoint() {
    exactlyOnce = false;
    SimBridge bridge = running("a");
    long message = schedule("a", HOUR);
    schedule("b", 10);
    turns(bridge);
    ask(DelayHeaders.OP_MOVE, message, HOUR, null, HOUR - 1);
    long pause = say(DelayHeaders.OP_PAUSE);
    // The first call sends the copy; the second one would commit, but the bridge has crashed by
    // then.
    bridge.delivery.before(() -> bridge.delivery.before(() -> bridge.crash()));
    bridge.step();
    assertThat(answer(pause)).isNull();

    SimBridge next = running("b");
    at(10);
    turns(next);

    assertThat(delivered()).containsExactly("b");
  }

  @Test
  void aRejectedMessageThatIsTooLargePointsToItsOwnRecord() {
    SimBridge bridge = running("a");
    long message = schedule("big", HOUR);
    turns(bridge);
    kafka.refuse(SimKafka.DEAD, "big", new RecordTooLargeException("big"));
    ask(DelayHeaders.OP_REJECT, message, HOUR, null, null);
    turns(bridge);

    assertThat(dead()).containsExactly("- QUOTA_EXCEEDED");
    assertThat(header(kafka.records(SimKafka.DEAD).get(0), DelayHeaders.DEAD_CONTENT))
        .isEqualTo(SimKafka.INTAKE + "/0/" + message);
  }

  /** It must not keep the loop busy, nor hold up the shard for longer than it is tried again. */
  @Test
  void anAskThatCanGoNowhereIsTriedAgainAfterAPause() {
    SimBridge bridge = running("a");
    long message = schedule("bad", HOUR);
    turns(bridge);
    kafka.refuse(SimKafka.DEAD, "bad", new InvalidRecordException("for now"));
    ask(DelayHeaders.OP_REJECT, message, HOUR, null, null);
    int before = store.calls(Call.TAKE);
    turns(bridge);
    turns(bridge);

    // Two to find out that it is refused, each time, after 1, 2 and 4 s.
    assertThat(store.calls(Call.TAKE) - before).isLessThan(20);
    assertThat(status(bridge).problem()).contains("dead-letter");
    assertThat(bridge.consumer.lastPollTimeout()).isPositive();

    kafka.accept();
    turns(bridge);
    turns(bridge);
    assertThat(dead()).containsExactly("bad QUOTA_EXCEEDED");
    assertThat(status(bridge).problem()).isNull();
  }

  @Test
  void aMessageThatTheIntakeRefusesToHaveMovedIsADeadLetterAndTheAnswerSaysSo() {
    SimBridge bridge = running("a");
    long message = schedule("a", HOUR);
    turns(bridge);
    kafka.refuse(SimKafka.INTAKE, "a", new RecordTooLargeException("one header more"));
    long ask = ask(DelayHeaders.OP_MOVE, message, HOUR, null, 10L);
    turns(bridge);

    assertThat(dead()).containsExactly("a RECORD_TOO_LARGE");
    assertThat(answer(ask)).isEqualTo(Verdict.REJECTED);
  }

  @Test
  void aCoveredAskLeavesNoIdBehind() {
    SimBridge bridge = running("a");
    long message = schedule("a", HOUR, "x");
    turns(bridge);
    ask(DelayHeaders.OP_CANCEL, message, HOUR, "x", null);
    turns(bridge);
    assertThat(store.ids(shard())).isEmpty();
    store.wipe();
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);

    assertThat(pending()).isEmpty();
    assertThat(store.ids(shard())).isEmpty();
  }

  @Test
  void anAskThatWaitsIsNotAMessageThatIsOverdue() {
    maxTakeCount = 1;
    SimBridge bridge = running("a");
    long a = schedule("a", HOUR);
    long b = schedule("b", HOUR);
    turns(bridge);
    ask(DelayHeaders.OP_CANCEL, a, HOUR, null, null);
    ask(DelayHeaders.OP_CANCEL, b, HOUR, null, null);
    bridge.step();

    assertThat(status(bridge).nextDue()).isGreaterThanOrEqualTo(START);
  }

  @Test
  void aMessageWithAnIdIsNotMovedByAnAskWithoutIt() {
    SimBridge bridge = running("a");
    schedule("lost", 5, "y");
    turns(bridge);
    at(5);
    store.lose(Call.SETTLE);
    bridge.step();
    long message = schedule("a", HOUR, "x");
    bridge.step();
    long ask = ask(DelayHeaders.OP_MOVE, message, HOUR, null, 20L);
    bridge.shard(P0).sweep.idsAreLeft(); // as after any rebuild, lost settle or TOO_LATE
    turns(bridge);
    assertThat(answer(ask)).isEqualTo(Verdict.TOO_LATE);
    assertThat(pending()).containsExactly(message);
    at(HOUR);
    turns(bridge);

    assertThat(delivered()).containsExactly("lost", "a");
  }
}
