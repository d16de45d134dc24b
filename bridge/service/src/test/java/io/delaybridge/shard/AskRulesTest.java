package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.shard.SimDelivery.Fault;
import io.delaybridge.store.SimStore.Call;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.InvalidRecordException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each ask gets one true answer, whatever happens between the record and its answer. */
class AskRulesTest extends RuleTest {

  private long ask(String op, long offset, long due, @Nullable String id) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(DelayHeaders.OP, op);
    headers.put(DelayHeaders.PENDING, offset + "/" + (START + due));
    if (id != null) {
      headers.put(DelayHeaders.ID, id);
    }
    return append(headers);
  }

  private long cancel(long offset, long due) {
    return ask(DelayHeaders.OP_CANCEL, offset, due, null);
  }

  private long move(long offset, long due, @Nullable String id, long to) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(DelayHeaders.OP, DelayHeaders.OP_MOVE);
    headers.put(DelayHeaders.PENDING, offset + "/" + (START + due));
    headers.put(DelayHeaders.DELIVER_AT, Long.toString(START + to));
    if (id != null) {
      headers.put(DelayHeaders.ID, id);
    }
    return append(headers);
  }

  private long say(String op) {
    return append(Map.of(DelayHeaders.OP, op));
  }

  private @Nullable Verdict answer(long ask) {
    return store.answer(shard(), ask);
  }

  // Cancel.

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPendingMessageWithoutAnIdIsCancelledAndTheAskIsAnswered(boolean transactional) {
    exactlyOnce = transactional;
    SimBridge bridge = running("a");
    long message = schedule("a", 10);
    turns(bridge);

    long ask = cancel(message, 10);
    turns(bridge);

    assertThat(answer(ask)).isEqualTo(Verdict.CANCELLED);
    assertThat(pending()).isEmpty();
    at(10);
    turns(bridge);
    assertThat(delivered()).isEmpty();
  }

  @Test
  void whatWasDeliveredIsTooLateToBeCancelled() {
    SimBridge bridge = running("a");
    long message = schedule("a", 10);
    at(10);
    turns(bridge);

    long ask = cancel(message, 10);
    turns(bridge);

    assertThat(answer(ask)).isEqualTo(Verdict.TOO_LATE);
    assertThat(delivered()).containsExactly("a");
    assertThat(pending()).isEmpty();
  }

  @Test
  void whatWasDeliveredButNotSettledIsTooLateToBeCancelled() {
    SimBridge bridge = running("a");
    long message = schedule("a", 10);
    turns(bridge);
    at(10);
    store.lose(Call.SETTLE);
    bridge.step();
    assertThat(delivered()).containsExactly("a");

    long ask = cancel(message, 10);
    turns(bridge);

    assertThat(answer(ask)).isEqualTo(Verdict.TOO_LATE);
    assertThat(pending()).isEmpty();
  }

  @Test
  void anAskThatAZombieFedAfterTheDeliveryIsTooLate() {
    SimBridge zombie = running("a");
    SimBridge successor = running("b");
    long message = schedule("a", 10);
    turns(zombie);
    at(10);
    long ask = cancel(message, 10);
    // The zombie has polled the ask. Before it stores it, its successor, which has not read that
    // far, delivers the message and fails to settle it.
    store.before(
        Call.INGEST,
        () -> {
          kafka.group().evict(zombie.consumer);
          store.lose(Call.SETTLE);
          while (delivered().isEmpty()) {
            successor.step();
            clock.pass(Duration.ofMillis(100));
          }
        });
    zombie.step();
    assertThat(delivered()).containsExactly("a");
    turns(successor);

    assertThat(answer(ask)).isEqualTo(Verdict.TOO_LATE);
    assertThat(delivered()).containsExactly("a");
    assertThat(pending()).isEmpty();
  }

  @Test
  void theTimeOfTheAnswerIsThatOfTheCommitNotOfTheRead() {
    SimBridge bridge = running("a");
    long message = schedule("a", 10);
    turns(bridge);
    long ask = cancel(message, 10);
    bridge.delivery.before(bridge::crash);
    bridge.step();
    assertThat(answer(ask)).isNull();

    turns(running("b"));

    assertThat(answer(ask)).isEqualTo(Verdict.CANCELLED);
  }

  @Test
  void aCancelledMessageStaysCancelledWhenTheStoreIsRebuilt() {
    SimBridge bridge = running("a");
    long message = schedule("a", 20);
    schedule("b", 10);
    turns(bridge);
    long ask = cancel(message, 20);
    turns(bridge);
    assertThat(answer(ask)).isEqualTo(Verdict.CANCELLED);

    store.wipe();
    turns(bridge);
    at(20);
    turns(bridge);

    assertThat(delivered()).containsExactly("b");
  }

  @Test
  void theIdOfACancelledMessageIsFree() {
    SimBridge bridge = running("a");
    long message = schedule("a", 10, "x");
    turns(bridge);
    ask(DelayHeaders.OP_CANCEL, message, 10, "x");
    turns(bridge);

    assertThat(store.ids(shard())).isEmpty();
  }

  @Test
  void anAskForAnotherDueTimeThanThatOfTheMessageDoesNothing() {
    SimBridge bridge = running("a");
    long message = schedule("a", 10);
    turns(bridge);

    long ask = cancel(message, 11);
    turns(bridge);

    assertThat(answer(ask)).isEqualTo(Verdict.TOO_LATE);
    assertThat(pending()).containsExactly(message);
  }

  @Test
  void anAskForAnotherDueTimeLeavesTheIdToItsMessageWhenTheStoreIsRebuilt() {
    SimBridge bridge = running("a");
    long message = schedule("a", 10, "x");
    ask(DelayHeaders.OP_CANCEL, message, 11, "x");
    turns(bridge);
    cancel("x");
    store.wipe();
    turns(bridge);

    at(10);
    turns(bridge);

    assertThat(delivered()).isEmpty();
  }

  // Move.

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aMovedMessageIsDeliveredOnceAtItsNewTime(boolean transactional) {
    exactlyOnce = transactional;
    SimBridge bridge = running("a");
    long message = schedule("a", 10, "x");
    turns(bridge);

    long ask = move(message, 10, "x", 30);
    turns(bridge);
    assertThat(answer(ask)).isEqualTo(Verdict.MOVED);
    at(10);
    turns(bridge);
    assertThat(delivered()).isEmpty();
    at(30);
    turns(bridge);

    assertThat(delivered()).containsExactly("a");
    assertThat(header(kafka.records(TARGET).get(0), DelayHeaders.SOURCE))
        .isEqualTo(SimKafka.INTAKE + "/0/" + message);
    assertThat(header(kafka.records(TARGET).get(0), DelayHeaders.ATTEMPT)).isEqualTo("1");
    assertThat(store.ids(shard())).isEmpty();
  }

  @Test
  void aMessageWithoutAnIdCanBeMovedTwice() {
    SimBridge bridge = running("a");
    long message = schedule("a", 10);
    turns(bridge);
    move(message, 10, null, 30);
    turns(bridge);
    long copy = pending().get(0);
    move(copy, 30, null, 20);
    turns(bridge);
    at(20);
    turns(bridge);

    assertThat(delivered()).containsExactly("a");
    assertThat(header(kafka.records(TARGET).get(0), DelayHeaders.SOURCE))
        .isEqualTo(SimKafka.INTAKE + "/0/" + message);
  }

  @Test
  void aMovedMessageIsDeliveredOnceAlsoIfTheStoreIsRebuilt() {
    SimBridge bridge = running("a");
    long message = schedule("a", 10, "x");
    turns(bridge);
    move(message, 10, "x", 30);
    turns(bridge);
    store.wipe();
    at(10);
    turns(bridge);
    store.wipe();
    at(30);
    turns(bridge);

    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void whatWasDeliveredIsNotDeliveredAgainByAMoveThatCameTooLate() {
    SimBridge bridge = running("a");
    long message = schedule("a", 10, "x");
    at(10);
    turns(bridge);
    long ask = move(message, 10, "x", 30);
    turns(bridge);
    assertThat(answer(ask)).isEqualTo(Verdict.TOO_LATE);
    store.wipe();
    turns(bridge);
    at(30);
    turns(bridge);

    assertThat(delivered()).containsExactly("a");
  }

  @Test
  void aMessageThatWasReplacedIsNotMoved() {
    SimBridge bridge = running("a");
    long message = schedule("old", 10, "x");
    turns(bridge);
    schedule("new", 20, "x");
    long ask = move(message, 10, "x", 30);
    turns(bridge);
    at(30);
    turns(bridge);

    assertThat(answer(ask)).isEqualTo(Verdict.TOO_LATE);
    assertThat(delivered()).containsExactly("new");
  }

  @Test
  void moreAsksThanFitIntoOneTakeAreAllAnswered() {
    maxTakeCount = 2;
    SimBridge bridge = running("a");
    for (int i = 0; i < 7; i++) {
      schedule("m" + i, 50);
    }
    turns(bridge);
    for (int i = 0; i < 6; i++) {
      cancel(i, 50);
    }
    turns(bridge);

    assertThat(bridge.told.answered).isEqualTo(6);
    at(50);
    turns(bridge);
    assertThat(delivered()).containsExactly("m6");
  }

  // Pause.

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingIsDeliveredWhilePausedAndEverythingAfterwards(boolean transactional) {
    exactlyOnce = transactional;
    SimBridge bridge = running("a");
    schedule("a", 10);
    long pause = say(DelayHeaders.OP_PAUSE);
    turns(bridge);
    assertThat(answer(pause)).isEqualTo(Verdict.PAUSED);
    at(10);
    turns(bridge);
    assertThat(delivered()).isEmpty();
    assertThat(status(bridge).paused()).isTrue();

    say(DelayHeaders.OP_RESUME);
    turns(bridge);

    assertThat(delivered()).containsExactly("a");
    assertThat(status(bridge).paused()).isFalse();
  }

  @Test
  void aPausedShardTellsHowManyOfItsMessagesAreDue() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    schedule("b", 20);
    schedule("c", 30);
    schedule("d", 900);
    say(DelayHeaders.OP_PAUSE);
    turns(bridge);
    at(30);
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);

    assertThat(status(bridge).overdue()).isEqualTo(3);
    assertThat(status(bridge).pending()).isEqualTo(4);
    assertThat(status(bridge).nextDue()).isEqualTo(START + 10);
    assertThat(delivered()).isEmpty();
  }

  /** Its id names nothing, so the ask refers to it by its key alone. */
  @Test
  void aMalformedMessageThatWaitsIsCancelled() {
    SimBridge bridge = running("a");
    say(DelayHeaders.OP_PAUSE);
    turns(bridge);
    long malformed = append(Map.of(DelayHeaders.TARGET_TOPIC, TARGET, DelayHeaders.ID, "x"));
    long plain = malformed("bad");
    turns(bridge);
    long ofNamed = ask(DelayHeaders.OP_CANCEL, malformed, 0, null);
    long ofPlain = ask(DelayHeaders.OP_CANCEL, plain, 0, null);
    turns(bridge);
    assertThat(answer(ofNamed)).isEqualTo(Verdict.CANCELLED);
    assertThat(answer(ofPlain)).isEqualTo(Verdict.CANCELLED);

    say(DelayHeaders.OP_RESUME);
    turns(bridge);
    assertThat(dead()).isEmpty();
  }

  /** As a copy it would be a message like any other, with an id that stands for nothing. */
  @ParameterizedTest
  @ValueSource(strings = {DelayHeaders.OP_MOVE, DelayHeaders.OP_SKIP})
  void aMalformedMessageThatIsMovedIsADeadLetter(String op) {
    SimBridge bridge = running("a");
    say(DelayHeaders.OP_PAUSE);
    long message = append(Map.of(DelayHeaders.TARGET_TOPIC, TARGET, DelayHeaders.ID, "x"));
    turns(bridge);
    long ask =
        append(
            Map.of(
                DelayHeaders.OP,
                op,
                DelayHeaders.PENDING,
                message + "/" + START,
                DelayHeaders.DELIVER_AT,
                Long.toString(START + 10)));
    turns(bridge);
    say(DelayHeaders.OP_RESUME);
    at(10);
    turns(bridge);

    assertThat(answer(ask)).isEqualTo(Verdict.REJECTED);
    assertThat(dead()).containsExactly("- NO_DUE_TIME");
    assertThat(delivered()).isEmpty();
  }

  @Test
  void aShardThatIsHeldAnswersAsks() {
    SimBridge bridge = running("a");
    kafka.refuse(SimKafka.DEAD, "bad", new InvalidRecordException("not now"));
    malformed("bad");
    schedule("b", 20, "x");
    long cancelled = schedule("c", HOUR, "y");
    turns(bridge);
    assertThat(status(bridge).problem()).contains("the dead-letter topic refuses it");
    long before = kafka.records(SimKafka.DEAD).size();

    long ask = ask(DelayHeaders.OP_CANCEL, cancelled, HOUR, "y");
    bridge.step();
    bridge.step();

    assertThat(answer(ask)).isEqualTo(Verdict.CANCELLED);
    assertThat(status(bridge).problem()).contains("the dead-letter topic refuses it");
    assertThat(status(bridge).overdue()).isEqualTo(1);
    assertThat(kafka.records(SimKafka.DEAD)).hasSize((int) before);
    assertThat(delivered()).isEmpty();

    kafka.accept();
    at(20);
    clock.pass(Duration.ofSeconds(31));
    turns(bridge);
    assertThat(dead()).containsExactly("bad NO_DUE_TIME");
    assertThat(delivered()).containsExactly("b");
    assertThat(status(bridge).problem()).isNull();
  }

  @Test
  void aPausedShardIsResumedAtItsInstanceAlsoWhenTheIntakeWaitsForMemory() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    say(DelayHeaders.OP_PAUSE);
    turns(bridge);
    store.memoryUse(0.9);
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);
    say(DelayHeaders.OP_RESUME);
    at(10);
    turns(bridge);
    assertThat(delivered()).isEmpty();

    bridge.resume(id(P0));
    turns(bridge);

    assertThat(delivered()).containsExactly("a");
    assertThat(checkpoint().paused()).isFalse();
  }

  @Test
  void aResumedShardIsResumedForItsNextOwnerToo() {
    SimBridge bridge = running("a");
    say(DelayHeaders.OP_PAUSE);
    turns(bridge);
    bridge.resume(id(P0));
    turns(bridge);
    bridge.crash();

    assertThat(status(running("b")).paused()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"UNKNOWN_COMMITTED", "UNKNOWN_ABORTED"})
  void aResumeOutlivesThatItsCheckpointIsNotKnown(Fault fault) {
    SimBridge bridge = running("a");
    schedule("a", 10);
    say(DelayHeaders.OP_PAUSE);
    turns(bridge);
    at(10);
    bridge.resume(id(P0));
    bridge.delivery.fault(fault);
    turns(bridge);

    assertThat(delivered()).containsExactly("a");
    assertThat(checkpoint().paused()).isFalse();
  }

  @Test
  void aShardThatIsClosedJustThenIsResumedAsWell() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    say(DelayHeaders.OP_PAUSE);
    turns(bridge);
    at(10);
    store.lose(Call.TAKE);
    clock.pass(CHECKPOINT_EVERY);
    bridge.step();
    assertThat(status(bridge).state()).isEqualTo(ShardStatus.State.CLOSED);
    bridge.resume(id(P0));
    turns(bridge);

    assertThat(delivered()).containsExactly("a");
    assertThat(checkpoint().paused()).isFalse();
  }

  @Test
  void aShardThatLeavesRightAfterItWasResumedIsResumedForItsNextOwner() {
    SimBridge bridge = running("a");
    say(DelayHeaders.OP_PAUSE);
    turns(bridge);
    bridge.resume(id(P0));
    bridge.stop();

    assertThat(status(running("b")).paused()).isFalse();
  }

  @Test
  void aResumeOutlivesThatTheLastCheckpointBeforeTheShardLeftIsNotKnown() {
    SimBridge bridge = running("a");
    say(DelayHeaders.OP_PAUSE);
    turns(bridge);
    bridge.resume(id(P0));
    store.away(true);
    bridge.delivery.fault(Fault.UNKNOWN_ABORTED);
    turns(bridge);
    store.away(false);
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);

    assertThat(status(bridge).paused()).isFalse();
    assertThat(checkpoint().paused()).isFalse();
  }

  @Test
  void aPauseAfterAResumeHolds() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    say(DelayHeaders.OP_PAUSE);
    turns(bridge);
    bridge.resume(id(P0));
    say(DelayHeaders.OP_PAUSE);
    turns(bridge);
    store.lose(Call.TAKE);
    at(10);
    turns(bridge);

    assertThat(delivered()).isEmpty();
    assertThat(checkpoint().paused()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anAskThatChangesNothingIsAnsweredToo(boolean transactional) {
    exactlyOnce = transactional;
    SimBridge bridge = running("a");
    say(DelayHeaders.OP_PAUSE);
    turns(bridge);
    long again = say(DelayHeaders.OP_PAUSE);
    turns(bridge);
    assertThat(answer(again)).isEqualTo(Verdict.PAUSED);
  }

  @Test
  void aPauseOutlivesTheInstanceAndTheStore() {
    SimBridge bridge = running("a");
    schedule("a", 10);
    say(DelayHeaders.OP_PAUSE);
    turns(bridge);
    bridge.crash();
    store.wipe();
    SimBridge next = running("b");
    at(10);
    turns(next);

    assertThat(delivered()).isEmpty();
    assertThat(checkpoint().paused()).isTrue();
  }

  @Test
  void anAskThatWaitsForKafkaIsNotOverdueSinceTheBeginningOfTime() {
    SimBridge bridge = running("a");
    long resume = say(DelayHeaders.OP_RESUME);
    bridge.delivery.fault(Fault.NOT_OUT);
    bridge.step();

    assertThat(answer(resume)).isNull();
    assertThat(status(bridge).nextDue()).isEqualTo(clock.millis());
  }

  @Test
  void asksAreAnsweredWhilePaused() {
    SimBridge bridge = running("a");
    long message = schedule("a", 10);
    say(DelayHeaders.OP_PAUSE);
    at(10);
    turns(bridge);

    long ask = cancel(message, 10);
    turns(bridge);

    assertThat(answer(ask)).isEqualTo(Verdict.CANCELLED);
  }
}
