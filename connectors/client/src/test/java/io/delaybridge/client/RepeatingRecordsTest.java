package io.delaybridge.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RepeatingRecordsTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Instant NOW = Instant.parse("2026-03-01T08:00:00Z");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static Schedule minutely() {
    return Schedule.to("orders", InstantSource.fixed(NOW)).after(MINUTE).every(MINUTE).id("a");
  }

  private static When toOrders() {
    return new When(Schedule.to("orders", InstantSource.fixed(NOW)));
  }

  private static Map<String, String> headers(Schedule schedule) {
    return Texts.of(schedule.record("v").headers());
  }

  @Test
  void anIntervalIsADurationBesideTheFirstDueTime() {
    assertThat(headers(minutely()))
        .isEqualTo(
            Map.of(
                "delay-target-topic", "orders",
                "delay-ms", "60000",
                "delay-every", "PT1M",
                "delay-id", "a"));
  }

  @Test
  void aCronExpressionAloneSaysWhen() {
    assertThat(headers(toOrders().cron("0 3 * * *").id("a")))
        .isEqualTo(
            Map.of("delay-target-topic", "orders", "delay-cron", "0 3 * * *", "delay-id", "a"));
    assertThat(headers(toOrders().cron("0 3 * * *", BERLIN).id("a")))
        .isEqualTo(
            Map.of(
                "delay-target-topic", "orders",
                "delay-cron", "0 3 * * *",
                "delay-zone", "Europe/Berlin",
                "delay-id", "a"));
  }

  @Test
  void aCronExpressionMayBeginAtAnInstant() {
    Instant first = NOW.plusSeconds(5);

    assertThat(headers(toOrders().at(first).cron("@daily", BERLIN).id("a")))
        .containsEntry("delay-deliver-at", Long.toString(first.toEpochMilli()))
        .containsEntry("delay-cron", "@daily");
  }

  @Test
  void aSecondExpressionTakesThePlaceOfTheFirstAndItsZone() {
    assertThat(headers(toOrders().cron("@daily", BERLIN).cron("@hourly").id("a")))
        .containsEntry("delay-cron", "@hourly")
        .doesNotContainKey("delay-zone");
  }

  @Test
  void howItEndsAndWhatBecomesOfTheMissedAreHeaders() {
    Instant until = NOW.plusSeconds(3600);

    assertThat(headers(minutely().until(until).count(3).missed(Missed.SKIP)))
        .containsEntry("delay-until", Long.toString(until.toEpochMilli()))
        .containsEntry("delay-count", "3")
        .containsEntry("delay-missed", "skip");
    assertThat(headers(minutely().missed(Missed.ALL))).containsEntry("delay-missed", "all");
    assertThat(headers(minutely().missed(Missed.ONE))).containsEntry("delay-missed", "one");
  }

  @Test
  void aReplacementCanRepeat() {
    assertThat(headers(DelayedRecords.replace("a").to("orders").cron("@daily")))
        .containsEntry("delay-id", "a")
        .containsEntry("delay-cron", "@daily");
  }

  @Test
  void whatElseIsSaidOfARequestIsKept() {
    Schedule all =
        toOrders()
            .after(MINUTE)
            .ttl(Duration.ofMinutes(5))
            .maxAttempts(3)
            .spread(MINUTE)
            .every(MINUTE)
            .intake("my-intake")
            .id("a");

    assertThat(all.record("v").topic()).isEqualTo("my-intake");
    assertThat(headers(all))
        .containsEntry("delay-ttl-ms", "300000")
        .containsEntry("delay-max-attempts", "3")
        .containsEntry("delay-spread-ms", "60000")
        .containsEntry("delay-every", "PT1M");
  }

  @Test
  void partsOfAMillisecondMakeAnIntervalLongerAndAnEndEarlier() {
    Instant until = NOW.plusSeconds(60);

    assertThat(headers(minutely().every(Duration.ofSeconds(1, 1)).until(until.plusNanos(999_999))))
        .containsEntry("delay-every", "PT1.001S")
        .containsEntry("delay-until", Long.toString(until.toEpochMilli()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT0.999999999S", "P3000000000D"})
  void anIntervalOutOfRangeIsRefused(String every) {
    Schedule schedule = DelayedRecords.to("orders").after(MINUTE);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedule.every(Duration.parse(every)))
        .withMessageContainingAll("delay-every", "allowed: PT1S to ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "3", "* * * *", "* * * * * * *", "@daily @daily", "daily"})
  void anExpressionWithAnotherNumberOfFieldsIsRefused(String expression) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DelayedRecords.to("orders").cron(expression))
        .withMessage(
            "delay-cron is '"
                + expression
                + "', allowed: 5 fields, 6 with seconds first, or a macro such as @daily");
  }

  @Test
  @SuppressWarnings("NullAway") // The compiler of an application may miss this.
  void anExpressionThatIsNullIsRefusedByItsName() {
    String unset = null;

    assertThatIllegalArgumentException()
        .isThrownBy(() -> DelayedRecords.to("orders").cron(unset))
        .withMessageStartingWith("delay-cron is null, allowed: ");
  }

  @Test
  void anIntervalAndAnExpressionExcludeEachOther() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> minutely().cron("@daily"))
        .withMessage("delay-cron is '@daily', allowed: nothing, because delay-every is given");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> toOrders().cron("@daily").every(MINUTE))
        .withMessage("delay-every is PT1M, allowed: nothing, because delay-cron is given");
  }

  @Test
  void aZoneHasANameThatTheBridgeKnows() {
    assertThat(headers(toOrders().cron("@daily", ZoneOffset.UTC).id("a")))
        .containsEntry("delay-zone", "UTC");
    for (String zone : new String[] {"+02:00", "UTC+2"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> DelayedRecords.to("orders").cron("@daily", ZoneId.of(zone)))
          .withMessageContainingAll("delay-zone is ", "an IANA name such as Europe/Berlin");
    }
  }

  @Test
  void withoutAnIdItCouldNotBeCancelled() {
    Schedule schedule = toOrders().cron("@daily");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedule.record("key", "v"))
        .withMessageStartingWith("delay-id is missing, allowed: an id, because");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> toOrders().after(MINUTE).every(MINUTE).record("v"))
        .withMessageStartingWith("delay-id is missing");
  }

  @Test
  void whatIsAboutARepetitionIsRefusedWithoutOne() {
    Schedule once = DelayedRecords.to("orders").after(MINUTE).id("a");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> once.until(NOW).record("v"))
        .withMessage(
            "delay-until is 2026-03-01T08:00:00Z, allowed: nothing without delay-every or"
                + " delay-cron");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> once.count(2).record("v"))
        .withMessage("delay-count is 2, allowed: nothing without delay-every or delay-cron");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> once.missed(Missed.ALL).record("v"))
        .withMessage("delay-missed is all, allowed: nothing without delay-every or delay-cron");
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 0, 1_000_000_000_000_000_000L})
  void aCountOutOfRangeIsRefused(long count) {
    Schedule schedule = minutely();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedule.count(count))
        .withMessage("delay-count is " + count + ", allowed: 1 to 999999999999999999");
  }

  @Test
  void anEndBeforeTheFirstOccurrenceIsRefused() {
    Instant first = NOW.plus(MINUTE);
    Schedule[] schedules = {
      minutely(), toOrders().at(first).every(MINUTE).id("a"), toOrders().at(first).cron("@daily")
    };

    for (Schedule schedule : schedules) {
      Schedule named = schedule.id("a");
      assertThat(headers(named.until(first))).containsKey("delay-until");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> named.until(first.minusMillis(1)).record("v"))
          .withMessageStartingWith(
              "delay-until is 2026-03-01T08:00:59.999Z, allowed: 2026-03-01T08:01:00Z or later");
    }
    Schedule cron = toOrders().cron("@daily").id("a");
    assertThat(headers(cron.until(NOW))).containsKey("delay-until");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cron.until(NOW.minusMillis(1)).record("v"))
        .withMessageContaining("allowed: 2026-03-01T08:00:00Z or later");
  }

  @Test
  void anEndThatLooksLikeSecondsIsRefused() {
    Schedule schedule = minutely();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedule.until(Instant.ofEpochMilli(1_795_246_327L)))
        .withMessageContainingAll("delay-until", "(an earlier one looks like seconds)");
  }

  @Test
  void aTimeToLiveNeedsToReachBeyondTheSpreadOfAnExpression() {
    Schedule schedule = toOrders().cron("@daily").id("a").spread(MINUTE);

    assertThat(headers(schedule.ttl(MINUTE))).containsEntry("delay-ttl-ms", "60000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedule.ttl(MINUTE.minusMillis(1)).record("v"))
        .withMessageContainingAll("delay-ttl-ms", "allowed: PT1M or more");
  }

  @Test
  void aRequestThatRepeatsLeavesTheOneThatItWasMadeFrom() {
    Schedule once = DelayedRecords.to("orders").after(MINUTE).id("a");
    Schedule repeating = once.every(MINUTE);

    assertThat(headers(once)).doesNotContainKey("delay-every");
    assertThat(headers(repeating)).containsEntry("delay-every", "PT1M");
  }
}
