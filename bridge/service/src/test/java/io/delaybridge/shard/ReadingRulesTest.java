package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.schemas.DelayHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How records are read changes, and Redis is lost: each has the key that it had at first. */
class ReadingRulesTest extends RuleTest {

  private static final long HORIZON = Duration.ofDays(1).toMillis();
  private static final long LEAP_DAY = Instant.parse("2028-02-29T09:00:00Z").toEpochMilli() - START;

  /** Appends a message with a header that is not known. */
  private void unknown(String value, long due, @Nullable String id) {
    ProducerRecord<byte[], byte[]> record = request(P0, TARGET, value, due, id);
    record.headers().add("delay-timezone", "UTC".getBytes(StandardCharsets.UTF_8));
    kafka.append(record, false);
  }

  /** Appends a message that comes on leap days only. */
  private void leapDays() {
    append(
        Map.of(
            DelayHeaders.TARGET_TOPIC, TARGET,
            DelayHeaders.ID, "x",
            DelayHeaders.CRON, "0 9 29 2 *"));
  }

  /** Delivers a message, so that there is a frontier that what is read again is compared with. */
  private void deliverFirst(SimBridge bridge) {
    schedule("first", 10);
    at(10);
    turns(bridge);
    assertThat(delivered()).containsExactly("first");
  }

  private SimBridge afterALoss(SimBridge before) {
    before.crash();
    store.wipe();
    return running("after");
  }

  private List<String> details() {
    return kafka.records(SimKafka.DEAD).stream().map(this::detail).toList();
  }

  private String detail(ConsumerRecord<byte[], byte[]> letter) {
    return header(letter, DelayHeaders.DEAD_DETAIL);
  }

  @Test
  void anUnknownHeaderMakesADeadLetter() {
    SimBridge bridge = running("a");
    unknown("a", 20, null);
    turns(bridge);

    assertThat(dead()).containsExactly("a UNKNOWN_HEADER");
    assertThat(details().get(0)).contains("did you mean delay-zone?");
    at(20);
    turns(bridge);
    assertThat(delivered()).isEmpty();
  }

  @Test
  void whatPassedStaysAMessageWhenSuchHeadersAreRefused() {
    passesUnknown = true;
    SimBridge bridge = running("before");
    unknown("a", 20, null);
    deliverFirst(bridge);

    passesUnknown = false;
    SimBridge next = afterALoss(bridge);
    at(20);
    turns(next);

    assertThat(delivered()).containsExactly("first", "a");
    assertThat(dead()).isEmpty();
  }

  @Test
  void whatAReleaseWithoutLevelsHasReadStaysAMessage() {
    level = 0;
    SimBridge bridge = running("before");
    unknown("a", 20, null);
    deliverFirst(bridge);
    assertThat(committed().metadata()).contains("|0:3600000|");

    level = 1;
    SimBridge next = afterALoss(bridge);
    unknown("b", 30, null);
    turns(next);
    at(30);
    turns(next);

    assertThat(delivered()).containsExactly("first", "a");
    assertThat(dead()).containsExactly("b UNKNOWN_HEADER");
    assertThat(committed().metadata()).contains("|0:3600000,2:3600000:0:1|");
  }

  @Test
  void whatWasRefusedStaysADeadLetterWhenSuchHeadersPass() {
    SimBridge bridge = running("before");
    schedule("of the same id", 20, "x");
    unknown("a", 20, "x");
    deliverFirst(bridge);
    assertThat(dead()).containsExactly("a UNKNOWN_HEADER");

    passesUnknown = true;
    SimBridge next = afterALoss(bridge);
    at(20);
    turns(next);

    assertThat(delivered()).containsExactly("first", "of the same id");
    assertThat(dead()).hasSize(1);
    assertThat(committed().metadata()).contains("|0:3600000:0:1,3:3600000:0:1:pass|");
  }

