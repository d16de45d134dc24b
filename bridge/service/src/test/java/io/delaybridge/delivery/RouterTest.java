package io.delaybridge.delivery;

import static io.delaybridge.intake.IntakeRecord.TIMESTAMP;
import static io.delaybridge.intake.IntakeRecord.empty;
import static io.delaybridge.intake.IntakeRecord.schedule;
import static io.delaybridge.intake.IntakeRecord.timeless;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.intake.IntakeRecord;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.RetryPolicy;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RouterTest {

  private static final long DUE = TIMESTAMP + 1000;
  private static final Decision DELIVER = new Decision.Deliver("orders");

  private final StubAdmin kafka = new StubAdmin().available("orders", 10_000);
  private final TargetCatalog catalog = kafka.catalog();
  private final CircuitBreaker breaker = new CircuitBreaker(() -> 0);

  private Router router(@Nullable String defaultTarget) {
    return new Router(
        new TargetRules(
            List.of(Pattern.compile("orders.*"), Pattern.compile("invoices")),
            Set.of("delay-intake", "orders-deadletter"),
            defaultTarget),
        catalog,
        breaker,
        new RetryPolicy(3, Duration.ofSeconds(1), Duration.ofSeconds(8)),
        new Random(1),
        0);
  }

  private Decision decide(DelayedMessage message, @Nullable Refusal refusal, long now)
      throws KafkaNotReadyException {
    Router router = router(null);
    String target = router.lookup(message);
    if (target != null) {
      catalog.refresh(List.of(target));
    }
    return router.decide(message, refusal, now);
  }

  private Decision decide(IntakeRecord record) throws KafkaNotReadyException {
    return decide(record.parsed(), null, DUE);
  }

  private static void assertDead(Decision decision, Reason reason, String detail) {
    assertThat(decision).isInstanceOf(Decision.Dead.class);
    Decision.Dead dead = (Decision.Dead) decision;
    assertThat(dead.reason()).isEqualTo(reason);
    assertThat(dead.detail()).contains(detail);
    assertThat(dead.whole()).as("whole").isTrue();
  }

  private static void assertRetry(Decision decision, Reason reason, long base) {
    assertThat(decision).isInstanceOf(Decision.Retry.class);
    Decision.Retry retry = (Decision.Retry) decision;
    assertThat(retry.reason()).isEqualTo(reason);
    assertThat(retry.due() - DUE).isBetween(base * 8 / 10, base * 12 / 10);
  }

  private static IntakeRecord to(String target) {
    return empty().with(DelayHeaders.TARGET_TOPIC, target).with(DelayHeaders.DELAY_MS, "1000");
  }

  private static IntakeRecord attempt(int attempt) {
    return schedule().with(DelayHeaders.RETRY, "v1|5|" + attempt + "|" + DUE + "|-");
  }

  @Test
  void aDueMessageGoesToItsTarget() throws KafkaNotReadyException {
    assertThat(decide(schedule())).isEqualTo(DELIVER);
  }

  @Test
  void aMessageGoesToThePartitionThatItNames() throws KafkaNotReadyException {
    kafka.withPartitions("orders", 4);

    assertThat(decide(schedule().with(DelayHeaders.TARGET_PARTITION, "3")))
        .isEqualTo(new Decision.Deliver("orders", 3));
  }

  @Test
  void aPartitionThatDoesNotExistIsTriedAgainLikeAMissingTarget() throws KafkaNotReadyException {
    kafka.withPartitions("orders", 4);

    assertRetry(
        decide(schedule().with(DelayHeaders.TARGET_PARTITION, "4")), Reason.UNKNOWN_TARGET, 1000);
    assertDead(
        decide(attempt(3).with(DelayHeaders.TARGET_PARTITION, "7")),
        Reason.ATTEMPTS_EXHAUSTED,
        "topic 'orders' has 4 partitions, delay-target-partition is 7");
    assertDead(
        decide(
            schedule()
                .with(DelayHeaders.TARGET_PARTITION, "2147483647")
                .with(DelayHeaders.MAX_ATTEMPTS, "1")),
        Reason.UNKNOWN_TARGET,
        "topic 'orders' has 4 partitions, delay-target-partition is 2147483647");
  }

  @Test
  void theDefaultTargetHasThePartitionsThatMessagesName() throws KafkaNotReadyException {
    DelayedMessage message =
        empty().with(DelayHeaders.DELAY_MS, "1").with(DelayHeaders.TARGET_PARTITION, "0").parsed();
    Router router = router("orders");
    catalog.refresh(List.of(String.valueOf(router.lookup(message))));

    assertThat(router.decide(message, null, DUE)).isEqualTo(new Decision.Deliver("orders", 0));
  }

  @Test
  void aMalformedRequestIsDeadForItsOwnReason() throws KafkaNotReadyException {
    assertDead(decide(timeless()), Reason.NO_DUE_TIME, "is needed to say when");
  }

  @Test
  void aMalformedRequestNeedsNoTargetInTheCatalogue() {
    assertThat(router("orders").lookup(timeless().parsed())).isNull();
  }

  @Test
  void aMessageIsNotExpiredInTheLastMomentOfItsTimeToLive() throws KafkaNotReadyException {
    DelayedMessage message = schedule().with(DelayHeaders.TTL_MS, "3000").parsed();

    assertThat(decide(message, null, TIMESTAMP + 3000)).isEqualTo(DELIVER);
  }

  @Test
  void aMessageIsExpiredAfterItsTimeToLive() throws KafkaNotReadyException {
    DelayedMessage message = schedule().with(DelayHeaders.TTL_MS, "3000").parsed();

    assertDead(decide(message, null, TIMESTAMP + 3001), Reason.EXPIRED, "ended 1 ms ago");
  }

  @Test
  void aMessageWithoutATargetGoesToTheDefaultOne() throws KafkaNotReadyException {
    DelayedMessage message = empty().with(DelayHeaders.DELAY_MS, "1000").parsed();
    Router router = router("orders");
    catalog.refresh(List.of(String.valueOf(router.lookup(message))));

    assertThat(router.decide(message, null, DUE)).isEqualTo(DELIVER);
  }

  @Test
  void aMessageWithATargetOfItsOwnDoesNotGoToTheDefaultOne() {
    assertThat(router("invoices").lookup(schedule().parsed())).isEqualTo("orders");
  }

  @Test
  void aMessageWithoutATargetIsDeadIfThereIsNoDefault() throws KafkaNotReadyException {
    assertDead(
        decide(empty().with(DelayHeaders.DELAY_MS, "1000")),
        Reason.NO_TARGET,
        DelayHeaders.TARGET_TOPIC);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"delay-intake", "orders-deadletter", "__consumer_offsets", "__transaction_state"})
  void aControlTopicIsNeverATarget(String topic) throws KafkaNotReadyException {
    assertDead(decide(to(topic)), Reason.CONTROL_TOPIC, topic);
  }

  @ParameterizedTest
  @ValueSource(strings = {"payments", "my-orders", "invoices2"})
  void aTargetThatIsNotAllowedAsAWholeIsForbidden(String topic) throws KafkaNotReadyException {
    assertDead(decide(to(topic)), Reason.FORBIDDEN_TARGET, topic);
  }

  @ParameterizedTest
  @ValueSource(strings = {"delay-intake", "payments"})
  void kafkaIsNotAskedAboutATargetThatIsRefusedAnyway(String topic) throws KafkaNotReadyException {
    decide(to(topic));

    assertThat(kafka.questions).isEmpty();
  }

  @Test
  void aMissingTopicMayStillAppearSoItIsTriedAgain() throws KafkaNotReadyException {
    kafka.missing("orders");

    assertRetry(decide(schedule()), Reason.UNKNOWN_TARGET, 1000);
  }

  @Test
  void thePauseGrowsWithEachAttempt() throws KafkaNotReadyException {
    kafka.missing("orders");

    assertRetry(decide(attempt(2)), Reason.UNKNOWN_TARGET, 2000);
  }

  @Test
  void afterTheLastAttemptTheMessageIsDead() throws KafkaNotReadyException {
    kafka.missing("orders");

    assertDead(decide(attempt(3)), Reason.ATTEMPTS_EXHAUSTED, "3 attempts");
    assertDead(decide(attempt(3)), Reason.ATTEMPTS_EXHAUSTED, "UNKNOWN_TARGET");
    assertDead(decide(attempt(3)), Reason.ATTEMPTS_EXHAUSTED, "topic 'orders' does not exist");
  }

  @Test
  void theMessagesOwnNumberOfAttemptsGoesFirst() throws KafkaNotReadyException {
    kafka.missing("orders");

    assertRetry(
        decide(attempt(3).with(DelayHeaders.MAX_ATTEMPTS, "4")), Reason.UNKNOWN_TARGET, 4000);
    assertDead(
        decide(attempt(2).with(DelayHeaders.MAX_ATTEMPTS, "2")),
        Reason.ATTEMPTS_EXHAUSTED,
        "2 attempts");
  }

  @Test
  void aMessageWithOneAttemptOnlyIsDeadForTheReasonItself() throws KafkaNotReadyException {
    kafka.missing("orders");

    assertDead(
        decide(schedule().with(DelayHeaders.MAX_ATTEMPTS, "1")),
        Reason.UNKNOWN_TARGET,
        "'orders' does not exist");
  }

  @Test
  void thereIsNoRetryBeyondTheTimeToLive() throws KafkaNotReadyException {
    kafka.missing("orders");

    assertDead(
        decide(schedule().with(DelayHeaders.TTL_MS, "1700")),
        Reason.EXPIRED,
        "no time for another attempt; UNKNOWN_TARGET");
  }

  @Test
  void thereIsARetryWithinTheTimeToLive() throws KafkaNotReadyException {
    kafka.missing("orders");

    assertRetry(decide(schedule().with(DelayHeaders.TTL_MS, "2300")), Reason.UNKNOWN_TARGET, 1000);
  }

  @Test
  void aTopicThatMayNotBeSeenDoesNotHeal() throws KafkaNotReadyException {
    kafka.faulty("orders", new TopicAuthorizationException("orders"));

    assertDead(decide(schedule()), Reason.UNAUTHORIZED_TARGET, "orders");
  }

  @Test
  void aPartitionWithoutALeaderIsWaitedFor() throws KafkaNotReadyException {
    kafka.leaderless("orders", 7, null);

    Decision decision = decide(schedule());

    assertRetry(decision, Reason.UNAVAILABLE_TARGET, 1000);
    assertThat(((Decision.Retry) decision).detail()).contains("partition 7 of 'orders'");
  }

  @Test
  void aTargetThatTimedOutIsLeftAloneForAWhile() throws KafkaNotReadyException {
    breaker.timedOut("orders", true);

    assertRetry(decide(schedule()), Reason.UNAVAILABLE_TARGET, 1000);
  }

  @Test
  void aTargetThatTimedOutDoesNotHoldUpAnother() throws KafkaNotReadyException {
    kafka.available("invoices", 10_000);
    breaker.timedOut("orders", true);

    assertThat(decide(to("invoices"))).isEqualTo(new Decision.Deliver("invoices"));
  }

  private Decision afterRefusal(IntakeRecord record, Decision earlier, Exception cause)
      throws KafkaNotReadyException {
    return decide(record.parsed(), Refusal.of(earlier, cause), DUE);
  }

  @Test
  void aDeliveryRefusedForItsSizeIsDead() throws KafkaNotReadyException {
    assertDead(
        afterRefusal(schedule(), DELIVER, new RecordTooLargeException("2 MB")),
        Reason.RECORD_TOO_LARGE,
        "even if compressed; RecordTooLargeException: 2 MB");
    assertDead(
        afterRefusal(schedule(), DELIVER, new RecordBatchTooLargeException("3 MB")),
        Reason.RECORD_TOO_LARGE,
        "3 MB");
  }

  @Test
  void aDeliveryRefusedForLackOfPermissionIsDead() throws KafkaNotReadyException {
    assertDead(
        afterRefusal(schedule(), DELIVER, new TopicAuthorizationException("no write")),
        Reason.UNAUTHORIZED_TARGET,
        "no write");
    assertDead(
        afterRefusal(schedule(), DELIVER, new ClusterAuthorizationException("no cluster")),
        Reason.UNAUTHORIZED_TARGET,
        "no cluster");
  }

  @Test
  void aDeliveryRefusedForAnotherReasonIsDead() throws KafkaNotReadyException {
    assertDead(
        afterRefusal(schedule(), DELIVER, new InvalidRecordException("no key")),
        Reason.REFUSED_BY_TARGET,
        "InvalidRecordException: no key");
  }

  @Test
  void aDeliveryRefusedForAReasonThatHealsIsTriedAgain() throws KafkaNotReadyException {
    assertRetry(
        afterRefusal(schedule(), DELIVER, new NotEnoughReplicasException("1 of 2")),
        Reason.UNAVAILABLE_TARGET,
        1000);
  }

  @Test
  void aDeliveryRefusedForAReasonThatHealsIsDeadAfterTheLastAttempt()
      throws KafkaNotReadyException {
    assertDead(
        afterRefusal(attempt(3), DELIVER, new NotEnoughReplicasException("1 of 2")),
        Reason.ATTEMPTS_EXHAUSTED,
        "UNAVAILABLE_TARGET");
  }

  @Test
  void aDeadLetterThatIsTooLargeGoesOutWithoutItsPayload() throws KafkaNotReadyException {
    Decision.Dead dead = new Decision.Dead(Reason.RECORD_TOO_LARGE, "2 MB", true);

    assertThat(afterRefusal(schedule(), dead, new RecordTooLargeException("still")))
        .isEqualTo(new Decision.Dead(Reason.RECORD_TOO_LARGE, "2 MB", false));
  }

  @Test
  void aDeadLetterThatIsRefusedForAnythingElseKeepsItsPayloadAndIsHeld()
      throws KafkaNotReadyException {
    Decision.Dead whole = new Decision.Dead(Reason.EXPIRED, "late", true);

    assertThat(afterRefusal(schedule(), whole, new TopicAuthorizationException("no write")))
        .isInstanceOfSatisfying(
            Decision.Hold.class, hold -> assertThat(hold.why()).contains("no write"));
  }

  @Test
  void aDeadLetterThatIsRefusedEvenWithoutItsPayloadIsHeld() throws KafkaNotReadyException {
    Decision.Dead small = new Decision.Dead(Reason.RECORD_TOO_LARGE, "2 MB", false);

    assertThat(afterRefusal(schedule(), small, new InvalidRecordException("no key")))
        .isInstanceOfSatisfying(
            Decision.Hold.class, hold -> assertThat(hold.why()).contains("no key"));
  }

  @Test
  void aRetryCopyThatIsRefusedBecomesADeadLetter() throws KafkaNotReadyException {
    Decision.Retry retry = new Decision.Retry(Reason.UNKNOWN_TARGET, "no topic", DUE + 5);

    assertDead(
        afterRefusal(schedule(), retry, new RecordTooLargeException("too large")),
        Reason.UNKNOWN_TARGET,
        "no topic; the intake refused the retry copy");
  }

  /** Nothing is wrong with the message: an operator took a right on the bridge's own topics. */
  @Test
  void aCopyThatTheBridgeMayNotWriteIsHeld() throws KafkaNotReadyException {
    for (Decision copy :
        List.of(
            new Decision.Retry(Reason.UNKNOWN_TARGET, "no topic", DUE + 5),
            new Decision.Later(DUE + 5),
            new Decision.Home(DUE + 5),
            new Decision.Move(DUE + 5, false),
            new Decision.Apart(),
            new Decision.Pass())) {
      assertThat(afterRefusal(schedule(), copy, new TopicAuthorizationException("no write")))
          .as(copy.toString())
          .isInstanceOfSatisfying(
              Decision.Hold.class, hold -> assertThat(hold.why()).contains("no write"));
      assertThat(afterRefusal(schedule(), copy, new NotEnoughReplicasException("1 of 2")))
          .as(copy.toString())
          .isInstanceOf(Decision.Hold.class);
    }
  }
}
