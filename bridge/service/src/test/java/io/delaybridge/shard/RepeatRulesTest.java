package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.store.ShardStore.Index;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that repeat: an occurrence and its successor in one transaction. See ADR 33. */
class RepeatRulesTest extends RuleTest {

  private static final String MISSING = "not-yet-there";

  private static Map<String, String> everySecond(String id) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(DelayHeaders.TARGET_TOPIC, TARGET);
    headers.put(DelayHeaders.ID, id);
    headers.put(DelayHeaders.DELIVER_AT, Long.toString(START + 1000));
    headers.put(DelayHeaders.EVERY, "PT1S");
    return headers;
  }

  private long repeat(String... others) {
    Map<String, String> headers = everySecond("x");
    for (int i = 0; i < others.length; i += 2) {
      headers.put(others[i], others[i + 1]);
    }
    return kafka.append(Workload.record(P0, headers, true), false).offset();
  }

  private void turnsAt(SimBridge bridge, long... millis) {
    for (long each : millis) {
      at(each);
      turns(bridge);
    }
  }

  /**
   * Returns number and instant of each occurrence that arrived, as milliseconds after the
   * beginning.
   */
  private List<String> occurrences(String topic) {
    List<String> all = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : kafka.records(topic)) {
      long at = Long.parseLong(header(record, DelayHeaders.SCHEDULED_AT));
      all.add(header(record, DelayHeaders.OCCURRENCE) + "@" + (at - START));
    }
    return all;
  }

  private List<String> occurrences() {
    return occurrences(TARGET);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void eachOccurrenceComesOnceAndTheNextOneIsCountedFromTheCalendar(boolean transactional) {
    exactlyOnce = transactional;
    SimBridge bridge = running("a");
    long offset = repeat();

    turnsAt(bridge, 999, 1000, 1700, 2030, 2999, 3001);

    assertThat(occurrences()).containsExactly("1@1000", "2@2000", "3@3000");
    assertThat(kafka.records(TARGET))
        .allSatisfy(
            record -> {
              assertThat(header(record, DelayHeaders.SOURCE))
                  .isEqualTo(id(P0).source(offset).toString());
              assertThat(header(record, DelayHeaders.SCHEDULE)).isEqualTo("x");
              assertThat(record.headers().lastHeader(DelayHeaders.EVERY)).isNull();
              assertThat(record.headers().lastHeader(DelayHeaders.ID)).isNull();
            });
    assertThat(pending()).hasSize(1);
  }

  @Test
  void anOccurrenceAndItsSuccessorAreOutOrNotTogether() {
    SimBridge bridge = running("a");
    repeat();
    turns(bridge);
    at(1000);
    bridge.delivery.fault(SimDelivery.Fault.UNKNOWN_ABORTED);
    bridge.step();
    assertThat(kafka.records(TARGET)).isEmpty();

    turnsAt(bridge, 1000, 2000);

    assertThat(occurrences()).containsExactly("1@1000", "2@2000");
  }

  @Test
  void aSuccessorComesToNothingIfTheMessageWasCancelledWhileItWasOnItsWay() {
    SimBridge bridge = running("a");
    repeat();
    turns(bridge);
    at(1000);
    bridge.delivery.before(() -> cancel("x"));

    turnsAt(bridge, 1000, 2000, 3000);

    assertThat(occurrences()).containsExactly("1@1000");
    assertThat(pending()).isEmpty();
    assertThat(store.ids(shard())).isEmpty();
  }

  @Test
  void aCancelBetweenTwoOccurrencesEndsIt() {
    SimBridge bridge = running("a");
    repeat();
    turnsAt(bridge, 1000, 2000);
    cancel("x");

    turnsAt(bridge, 2001, 3000, 4000);

    assertThat(occurrences()).containsExactly("1@1000", "2@2000");
  }

  @Test
  void aReplacementTakesTheWholeBack() {
    SimBridge bridge = running("a");
    repeat();
    turnsAt(bridge, 1000);
    schedule("once", 2500, "x");

    turnsAt(bridge, 2000, 3000, 4000);

    assertThat(delivered()).containsExactly("refused", "once");
  }

  @Test
  void countAndUntilEndIt() {
    SimBridge bridge = running("a");
    repeat(DelayHeaders.COUNT, "2");
    Map<String, String> other = everySecond("y");
    other.put(DelayHeaders.UNTIL, Long.toString(START + 3999));
    append(other);

    turnsAt(bridge, 1000, 2000, 3000, 4000, 5000);

    assertThat(occurrences()).containsExactly("1@1000", "1@1000", "2@2000", "2@2000", "3@3000");
    assertThat(pending()).isEmpty();
    assertThat(store.ids(shard())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          one  | 1@1000,2@5000,3@6000
          all  | 1@1000,2@2000,3@3000,4@4000,5@5000,6@6000
          skip | 1@5000,2@6000
          """)
  void whatWasMissedIsWhatTheMessageSays(String missed, String arrived) {
    SimBridge bridge = running("a");
    repeat(DelayHeaders.MISSED, missed);
    turns(bridge);

    turnsAt(bridge, 4500, 5000, 6000);

    assertThat(String.join(",", occurrences())).isEqualTo(arrived);
  }

  @Test
  void aCronExpressionBeginsWithItsNextMatchAfterTheTimestamp() {
    SimBridge bridge = running("a");
    at(300);
    Map<String, String> headers = everySecond("x");
    headers.remove(DelayHeaders.DELIVER_AT);
    headers.remove(DelayHeaders.EVERY);
    headers.put(DelayHeaders.CRON, "*/2 * * * * *");
    headers.put(DelayHeaders.ZONE, "Europe/Berlin");
    append(headers);

    turnsAt(bridge, 300, 1999, 2000, 4000);

    assertThat(occurrences()).containsExactly("1@2000", "2@4000");
  }

  @Test
  void anOccurrenceThatFailsIsTriedAgainWhileTheNextOnesCome() {
    SimBridge bridge = running("a");
    repeat(DelayHeaders.TARGET_TOPIC, MISSING, DelayHeaders.COUNT, "2");
    turnsAt(bridge, 1000, 2000);
    assertThat(bridge.told.retried).isGreaterThanOrEqualTo(2);

    kafka.createTopic(MISSING, 1);
    turnsAt(bridge, 60_000);

    assertThat(occurrences(MISSING)).containsExactlyInAnyOrder("1@1000", "2@2000");
    assertThat(pending()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anOccurrenceThatIsRefusedForItsSizeIsADeadLetterAndTheNextOneComes(boolean transactional) {
    exactlyOnce = transactional;
    SimBridge bridge = running("a");
    repeat();
    turns(bridge);
    kafka.refuse(TARGET, Workload.REFUSED, new RecordTooLargeException("simulated"));
    turnsAt(bridge, 1000);
    kafka.accept();

    turnsAt(bridge, 2000);

    assertThat(dead()).containsExactly("refused RECORD_TOO_LARGE");
    assertThat(occurrences(SimKafka.DEAD)).containsExactly("1@1000");
    ConsumerRecord<byte[], byte[]> letter = kafka.records(SimKafka.DEAD).get(0);
    assertThat(letter.headers().lastHeader(DelayHeaders.ID)).isNull();
    assertThat(letter.headers().lastHeader(DelayHeaders.EVERY)).isNull();
    assertThat(occurrences()).containsExactly("2@2000");
  }

  /** Its successor is not written before it is out, and so cannot take its place. */
  @Test
  void anOccurrenceThatFailsWithoutATransactionIsTriedAgain() {
    exactlyOnce = false;
    SimBridge bridge = running("a");
    repeat();
    schedule("other", 1000);
    turns(bridge);
    kafka.refuse(TARGET, Workload.REFUSED, new NotEnoughReplicasException("for now"));
    at(1000);
    bridge.step();
    assertThat(kafka.records(TARGET)).hasSize(1);
    kafka.accept();

    turnsAt(bridge, 1001, 1200, 2000);

    assertThat(dead()).isEmpty();
    assertThat(kafka.records(TARGET).stream().map(each -> text(each.value())).toList())
        .hasSize(3)
        .contains("other");
  }

  @Test
  void anOccurrenceThatIsNotInTimeIsADeadLetterAndTheNextOneComes() {
    SimBridge bridge = running("a");
    repeat(DelayHeaders.TTL_MS, "1100");
    turns(bridge);

    turnsAt(bridge, 1200, 2000);

    assertThat(dead()).containsExactly("refused EXPIRED");
    assertThat(occurrences()).containsExactly("2@2000");
  }

  @Test
  void aTargetThatIsForbiddenEndsIt() {
    SimBridge bridge = running("a");
    repeat(DelayHeaders.TARGET_TOPIC, SimKafka.INTAKE);

    turnsAt(bridge, 1000, 2000);

    assertThat(dead()).containsExactly("refused CONTROL_TOPIC");
    ConsumerRecord<byte[], byte[]> letter = kafka.records(SimKafka.DEAD).get(0);
    assertThat(header(letter, DelayHeaders.DEAD_DETAIL))
        .endsWith("the message does not repeat any more");
    assertThat(header(letter, DelayHeaders.EVERY)).isEqualTo("PT1S");
    assertThat(pending()).isEmpty();
  }

  @Test
  void aSuccessorThatTheIntakeDoesNotTakeForNowWaits() {
    SimBridge bridge = running("a");
    repeat();
    turns(bridge);
    kafka.refuse(SimKafka.INTAKE, Workload.REFUSED, new NotEnoughReplicasException("simulated"));
    turnsAt(bridge, 1000);
    assertThat(occurrences()).isEmpty();
    assertThat(dead()).isEmpty();

    kafka.accept();
    clock.pass(Duration.ofMinutes(1));
    turnsAt(bridge, 1100);

    assertThat(occurrences()).containsExactly("1@1000");
  }

  @Test
  void aSuccessorThatTheIntakeNeverTakesEndsIt() {
    SimBridge bridge = running("a");
    repeat();
    turns(bridge);
    kafka.refuse(SimKafka.INTAKE, Workload.REFUSED, new RecordTooLargeException("simulated"));

    turnsAt(bridge, 1000);

    assertThat(dead()).containsExactly("refused RECORD_TOO_LARGE");
    assertThat(header(kafka.records(SimKafka.DEAD).get(0), DelayHeaders.DEAD_DETAIL))
        .endsWith("the message does not repeat any more");
  }

  @Test
  void aRightThatTheBridgeHasLostDoesNotEndIt() {
    SimBridge bridge = running("a");
    repeat();
    turns(bridge);
    kafka.refuse(
        SimKafka.INTAKE,
        Workload.REFUSED,
        new TopicAuthorizationException(Set.of(SimKafka.INTAKE)));
    turnsAt(bridge, 1000);
    assertThat(bridge.shard(P0).isOpen()).isTrue();

    kafka.accept();
    clock.pass(Duration.ofMinutes(1));
    turnsAt(bridge, 1500);

    assertThat(dead()).isEmpty();
    assertThat(occurrences()).contains("1@1000");
  }

  @Test
  void theMessageIsRebuiltWithTheStoreThoughItsRequestIsNotInTheIntakeAnyMore() {
    SimBridge bridge = running("a");
    repeat();
    turnsAt(bridge, 1000, 2000);
    long successor = pending().get(0);

    kafka.log(P0).deleteBefore(successor);
    store.wipe();
    turnsAt(bridge, 2500, 3000, 4000);

    assertThat(occurrences()).containsExactly("1@1000", "2@2000", "3@3000", "4@4000");
    assertThat(bridge.shard(P0).index).isEqualTo(Index.COMPLETE);
  }

  @Test
  void aCancelIsFedAgainAlthoughTheRequestIsNotInTheIntakeAnyMore() {
    SimBridge bridge = running("a");
    repeat();
    turnsAt(bridge, 1000);
    long successor = pending().get(0);
    cancel("x");
    turns(bridge);

    kafka.log(P0).deleteBefore(successor);
    store.wipe();
    turnsAt(bridge, 1500, 2000);
    clock.pass(CHECKPOINT_EVERY);
    turnsAt(bridge, 3000);

    assertThat(occurrences()).containsExactly("1@1000");
    assertThat(pending()).isEmpty();
    assertThat(store.ids(shard())).isEmpty();
  }

  @Test
  void aMessageThatIsMovedIsForTheSameInstantAndTheNextOneKeepsItsOwn() {
    SimBridge bridge = running("a");
    long offset = repeat();
    turns(bridge);
    ask(DelayHeaders.OP_MOVE, offset, 1000, 1500);

    turnsAt(bridge, 1000, 1499);
    assertThat(occurrences()).isEmpty();
    turnsAt(bridge, 1500, 2000);

    assertThat(occurrences()).containsExactly("1@1000", "2@2000");
  }

  private void ask(String op, long offset, long due, long to) {
    append(
        Map.of(
            DelayHeaders.OP,
            op,
            DelayHeaders.ID,
            "x",
            DelayHeaders.PENDING,
            offset + "/" + (START + due),
            DelayHeaders.DELIVER_AT,
            Long.toString(START + to)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"one", "all", "skip"})
  void whatIsPausedComesFromTheNextInstantOnAndNothingOfItBefore(String missed) {
    SimBridge bridge = running("a");
    repeat(DelayHeaders.MISSED, missed);
    turnsAt(bridge, 1000, 1001);
    long successor = pending().get(0);
    ask(DelayHeaders.OP_SKIP, successor, 2000, 4500);

    turnsAt(bridge, 1002, 2000, 3000, 4000, 4500);
    assertThat(occurrences()).containsExactly("1@1000");
    turnsAt(bridge, 4501, 5000, 6000);

    assertThat(occurrences()).containsExactly("1@1000", "2@5000", "3@6000");
  }

  @Test
  void whatIsPausedGoesOnWhenItIsAskedTo() {
    SimBridge bridge = running("a");
    long offset = repeat();
    turns(bridge);
    ask(DelayHeaders.OP_SKIP, offset, 1000, 1_000_000);
    turnsAt(bridge, 1000, 2000, 2300);
    ask(DelayHeaders.OP_SKIP, pending().get(0), 1_000_000, 2300);

    turnsAt(bridge, 2301, 2999, 3000, 4000);

    assertThat(occurrences()).containsExactly("1@3000", "2@4000");
  }

  @Test
  void aPauseThatIsOverBeforeItsInstantLeavesNothingOut() {
    SimBridge bridge = running("a");
    long offset = repeat();
    turns(bridge);
    ask(DelayHeaders.OP_SKIP, offset, 1000, 500);

    turnsAt(bridge, 500, 501, 999, 1000, 2000);

    assertThat(occurrences()).containsExactly("1@1000", "2@2000");
  }

  @Test
  void whatIsMovedComesAtItsNewTimeThoughMissedOnesAreSkipped() {
    SimBridge bridge = running("a");
    long offset = repeat(DelayHeaders.MISSED, DelayHeaders.MISSED_SKIP);
    turns(bridge);
    ask(DelayHeaders.OP_MOVE, offset, 1000, 90_000);

    turnsAt(bridge, 1000, 2000, 89_999);
    assertThat(occurrences()).isEmpty();
    turnsAt(bridge, 90_000, 90_001, 91_000);

    assertThat(occurrences()).containsExactly("1@1000", "2@91000");
  }

  @Test
  void aMoveEndsAPause() {
    SimBridge bridge = running("a");
    long offset = repeat();
    turns(bridge);
    ask(DelayHeaders.OP_SKIP, offset, 1000, 100_000);
    turnsAt(bridge, 1000);
    ask(DelayHeaders.OP_MOVE, pending().get(0), 100_000, 1500);

    turnsAt(bridge, 1500, 2000);

    assertThat(occurrences()).containsExactly("1@1000", "2@2000");
  }

  /**
   * The occurrence was refused as part of a turn and is to go alone, but by then it has nothing to
   * send.
   */
  @Test
  void aSuspectThatIsLeftOutDoesNotHoldUpItsShard() {
    SimBridge bridge = running("a");
    repeat(DelayHeaders.MISSED, "skip", DelayHeaders.UNTIL, "" + (START + 1500));
    schedule("other", 1000);
    turns(bridge);
    at(1000);
    kafka.refuse(TARGET, Workload.REFUSED, new RecordTooLargeException("simulated"));
    bridge.step();
    kafka.accept();
    schedule("behind", 70_000);

    turnsAt(bridge, 70_000, 70_001);

    assertThat(delivered()).contains("other", "behind");
    assertThat(pending()).isEmpty();
  }

  @Test
  void aPausedOneThatIsFarStaysPausedWhenItComesHome() {
    far = new LoopSettings.Far(400, 200);
    kafka.createTopic(SimLater.TOPIC, 1);
    SimBridge bridge = running("a");
    long offset = repeat(DelayHeaders.DELIVER_AT, Long.toString(START + 300));
    turns(bridge);
    ask(DelayHeaders.OP_SKIP, offset, 300, 1500);

    turnsAt(bridge, 100, 300, 500, 700, 900, 1100, 1300, 1500, 1700, 1900, 2100, 2300);

    assertThat(occurrences()).containsExactly("1@2300");
  }

  @Test
  void aFarSuccessorWaitsInTheLaterTopic() {
    far = new LoopSettings.Far(400, 200);
    kafka.createTopic(SimLater.TOPIC, 1);
    SimBridge bridge = running("a");
    repeat();
    turnsAt(bridge, 100, 500, 650, 850, 999);
    assertThat(occurrences()).isEmpty();

    turnsAt(bridge, 1000);
    assertThat(store.far(id(P0))).containsKey("x");
    turnsAt(bridge, 1300, 1500, 1650, 1850, 2000);

    assertThat(occurrences()).containsExactly("1@1000", "2@2000");
  }

  @Test
  void aSpreadMovesEachOccurrenceAndNotItsInstant() {
    SimBridge bridge = running("a");
    repeat(DelayHeaders.SPREAD_MS, "400");
    turnsAt(bridge, 1000, 1400, 2000, 2400);

    assertThat(occurrences()).containsExactly("1@1000", "2@2000");
    List<Long> due =
        kafka.records(TARGET).stream()
            .map(record -> Long.parseLong(header(record, DelayHeaders.DUE_AT)) - START)
            .toList();
    assertThat(due.get(1) - due.get(0)).isEqualTo(1000);
    assertThat(due.get(0)).isBetween(1001L, 1400L);
  }
}
