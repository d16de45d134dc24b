package io.delaybridge.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DelayedRecordsTest {

  private static final Duration HALF_AN_HOUR = Duration.ofMinutes(30);
  private static final Instant NOW = Instant.parse("2026-03-01T08:00:00Z");

  @Test
  void aRequestIsAnOrdinaryRecordForTheIntake() {
    ProducerRecord<String, Integer> record =
        DelayedRecords.to("orders").after(HALF_AN_HOUR).record("key", 4711);

    assertThat(record.topic()).isEqualTo("delay-intake");
    assertThat(record.key()).isEqualTo("key");
    assertThat(record.value()).isEqualTo(4711);
    assertThat(record.partition()).isNull();
    assertThat(record.timestamp()).isNull();
    assertThat(Texts.of(record.headers()))
        .isEqualTo(Map.of("delay-target-topic", "orders", "delay-ms", "1800000"));
  }

  @Test
  void everythingThatCanBeSaidIsAHeader() {
    Instant due = Instant.parse("2999-03-01T09:00:00Z");
    ProducerRecord<String, String> record =
        DelayedRecords.to("orders")
            .at(due)
            .id("order-1")
            .partition(7)
            .ttl(Duration.ofDays(400_000))
            .maxAttempts(3)
            .spread(Duration.ofMinutes(1))
            .intake("my-intake")
            .record("value");

    assertThat(record.topic()).isEqualTo("my-intake");
    assertThat(Texts.of(record.headers()))
        .isEqualTo(
            Map.of(
                "delay-target-topic",
                "orders",
                "delay-deliver-at",
                Long.toString(due.toEpochMilli()),
                "delay-target-partition",
                "7",
                "delay-id",
                "order-1",
                "delay-ttl-ms",
                "34560000000000",
                "delay-max-attempts",
                "3",
                "delay-spread-ms",
                "60000"));
  }

  @Test
  void theDefaultTargetIsNotNamed() {
    assertThat(Texts.of(DelayedRecords.toDefaultTarget().after(HALF_AN_HOUR).record("v").headers()))
        .isEqualTo(Map.of("delay-ms", "1800000"));
  }

  @Test
  void anIdWithoutAKeyIsTheKeyOfScheduleReplacementAndCancel() {
    assertThat(DelayedRecords.to("orders").after(HALF_AN_HOUR).id("a").record("v").key())
        .isEqualTo("a");
    assertThat(DelayedRecords.replace("a").to("orders").after(HALF_AN_HOUR).record("v").key())
        .isEqualTo("a");
    assertThat(DelayedRecords.cancel("a").record().key()).isEqualTo("a");
  }

  @Test
  void withoutAnIdThereNeedsToBeNoKey() {
    assertThat(DelayedRecords.to("orders").after(HALF_AN_HOUR).record("v").key()).isNull();
  }

  @Test
  void anIdWithANullKeyIsRefusedForACancelWouldNotFindIt() {
    Schedule schedule = DelayedRecords.to("orders").after(HALF_AN_HOUR).id("a");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedule.record(null, "v"))
        .withMessageContaining("key");
  }

  @Test
  void aCancelIsAnIdAndAnOperation() {
    ProducerRecord<Integer, String> record =
        DelayedRecords.cancel("order-1").intake("my-intake").record(7);

    assertThat(record.topic()).isEqualTo("my-intake");
    assertThat(record.key()).isEqualTo(7);
    assertThat(record.value()).isNull();
    assertThat(Texts.of(record.headers()))
        .isEqualTo(Map.of("delay-id", "order-1", "delay-op", "cancel"));
  }

  @Test
  void aReplacementIsARequestWithTheSameId() {
    assertThat(
            Texts.of(
                DelayedRecords.replace("order-1")
                    .toDefaultTarget()
                    .after(HALF_AN_HOUR)
                    .record("v")
                    .headers()))
        .isEqualTo(Map.of("delay-id", "order-1", "delay-ms", "1800000"));
  }

  @Test
  void partsOfAMillisecondAreRoundedUpSoThatNothingIsEarly() {
    Schedule after = DelayedRecords.to("orders").after(Duration.ofNanos(1_000_001));
    Schedule at = DelayedRecords.to("orders").at(Instant.ofEpochSecond(1_795_246_327, 1));

    assertThat(Texts.of(after.record("v").headers())).containsEntry("delay-ms", "2");
    assertThat(Texts.of(at.record("v").headers()))
        .containsEntry("delay-deliver-at", "1795246327001");
  }

  @Test
  void aRequestCanBeUsedForManyRecords() {
    Schedule base = DelayedRecords.to("orders").after(HALF_AN_HOUR);
    Schedule named = base.id("a");

    assertThat(base).isNotSameAs(named);
    assertThat(Texts.of(base.record("v").headers())).doesNotContainKey("delay-id");
    assertThat(named.record("v").headers()).isNotSameAs(named.record("v").headers());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "a b", "ä", "a/b"})
  void aTargetThatKafkaWouldRefuseIsRefused(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DelayedRecords.to(name))
        .withMessageContainingAll("delay-target-topic", "'" + name + "'", "allowed: 1 to 249");
  }

  @Test
  void aNegativeDelayIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DelayedRecords.to("orders").after(Duration.ofMillis(-1)))
        .withMessageContainingAll("delay-ms", "PT-0.001S", "allowed: PT0S to ");
  }

  @Test
  void aDelayBeyondTheYear9999IsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DelayedRecords.to("orders").after(Duration.ofDays(366 * 8_000)))
        .withMessageContainingAll("delay-ms", "allowed: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1969-12-31T23:59:59.999Z", "1970-01-21T18:48:30Z", "+10000-01-01T00:00:00Z"})
  void anInstantOutsideOfTheCalendarOfTheBridgeIsRefused(String instant) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DelayedRecords.to("orders").at(Instant.parse(instant)))
        .withMessageContainingAll(
            "delay-deliver-at",
            instant,
            "2001-09-09T01:46:40Z to 9999-12-31T23:59:59.999Z (an earlier one looks like seconds)");
  }

  @Test
  void aHeaderThatTheBridgeWouldRefuseIsRefused() {
    ProducerRecord<String, String> request =
        DelayedRecords.to("orders").after(Duration.ofMinutes(1)).record("v");
    request.headers().add("mine", new byte[0]).add("delay-callback-url", new byte[0]);

    assertThat(DelayedRecords.checked(request)).isSameAs(request);
    request.headers().add("delay-timezone", new byte[0]);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DelayedRecords.checked(request))
        .withMessageContaining("delay-timezone is not a header of the bridge")
        .withMessageContaining("did you mean delay-zone?");
  }

  @Test
  void anIdOfTheWrongLengthIsRefusedByItsBytes() {
    String longest = "é".repeat(128);

    assertThat(DelayedRecords.cancel(longest).record().key()).isEqualTo(longest);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DelayedRecords.cancel(longest + "x"))
        .withMessage("delay-id is of 257 bytes, allowed: 1 to 256 bytes");
    assertThatIllegalArgumentException().isThrownBy(() -> DelayedRecords.replace(""));
  }

  @Test
  @SuppressWarnings("NullAway") // The compiler of an application may miss this.
  void aTargetOrAnIdThatIsNullIsRefusedByItsName() {
    String unset = null;

    assertThatIllegalArgumentException()
        .isThrownBy(() -> DelayedRecords.to(unset))
        .withMessageStartingWith("delay-target-topic is null, allowed: ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DelayedRecords.cancel(unset))
        .withMessage("delay-id is null, allowed: 1 to 256 bytes");
  }

  @Test
  void anIdThatIsNoTextIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DelayedRecords.cancel("a\ud800"))
        .withMessageContaining("delay-id");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 101})
  void aNumberOfAttemptsOutOfRangeIsRefused(int attempts) {
    Schedule schedule = DelayedRecords.to("orders").after(HALF_AN_HOUR);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedule.maxAttempts(attempts))
        .withMessage("delay-max-attempts is " + attempts + ", allowed: 1 to 100");
  }

  @Test
  void aSpreadOutOfRangeIsRefused() {
    Schedule schedule = DelayedRecords.to("orders").after(HALF_AN_HOUR);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedule.spread(Duration.ofMillis(Integer.MAX_VALUE + 1L)))
        .withMessageContaining("delay-spread-ms");
  }

  @Test
  void aTimeToLiveThatEndsBeforeTheDelayAndItsSpreadIsRefused() {
    Schedule schedule =
        DelayedRecords.to("orders").after(HALF_AN_HOUR).spread(Duration.ofMinutes(1));

    assertThat(schedule.ttl(Duration.ofMinutes(31)).record("v").value()).isEqualTo("v");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedule.ttl(Duration.ofMinutes(31).minusMillis(1)).record("v"))
        .withMessageContainingAll("delay-ttl-ms", "PT30M59.999S", "allowed: PT31M or more");
  }

  @Test
  void aTimeToLiveThatEndsBeforeTheInstantIsRefusedByTheClock() {
    Schedule schedule = Schedule.to("orders", InstantSource.fixed(NOW)).at(NOW.plus(HALF_AN_HOUR));

    assertThat(schedule.ttl(HALF_AN_HOUR).record("v").value()).isEqualTo("v");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedule.ttl(HALF_AN_HOUR.minusMillis(1)).record("v"))
        .withMessageContaining("delay-ttl-ms");
  }

  @Test
  void anInstantInThePastNeedsNoTimeToLive() {
    Schedule schedule = Schedule.to("orders", InstantSource.fixed(NOW)).at(NOW.minusSeconds(1));

    assertThat(schedule.ttl(Duration.ZERO).record("v").value()).isEqualTo("v");
  }
}
