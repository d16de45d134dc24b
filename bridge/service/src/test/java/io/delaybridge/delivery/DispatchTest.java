package io.delaybridge.delivery;

import static io.delaybridge.intake.IntakeRecord.TIMESTAMP;
import static io.delaybridge.intake.IntakeRecord.schedule;
import static io.delaybridge.intake.IntakeRecord.timeless;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.intake.IntakeRecord;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.RetryPolicy;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class DispatchTest {

  private static final ShardId SHARD = new ShardId("delay-intake", 3);
  private static final long NOW = TIMESTAMP + 1000;

  private final StubAdmin kafka =
      new StubAdmin().available("orders", 10_000).available("dead", 10_000);
  private final TargetCatalog catalog = kafka.catalog();
  private final CircuitBreaker breaker = new CircuitBreaker(() -> 0);
  private final Router router =
      new Router(
          new TargetRules(List.of(Pattern.compile(".*")), Set.of("delay-intake", "dead"), null),
          catalog,
          breaker,
          new RetryPolicy(3, Duration.ofSeconds(1), Duration.ofSeconds(8)),
          new Random(1),
          0);
  private final Dispatch dispatch =
      new Dispatch(intake -> router, new Records("dead"), catalog, breaker, Tracing.off());

  private Decision decide(DelayedMessage message) throws KafkaNotReadyException {
    dispatch.prepare(Map.of(SHARD, List.of(message)));
    return dispatch.decide(SHARD, message, null, NOW);
  }

  private Outgoing outgoing(DelayedMessage message) throws KafkaNotReadyException {
    return dispatch.outgoing(SHARD, message, decide(message), NOW);
  }

  @Test
  void targetsAndTheDeadLetterTopicAreOneQuestionToKafka() throws KafkaNotReadyException {
    dispatch.prepare(
        Map.of(
            SHARD,
            List.of(
                schedule().parsed(),
                schedule().at(101).parsed(),
                timeless().parsed(),
                timeless().with(DelayHeaders.DELAY_MS, "1").parsed())));

    assertThat(kafka.questions).containsExactly(List.of("dead", "orders"));
  }

  @Test
  void nothingIsAskedWhenNothingIsDue() throws KafkaNotReadyException {
    dispatch.prepare(Map.of(SHARD, List.of()));

    assertThat(kafka.questions).isEmpty();
  }

  @Test
  void aDueMessageBecomesARecordForItsTarget() throws KafkaNotReadyException {
    assertThat(outgoing(schedule().parsed()).record().topic()).isEqualTo("orders");
  }

  @Test
  void aPartitionThatATopicHasBeenGivenIsNoticedWithTheFirstMessageForIt()
      throws KafkaNotReadyException {
    outgoing(schedule().parsed());
    kafka.withPartitions("orders", 2).nanos.addAndGet(Duration.ofSeconds(2).toNanos());

    assertThat(
            outgoing(schedule().with(DelayHeaders.TARGET_PARTITION, "1").parsed())
                .record()
                .partition())
        .isEqualTo(1);
  }

  @Test
  void aHopelessMessageBecomesADeadLetter() throws KafkaNotReadyException {
    assertThat(outgoing(timeless().parsed()).record().topic()).isEqualTo("dead");
  }

  @Test
  void withoutADeadLetterTopicAHopelessMessageIsHeld() throws KafkaNotReadyException {
    kafka.missing("dead");

    assertThat(decide(timeless().parsed()))
        .isInstanceOfSatisfying(
            Decision.Hold.class, hold -> assertThat(hold.why()).contains("'dead'"));
  }

  @Test
  void aDeadLetterTopicWithTooFewReplicasIsToldWithItsPartition() throws KafkaNotReadyException {
    kafka.outOfSync("dead", 3, 2);

    assertThat(decide(timeless().parsed()))
        .isInstanceOfSatisfying(
            Decision.Hold.class, hold -> assertThat(hold.why()).contains("partition 1 of 'dead'"));
  }

  @Test
  void aRetryIsHeldWhileTheIntakeTakesNoCopies() throws KafkaNotReadyException {
    kafka.missing("orders");
    Outgoing copy = outgoing(schedule().parsed());
    assertThat(copy.decision()).isInstanceOf(Decision.Retry.class);

    dispatch.refused(copy, copy.record().topic(), new TimeoutException("slow"), true);

    assertThat(decide(schedule().parsed())).isInstanceOf(Decision.Hold.class);
  }

  @Test
  void withoutADeadLetterTopicOthersAreDelivered() throws KafkaNotReadyException {
    kafka.missing("dead");

    assertThat(outgoing(schedule().parsed()).record().topic()).isEqualTo("orders");
  }

  @Test
  void aDeliveryThatTimedOutWhileOthersWentThroughOpensTheBreaker() throws KafkaNotReadyException {
    Outgoing outgoing = outgoing(schedule().parsed());

    assertThat(dispatch.refused(outgoing, "orders", new TimeoutException("slow"), true)).isNull();
    assertThat(breaker.isOpen("orders")).isTrue();
  }

  @Test
  void aTimeOutOfAllIsNobodysFault() throws KafkaNotReadyException {
    Outgoing outgoing = outgoing(schedule().parsed());

    assertThat(dispatch.refused(outgoing, "orders", new TimeoutException("slow"), false)).isNull();
    assertThat(breaker.isOpen("orders")).isFalse();
  }

  private boolean isTooLarge(IntakeRecord record) throws KafkaNotReadyException {
    DelayedMessage message = record.parsed();
    return dispatch.isTooLarge(decide(message), message.bytes());
  }

  @Test
  void whatIsLargerThanItsTopicTakesIsKnownBeforeItIsSent() throws KafkaNotReadyException {
    assertThat(isTooLarge(schedule().value(new byte[10_001]))).isTrue();
    assertThat(isTooLarge(schedule().value(new byte[9_500]))).isFalse();
    assertThat(isTooLarge(timeless().value(new byte[10_001]))).isTrue();
    assertThat(isTooLarge(timeless().value(new byte[9_500]))).isFalse();
  }

  @Test
  void keyAndHeadersCountTowardsTheSize() throws KafkaNotReadyException {
    assertThat(
            isTooLarge(
                schedule()
                    .key(new byte[4000])
                    .value(new byte[4000])
                    .withBytes("trace", new byte[2001])))
        .isTrue();
  }

  @Test
  void aDeadLetterWithoutItsContentIsNotTooLarge() throws KafkaNotReadyException {
    decide(timeless().parsed());

    assertThat(
            dispatch.isTooLarge(new Decision.Dead(Reason.NO_DUE_TIME, "large", false), 1_000_000))
        .isFalse();
  }

  @Test
  void aDeadLetterIsHeldWhileItsTopicTimesOut() throws KafkaNotReadyException {
    Outgoing outgoing = outgoing(timeless().parsed());

    assertThat(
            dispatch.refused(
                outgoing, outgoing.record().topic(), new TimeoutException("slow"), true))
        .isNull();

    assertThat(decide(timeless().parsed())).isInstanceOf(Decision.Hold.class);
    assertThat(decide(schedule().parsed())).isEqualTo(new Decision.Deliver("orders"));
  }

  @Test
  void aRefusedDeliveryBecomesADeadLetterInTheNextTurn() throws KafkaNotReadyException {
    DelayedMessage message = schedule().parsed();
    Outgoing first = outgoing(message);
    Refusal refusal = dispatch.refused(first, "orders", new RecordTooLargeException("2 MB"), true);

    dispatch.prepare(Map.of(SHARD, List.of(message)));
    assertThat(dispatch.decide(SHARD, message, refusal, NOW))
        .isInstanceOfSatisfying(
            Decision.Dead.class,
            dead -> assertThat(dead.reason()).isEqualTo(Reason.RECORD_TOO_LARGE));
  }

  @Test
  void aTargetIsAskedAboutAnewAfterItRefused() throws KafkaNotReadyException {
    DelayedMessage message = schedule().parsed();
    dispatch.refused(outgoing(message), "orders", new RecordTooLargeException("2 MB"), true);

    dispatch.prepare(Map.of(SHARD, List.of(message)));

    assertThat(kafka.questions).containsExactly(List.of("dead", "orders"), List.of("orders"));
  }

  @Test
  void aSuccessClosesTheBreaker() throws KafkaNotReadyException {
    Outgoing outgoing = outgoing(schedule().parsed());
    dispatch.refused(outgoing, "orders", new TimeoutException("slow"), true);

    dispatch.succeeded(outgoing);

    assertThat(breaker.isOpen("orders")).isFalse();
  }
}
