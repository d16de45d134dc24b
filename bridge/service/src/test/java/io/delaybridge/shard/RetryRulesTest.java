package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.store.SimStore.Call;
import java.util.Map;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failed attempts: copies on the intake, ids that outlive them, refused records. */
class RetryRulesTest extends RuleTest {

  private static final String MISSING = "not-yet-there";

  /** Its first attempt fails at 10, its copy is due before 1000. */
  private long fails(String value, String id) {
    return scheduleTo(MISSING, value, 10, id);
  }

  private void nextAttempt(SimBridge bridge) {
    kafka.createTopic(MISSING, 1);
    at(1000);
    turns(bridge);
  }

  private long arrived() {
    return kafka.hasTopic(MISSING) ? kafka.records(MISSING).size() : 0;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aMessageWithAnIdIsDeliveredByItsSecondAttempt(boolean transactional) {
    exactlyOnce = transactional;
    SimBridge bridge = running("a");
    fails("a", "x");
    at(10);
    turns(bridge);
    assertThat(bridge.told.retried).isEqualTo(1);

    nextAttempt(bridge);

    assertThat(arrived()).isEqualTo(1);
    assertThat(pending()).isEmpty();
    assertThat(store.ids(shard())).isEmpty();
  }

  @Test
  void aRetryCopyComesToNothingIfItsMessageWasCancelledSinceTheAttempt() {
    SimBridge bridge = running("a");
    fails("a", "x");
    at(10);
    bridge.delivery.before(() -> cancel("x"));
    turns(bridge);
    assertThat(bridge.told.retried).isEqualTo(1);

    nextAttempt(bridge);

    assertThat(arrived()).isZero();
    assertThat(pending()).isEmpty();
  }

  @Test
  void aRetryCopyComesToNothingIfItsMessageWasReplacedSinceTheAttempt() {
    SimBridge bridge = running("a");
    fails("a", "x");
    at(10);
    bridge.delivery.before(() -> schedule("new", 20, "x"));
    turns(bridge);

    nextAttempt(bridge);

    assertThat(arrived()).isZero();
    assertThat(delivered()).containsExactly("new");
  }

  @Test
  void aRetryCopyThatIsFedAgainComesToNothingIfItWasCancelled() {
    SimBridge bridge = running("a");
    fails("a", "x");
    at(10);
    turns(bridge);
    cancel("x");
    turns(bridge);

    store.wipe();
    nextAttempt(bridge);

    assertThat(arrived()).isZero();
  }

  @Test
  void aMessageThatIsRetriedIsRebuiltWithTheStore() {
    SimBridge bridge = running("a");
    fails("a", "x");
    at(10);
    turns(bridge);

    store.wipe();
    nextAttempt(bridge);

    assertThat(arrived()).isEqualTo(1);
  }

  @Test
  void theIdOfAMessageThatWasFoundCoveredLivesOnForItsRetryCopy() {
    SimBridge bridge = running("a");
    fails("a", "x");
    turns(bridge);
    SimTransaction foreign = kafka.begin();
    foreign.send(request(P0, TARGET, "foreign", HOUR, null));
    at(10);
    store.lose(Call.SETTLE);
    turns(bridge);
    assertThat(bridge.told.skipped).isEqualTo(1);
    assertThat(pending()).isEmpty();

    foreign.commit();
    nextAttempt(bridge);

    assertThat(arrived()).isEqualTo(1);
  }

  @Test
  void whatOneAttemptCouldNotDoIsADeadLetterAfterTheLast() {
    SimBridge bridge = running("a");
    fails("a", "x");
    for (int i = 1; i <= 6; i++) {
      at(2000L * i);
      turns(bridge);
    }

    assertThat(dead()).containsExactly("a ATTEMPTS_EXHAUSTED");
    assertThat(bridge.told.retried).isEqualTo(4);
    assertThat(store.ids(shard())).isEmpty();
  }

  // Sweeping.

  @Test
  void idsThatNameNothingAreSweptAfterTheStoreHasCaughtUp() {
    SimBridge bridge = running("a");
    schedule("a", 10, "x");
    schedule("b", 20, "y");
    at(10);
    turns(bridge);

    store.wipe();
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);

    assertThat(store.ids(shard())).containsExactly("y");
  }

