package io.delaybridge.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.client.Verdict.Dead;
import io.delaybridge.client.Verdict.Retry;
import java.io.IOException;
import java.io.Serial;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class RetryLaterTest {

  /** When the record was written that fails first, epoch milliseconds. */
  private static final long WRITTEN = 1_772_352_500_000L;

  private static final RetryLater LATER =
      RetryLater.with(
          new Backoff(3, Duration.ofSeconds(5), Duration.ofSeconds(60)),
          InstantSource.fixed(Instant.ofEpochMilli(1_772_352_600_004L)),
          () -> 0.5);

  private static Exception failure() {
    return new IllegalStateException("no such customer");
  }

  private static ConsumerRecord<String, String> failed(String... headers) {
    return failed(WRITTEN, headers);
  }

  private static ConsumerRecord<String, String> failed(long timestamp, String... headers) {
    return new ConsumerRecord<>(
        "orders",
        3,
        17,
        timestamp,
        TimestampType.CREATE_TIME,
        0,
        0,
        "key",
        "value",
        Texts.headers(headers),
        Optional.empty());
  }

  @Test
  void aFailureComesBackThroughTheIntakeToTheTopicItCameFrom() {
    Verdict<String, String> verdict = LATER.verdict(failed(), failure());

    assertThat(verdict).isInstanceOf(Retry.class);
    assertThat(verdict.attempt()).isEqualTo(1);
    assertThat(((Retry<?, ?>) verdict).delay()).isEqualTo(Duration.ofSeconds(5));
    assertThat(verdict.record().topic()).isEqualTo("delay-intake");
    assertThat(verdict.record().key()).isEqualTo("key");
    assertThat(verdict.record().value()).isEqualTo("value");
    assertThat(Texts.of(verdict.record().headers()))
        .isEqualTo(
            Map.of(
                "delay-target-topic", "orders",
                "delay-target-partition", "3",
                "delay-ms", "5000",
                "delay-consumer-attempt", "2",
                "delay-consumer-source", "orders/3/17",
                "delay-consumer-timestamp", "1772352500000"));
  }

  @Test
  void theSecondFailureWaitsLongerAndKeepsTheFirstPlace() {
    Verdict<String, String> verdict =
        LATER.verdict(
            failed("delay-consumer-attempt", "2", "delay-consumer-source", "orders/0/3"),
            failure());

    assertThat(Texts.of(verdict.record().headers()))
        .containsEntry("delay-ms", "10000")
        .containsEntry("delay-consumer-attempt", "3")
        .containsEntry("delay-consumer-source", "orders/0/3");
  }

  @Test
  void everyAttemptKeepsTheTimestampOfTheFirst() {
    assertThat(
            Texts.of(
                LATER
                    .verdict(
                        failed(
                            "delay-consumer-attempt", "2",
                            "delay-consumer-source", "orders/3/3",
                            "delay-consumer-timestamp", "17"),
                        failure())
                    .record()
                    .headers()))
        .containsEntry("delay-consumer-timestamp", "17");
  }

  @Test
  void aTimestampThatNobodyKeptIsNotMadeUp() {
    Map<String, String> ofAnEarlierRelease =
        Texts.of(
            LATER
                .verdict(failed("delay-consumer-source", "orders/3/3"), failure())
                .record()
                .headers());
    Map<String, String> ofARecordWithoutOne =
        Texts.of(LATER.verdict(failed(ConsumerRecord.NO_TIMESTAMP), failure()).record().headers());

    assertThat(ofAnEarlierRelease).doesNotContainKey("delay-consumer-timestamp");
    assertThat(ofARecordWithoutOne)
        .containsEntry("delay-consumer-source", "orders/3/17")
        .doesNotContainKey("delay-consumer-timestamp");
  }

  /** A failure that asks for a pause. */
  private static final class Busy extends RuntimeException implements RetryAfter {
    @Serial private static final long serialVersionUID = 1;
    private final Duration pause;

    private Busy(Duration pause) {
      this.pause = pause;
    }

    @Override
    public Duration retryAfter() {
      return pause;
    }
  }

  private static String pause(Exception failure) {
    return String.valueOf(
        Texts.of(LATER.verdict(failed(), failure).record().headers()).get("delay-ms"));
  }

  @Test
  void aFailureThatKnowsWhenItMakesSenseSaysHowLongThePauseIs() {
    assertThat(pause(new Busy(Duration.ofSeconds(17)))).isEqualTo("17000");
    assertThat(pause(new IllegalStateException(new Busy(Duration.ofSeconds(17)))))
        .isEqualTo("17000");
    assertThat(pause(new Busy(Duration.ofHours(1)))).isEqualTo("60000");
    assertThat(pause(new Busy(Duration.ofSeconds(-1)))).isEqualTo("0");
  }

  @Test
  void headersOfTheApplicationGoAlongInTheirOrder() {
    ConsumerRecord<String, String> record = failed("trace", "1", "trace", "2");
    record.headers().add("nothing", null);

    assertThat(LATER.verdict(record, failure()).record().headers().headers("trace"))
        .extracting(header -> new String(header.value(), UTF_8))
        .containsExactly("1", "2");
    assertThat(LATER.verdict(record, failure()).record().headers().lastHeader("nothing").value())
        .isNull();
  }

  @Test
  void headersOfTheBridgeDoNotGoAlong() {
    Map<String, String> retry =
        Texts.of(LATER.verdict(failed(everyHeader()), failure()).record().headers());

    assertThat(retry.keySet())
        .containsExactlyInAnyOrder(
            "delay-target-topic",
            "delay-target-partition",
            "delay-ms",
            "delay-consumer-attempt",
            "delay-consumer-source",
            "delay-consumer-timestamp",
            "delay-consumer-id");
  }

  @Test
  void anIdIsKeptButIsNoIdOfTheRetry() {
    Map<String, String> retry =
        Texts.of(LATER.verdict(failed("delay-id", "order-1"), failure()).record().headers());

    assertThat(retry).containsEntry("delay-consumer-id", "order-1").doesNotContainKey("delay-id");
  }

  private static String[] occurrence(String... more) {
    return Stream.concat(
            Stream.of(
                "delay-source", "delay-intake/3/90071",
                "delay-due-at", "1772352600000",
                "delay-delivered-at", "1772352600002",
                "delay-attempt", "1",
                "delay-schedule", "nightly",
                "delay-occurrence", "17",
                "delay-scheduled-at", "1772352599000"),
            Stream.of(more))
        .toArray(String[]::new);
  }

  @Test
  void aRetryOfAnOccurrenceIsOfThatOccurrenceAndDoesNotRepeat() {
    Map<String, String> retry =
        Texts.of(LATER.verdict(failed(occurrence()), failure()).record().headers());

    assertThat(retry)
        .isEqualTo(
            Map.of(
                "delay-target-topic", "orders",
                "delay-target-partition", "3",
                "delay-ms", "5000",
                "delay-schedule", "nightly",
                "delay-occurrence", "17",
                "delay-scheduled-at", "1772352599000",
                "delay-consumer-attempt", "2",
                "delay-consumer-source", "orders/3/17",
                "delay-consumer-timestamp", "1772352500000"));
  }

  @Test
  void aDeadLetterOfAnOccurrenceIsOfThatOccurrenceAndDoesNotRepeat() {
    Map<String, String> dead =
        Texts.of(
            LATER
                .verdict(failed(occurrence("delay-consumer-attempt", "3")), failure())
                .record()
                .headers());

    assertThat(dead)
        .containsEntry("delay-dead-reason", "CONSUMER_FAILED")
        .containsEntry("delay-source", "delay-intake/3/90071")
        .containsEntry("delay-schedule", "nightly")
        .containsEntry("delay-occurrence", "17")
        .containsEntry("delay-scheduled-at", "1772352599000")
        .doesNotContainKeys("delay-id", "delay-due-at", "delay-delivered-at");
  }

  @Test
  void whatRepeatsIsNotPassedOnWhoeverWroteIt() {
    ConsumerRecord<String, String> record =
        failed(
            "delay-every", "PT1S",
            "delay-cron", "@daily",
            "delay-zone", "UTC",
            "delay-until", "1772352600000",
            "delay-count", "2",
            "delay-missed", "all");

    for (RetryLater each : new RetryLater[] {LATER, LATER.hopeless(Exception.class)}) {
      assertThat(Texts.of(each.verdict(record, failure()).record().headers()))
          .doesNotContainKeys(
              "delay-every",
              "delay-cron",
              "delay-zone",
              "delay-until",
              "delay-count",
              "delay-missed");
    }
  }

  @Test
  void theLastFailureIsADeadLetterLikeThoseOfTheBridge() {
    Verdict<String, String> verdict =
        LATER.verdict(
            failed(
                "trace", "1",
                "delay-source", "delay-intake/3/90071",
                "delay-due-at", "1772352600000",
                "delay-delivered-at", "1772352600002",
                "delay-attempt", "1",
                "delay-consumer-attempt", "3",
                "delay-consumer-source", "orders/0/3",
                "delay-consumer-timestamp", "1772352400000",
                "delay-consumer-id", "order-1"),
            failure());

    assertThat(verdict).isInstanceOf(Dead.class);
    assertThat(verdict.attempt()).isEqualTo(3);
    assertThat(((Dead<?, ?>) verdict).hopeless()).isFalse();
    assertThat(verdict.record().topic()).isEqualTo("delay-deadletter");
    assertThat(verdict.record().key()).isEqualTo("key");
    assertThat(verdict.record().value()).isEqualTo("value");
    assertThat(Texts.of(verdict.record().headers()))
        .isEqualTo(
            Texts.of(
                Texts.headers(
                    "trace",
                    "1",
                    "delay-target-topic",
                    "orders",
                    "delay-target-partition",
                    "3",
                    "delay-ms",
                    "0",
                    "delay-id",
                    "order-1",
                    "delay-dead-reason",
                    "CONSUMER_FAILED",
                    "delay-dead-detail",
                    "attempt 3 of at most 3 of the consumer: "
                        + "java.lang.IllegalStateException: no such customer",
                    "delay-dead-at",
                    "1772352600004",
                    "delay-source",
                    "delay-intake/3/90071",
                    "delay-attempt",
                    "3",
                    "delay-consumer-source",
                    "orders/0/3",
                    "delay-consumer-timestamp",
                    "1772352400000")));
  }

  @Test
  void aHopelessFailureIsDeadAtOnce() {
    RetryLater later = LATER.hopeless(IOException.class).hopeless(IllegalStateException.class);

    Verdict<String, String> verdict = later.verdict(failed(), failure());

    assertThat(verdict).isInstanceOf(Dead.class);
    assertThat(((Dead<?, ?>) verdict).hopeless()).isTrue();
    assertThat(Texts.of(verdict.record().headers()))
        .containsEntry("delay-dead-reason", "CONSUMER_REJECTED")
        .containsEntry("delay-attempt", "1")
        .containsEntry("delay-source", "orders/3/17");
  }

  @Test
  void hopelessIsDecidedByTheClassAndItsSubclasses() {
    RetryLater later = LATER.hopeless(RuntimeException.class);

    assertThat(later.verdict(failed(), failure())).isInstanceOf(Dead.class);
    assertThat(later.verdict(failed(), new IOException())).isInstanceOf(Retry.class);
  }

  @Test
  void aCauseOfTheClassIsHopelessToo() {
    RetryLater later = LATER.hopeless(IOException.class);

    Exception wrapped = new IllegalStateException(new IllegalStateException(new IOException()));
    assertThat(later.verdict(failed(), wrapped)).isInstanceOf(Dead.class);
    assertThat(later.verdict(failed(), new IllegalStateException(failure())))
        .isInstanceOf(Retry.class);
  }

  @Test
  void causesThatGoInACircleAreNotSearchedForEver() {
    Exception first = new IllegalStateException();
    first.initCause(new IllegalStateException(first));

    assertThat(LATER.hopeless(IOException.class).verdict(failed(), first))
        .isInstanceOf(Retry.class);
  }

  @Test
  void hopelessCanBeDecidedByTheFailureItself() {
    RetryLater later =
        LATER.hopeless(failure -> String.valueOf(failure.getMessage()).contains("customer"));

    assertThat(later.verdict(failed(), failure())).isInstanceOf(Dead.class);
    assertThat(later.verdict(failed(), new IllegalStateException())).isInstanceOf(Retry.class);
  }

  @Test
  void withOneAttemptNothingIsTriedAgain() {
    Duration second = Duration.ofSeconds(1);
    RetryLater once = RetryLater.with(new Backoff(1, second, second));

    assertThat(once.verdict(failed(), failure())).isInstanceOf(Dead.class);
  }

  @Test
  void aTopicOfItsOwnIsWhereRetriesAndReplaysArrive() {
    RetryLater own =
        LATER.retryTopic("orders.billing").intake("my-intake").deadLetterTopic("my-dead");

    Verdict<String, String> retry = own.verdict(failed(), failure());
    Verdict<String, String> dead = own.verdict(failed("delay-consumer-attempt", "3"), failure());

    assertThat(retry.record().topic()).isEqualTo("my-intake");
    assertThat(dead.record().topic()).isEqualTo("my-dead");
    assertThat(Texts.of(retry.record().headers()))
        .containsEntry("delay-target-topic", "orders.billing");
    assertThat(Texts.of(dead.record().headers()))
        .containsEntry("delay-target-topic", "orders.billing");
  }

  @Test
  void onATopicOfItsOwnTheFirstRetryGoesToThePartitionOfItsKeyAndTheOthersStayThere() {
    RetryLater elsewhere = LATER.retryTopic("orders.billing");
    RetryLater there = LATER.retryTopic("orders");

    for (RetryLater each : List.of(elsewhere, elsewhere.hopeless(Exception.class))) {
      assertThat(Texts.of(each.verdict(failed(), failure()).record().headers()))
          .doesNotContainKey("delay-target-partition");
    }
    for (RetryLater each : List.of(there, there.hopeless(Exception.class))) {
      assertThat(Texts.of(each.verdict(failed(), failure()).record().headers()))
          .containsEntry("delay-target-partition", "3");
    }
  }

  @Test
  void deadLettersDoNotGoToTheIntake() {
    assertThatThrownBy(() -> LATER.deadLetterTopic("delay-intake"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("deadLetterTopic is delay-intake, allowed: another topic than the intake");
    assertThatThrownBy(() -> LATER.intake("delay-deadletter"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("deadLetterTopic is delay-deadletter");
  }

  @Test
  void aDeadLetterThatFailsIsNoDeadLetterAgain() {
    ConsumerRecord<String, String> dead = new ConsumerRecord<>("my-dead", 0, 17, "key", "value");
    RetryLater later = LATER.deadLetterTopic("my-dead");

    for (RetryLater each : new RetryLater[] {later, later.hopeless(Exception.class)}) {
      assertThatThrownBy(() -> each.verdict(dead, failure()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "the topic of the failed record is my-dead, allowed: another one than"
                  + " deadLetterTopic")
          .hasRootCauseMessage("no such customer");
    }
    assertThat(LATER.verdict(dead, failure())).isInstanceOf(Retry.class);
  }

  @Test
  void aLongStoryIsCutShort() {
    Exception failure = new IllegalStateException("x".repeat(10_000));

    assertThat(
            Texts.of(
                LATER.verdict(failed("delay-consumer-attempt", "3"), failure).record().headers()))
        .hasEntrySatisfying("delay-dead-detail", text -> assertThat(text).hasSize(503));
  }

  @Test
  void nullsAreKept() {
    ConsumerRecord<String, String> empty = new ConsumerRecord<>("orders", 0, 17, null, null);

    assertThat(LATER.verdict(empty, failure()).record().key()).isNull();
    assertThat(LATER.verdict(empty, failure()).record().value()).isNull();
  }

  @Test
  void theRecordThatFailedIsNotChanged() {
    ConsumerRecord<String, String> record = failed("trace", "1", "delay-id", "order-1");
    Headers before = new RecordHeaders(record.headers());

    LATER.verdict(record, failure());

    assertThat(record.headers()).isEqualTo(before);
  }

  private static String[] everyHeader() {
    return Stream.of(Wire.CONTROL, Wire.ARRIVAL, Wire.DEAD, Wire.CONSUMER)
        .flatMap(Set::stream)
        .flatMap(name -> Stream.of(name, "1"))
        .toArray(String[]::new);
  }
}