  /**
   * A rule that was committed already is to apply earlier, because Redis has lost what was read by
   * the rule before it. Whoever reads by it has committed that before.
   */
  @Test
  void whatIsReadByAnotherRuleThanBeforeStaysSoAlsoWhenNothingWasCommittedSince() {
    SimBridge refusing = running("refusing");
    deliverFirst(refusing);
    kafka.refuse(SimKafka.DEAD, "a", new NotEnoughReplicasException("simulated"));
    unknown("a", 20, null);
    turns(refusing);
    refusing.crash();

    passesUnknown = true;
    SimBridge passing = running("passing");
    assertThat(committed().metadata()).contains("|0:3600000:0:1,2:3600000:0:1:pass|");
    passing.crash();
    kafka.accept();
    store.wipe();
    SimBridge next = running("next");
    assertThat(pending()).containsExactly(1L);
    next.crash();

    SimBridge last = running("last");
    schedule("b", 10);
    turns(last);
    store.wipe();
    turns(last);
    at(20);
    turns(last);
    assertThat(delivered()).containsExactly("first", "b", "a");
    assertThat(dead()).isEmpty();
  }

  @Test
  void aCopyOfAMessageThatPassedIsNotJudgedAgain() {
    passesUnknown = true;
    SimBridge bridge = running("before");
    ProducerRecord<byte[], byte[]> record = request(P0, SimWorld.MISSING, "a", 20, null);
    record.headers().add("delay-timezone", new byte[0]);
    kafka.append(record, false);
    turns(bridge);

    passesUnknown = false;
    bridge.crash();
    SimBridge next = running("after");
    at(20);
    turns(next);
    assertThat(kafka.log(P0).end()).as("a retry").isGreaterThan(1);
    kafka.createTopic(SimWorld.MISSING, 1);
    secondBySecond(next, 1_000, 5_000);

    assertThat(kafka.records(SimWorld.MISSING)).hasSize(1);
    assertThat(dead()).isEmpty();
  }

  @Test
  void aCalendarMayWaitForYearsInTheLaterTopic() {
    horizon(HORIZON, HORIZON / 2);
    SimBridge bridge = running("a");
    leapDays();
    turns(bridge);

    assertThat(dead()).isEmpty();
    assertThat(checkpoint().laps().copies()).isEqualTo(1);
    assertThat(kafka.records(SimLater.TOPIC))
        .extracting(copy -> header(copy, DelayHeaders.SCHEDULED_AT))
        .containsExactly(Long.toString(START + LEAP_DAY));
  }

  @Test
  void withoutAHorizonItIsADeadLetterThatSaysWhy() {
    SimBridge bridge = running("a");
    leapDays();
    turns(bridge);

    assertThat(dead()).containsExactly("- DELAY_TOO_LONG");
    assertThat(details().get(0)).contains("if intake.horizon is shorter than");
  }

  /** The record would take back what was scheduled under its id. */
  @Test
  void aCalendarThatWasRefusedStaysADeadLetter() {
    level = 0;
    horizon(HORIZON, HORIZON / 2);
    SimBridge bridge = running("before");
    schedule("of the same id", 20, "x");
    leapDays();
    deliverFirst(bridge);
    assertThat(dead()).containsExactly("- DELAY_TOO_LONG");

    level = 1;
    SimBridge next = afterALoss(bridge);
    at(20);
    turns(next);

    assertThat(delivered()).containsExactly("first", "of the same id");
    assertThat(dead()).hasSize(1);
  }

  /** Retention must keep it there until it is due; docs/configuration.md says so. */
  @Test
  void whenTheHorizonIsTakenAwayACalendarWaitsInTheIntake() {
    horizon(HORIZON, HORIZON / 2);
    SimBridge bridge = running("before");
    leapDays();
    turns(bridge);
    bridge.stop();

    far = LoopSettings.Far.OFF;
    SimBridge next = running("after");
    at(LEAP_DAY - 1);
    turns(next);
    assertThat(delivered()).isEmpty();
    at(LEAP_DAY);
    turns(next);

    assertThat(delivered()).containsExactly("-");
  }
}