  @Test
  void nothingIsSweptBeforeTheLogIsReadAsItWasWhenTheShardWasAcquired() {
    SimBridge bridge = running("a");
    fails("a", "x");
    SimTransaction foreign = kafka.begin();
    turns(bridge);
    foreign.send(request(P0, TARGET, "foreign", HOUR, null));
    at(10);
    turns(bridge);
    bridge.crash();
    store.wipe();

    SimBridge next = running("b");
    assertThat(store.ids(shard())).containsExactly("x");

    foreign.commit();
    nextAttempt(next);
    assertThat(arrived()).isEqualTo(1);
  }

  @Test
  void nothingIsSweptInAStoreThatFellBackAndIsToBeFedAgain() {
    SimBridge bridge = running("a");
    long message = fails("a", "x");
    at(10);
    // The first attempt has failed and is settled, its copy is not read yet.
    bridge.step();
    assertThat(bridge.told.retried).isEqualTo(1);
    assertThat(pending()).isEmpty();
    Runnable fallBack = savepoint();
    turns(bridge);
    // The answer TOO_LATE keeps the id, so the bridge looks for ids that name nothing.
    append(
        Map.of(
            DelayHeaders.OP,
            DelayHeaders.OP_CANCEL,
            DelayHeaders.PENDING,
            message + "/" + (START + 10),
            DelayHeaders.ID,
            "x"));
    store.before(Call.SETTLE, fallBack);
    bridge.step();

    turns(bridge);
    nextAttempt(bridge);

    assertThat(arrived()).isEqualTo(1);
  }

  @Test
  void nothingIsSweptBeforeTheRetryCopiesOfThisLoopAreRead() {
    SimBridge bridge = running("a");
    schedule("filler", HOUR);
    turns(bridge);
    Runnable fallBack = savepoint();
    schedule("a", 5, "y");
    fails("b", "x");
    at(5);
    turns(bridge);
    SimTransaction foreign = kafka.begin();
    foreign.send(request(P0, TARGET, "foreign", HOUR, null));
    at(10);
    turns(bridge);
    assertThat(bridge.told.retried).isEqualTo(1);

    fallBack.run();
    clock.pass(CHECKPOINT_EVERY);
    turns(bridge);
    assertThat(store.ids(shard())).containsExactly("x", "y");

    foreign.commit();
    turns(bridge);
    assertThat(store.ids(shard())).containsExactly("x");
    nextAttempt(bridge);
    assertThat(arrived()).isEqualTo(1);
  }

  // Refused records.

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRecordThatIsRefusedBecomesADeadLetterAndTheOthersGoOut(boolean transactional) {
    exactlyOnce = transactional;
    SimBridge bridge = running("a");
    schedule("first", 10);
    schedule("too large", 10);
    schedule("last", 10);
    kafka.refuse(TARGET, "too large", new RecordTooLargeException("too large"));
    at(10);
    turns(bridge);

    assertThat(delivered()).containsExactly("first", "last");
    assertThat(dead()).containsExactly("too large RECORD_TOO_LARGE");
    assertThat(pending()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRecordThatTheDeadLetterTopicRefusesGoesThereWithoutItsValue(boolean transactional) {
    exactlyOnce = transactional;
    SimBridge bridge = running("a");
    schedule("too large", 10);
    kafka.refuse(TARGET, "too large", new RecordTooLargeException("too large"));
    kafka.refuse(SimKafka.DEAD, "too large", new RecordTooLargeException("too large"));
    at(10);
    turns(bridge);

    assertThat(dead()).containsExactly("- RECORD_TOO_LARGE");
    assertThat(pending()).isEmpty();
  }

  /** Otherwise, of many targets that are gone, each would have a turn wait for it. */
  @Test
  void afterATimeOutKafkaIsAskedAboutTheTargetsOfAllThatDidNotGoOut() {
    SimBridge bridge = running("a");
    kafka.createTopic("other", 1);
    scheduleTo("other", "first", 5, null);
    at(5);
    turns(bridge);
    kafka.deleteTopic("other");
    kafka.refuse(TARGET, "slow", new TimeoutException("no answer"));
    schedule("slow", 10);
    scheduleTo("other", "second", 10, null);
    at(10);
    turns(bridge);

    assertThat(kafka.records("other")).hasSize(1);
    assertThat(bridge.told.retried).isPositive();
  }

  @Test
  void aRetryCopyThatTheIntakeRefusesMakesADeadLetter() {
    SimBridge bridge = running("a");
    fails("a", "x");
    kafka.refuse(SimKafka.INTAKE, "a", new RecordTooLargeException("too large"));
    at(10);
    turns(bridge);

    assertThat(dead()).containsExactly("a UNKNOWN_TARGET");
    assertThat(pending()).isEmpty();
  }
}
