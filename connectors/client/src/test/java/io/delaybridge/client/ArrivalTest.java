package io.delaybridge.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArrivalTest {

  private static Headers arrival() {
    return Texts.headers(
        "delay-source", "delay-intake/3/90071",
        "delay-due-at", "1772353800000",
        "delay-delivered-at", "1772353800006",
        "delay-attempt", "2");
  }

  @Test
  void itIsWhatTheHeadersSay() {
    Headers headers = arrival().add("delay-id", "order-1".getBytes(UTF_8));

    assertThat(Arrival.of(headers))
        .hasValue(
            new Arrival(
                new Source("delay-intake", 3, 90071),
                Instant.ofEpochMilli(1772353800000L),
                Instant.ofEpochMilli(1772353800006L),
                2,
                "order-1",
                1,
                null,
                null,
                null,
                null,
                null));
  }

  @Test
  void latenessIsFromDueToDelivered() {
    assertThat(Arrival.of(arrival()).orElseThrow().lateness()).isEqualTo(Duration.ofMillis(6));
  }

  @Test
  void aRetryOfTheConsumerSaysSo() {
    Headers headers =
        arrival()
            .add("delay-consumer-attempt", "3".getBytes(UTF_8))
            .add("delay-consumer-source", "orders/0/17".getBytes(UTF_8))
            .add("delay-consumer-timestamp", "1772352600000".getBytes(UTF_8))
            .add("delay-consumer-id", "order-1".getBytes(UTF_8));

    Arrival arrival = Arrival.of(headers).orElseThrow();

    assertThat(arrival.consumerAttempt()).isEqualTo(3);
    assertThat(arrival.firstFailed()).isEqualTo(new Source("orders", 0, 17));
    assertThat(arrival.firstTimestamp()).isEqualTo(Instant.ofEpochMilli(1772352600000L));
    assertThat(arrival.id()).isEqualTo("order-1");
  }

  private static Headers occurrence() {
    return arrival()
        .add("delay-schedule", "nightly".getBytes(UTF_8))
        .add("delay-occurrence", "17".getBytes(UTF_8))
        .add("delay-scheduled-at", "1772353799000".getBytes(UTF_8));
  }

  @Test
  void anOccurrenceSaysOfWhatItIsOneAndForWhen() {
    Arrival arrival = Arrival.of(occurrence()).orElseThrow();

    assertThat(arrival.schedule()).isEqualTo("nightly");
    assertThat(arrival.occurrence()).isEqualTo(17);
    assertThat(arrival.scheduledAt()).isEqualTo(Instant.ofEpochMilli(1772353799000L));
    assertThat(arrival.id()).isNull();
  }

  @Test
  void whatWasRunBesideTheCalendarIsNoOccurrence() {
    Headers headers = occurrence();
    headers.remove("delay-occurrence").remove("delay-scheduled-at");

    Arrival arrival = Arrival.of(headers).orElseThrow();

    assertThat(arrival.schedule()).isEqualTo("nightly");
    assertThat(arrival.occurrence()).isNull();
    assertThat(arrival.scheduledAt()).isNull();
  }

  @Test
  void whatDoesNotRepeatIsNoOccurrenceWhateverAProducerWrote() {
    Headers headers = occurrence();
    headers.remove("delay-schedule");

    assertThat(Arrival.of(headers).orElseThrow().occurrence()).isNull();
  }

  @ParameterizedTest
  @CsvSource({"delay-occurrence, first", "delay-scheduled-at, soon"})
  void whatAnOccurrenceSaysMustBeReadable(String name, String value) {
    Headers headers = occurrence();
    headers.remove(name).add(name, value.getBytes(UTF_8));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Arrival.of(headers))
        .withMessageContainingAll(name, "'" + value + "'", "allowed: ");
  }

  @Test
  void whatDidNotComeThroughTheBridgeIsNone() {
    assertThat(Arrival.of(Texts.headers("trace", "1"))).isEmpty();
  }

  @Test
  void aDeadLetterHasNotArrived() {
    assertThat(Arrival.of(arrival().add("delay-dead-reason", "EXPIRED".getBytes(UTF_8)))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "delay-source, orders",
    "delay-source, orders/x/1",
    "delay-due-at, soon",
    "delay-due-at, -1",
    "delay-delivered-at, ''",
    "delay-attempt, 9999999999",
    "delay-consumer-timestamp, today"
  })
  void aHeaderThatCanNotBeReadIsNamed(String name, String value) {
    Headers headers = arrival();
    headers.remove(name).add(name, value.getBytes(UTF_8));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Arrival.of(headers))
        .withMessageContainingAll("'" + value + "'", "allowed: ");
  }

  @Test
  void aHeaderThatIsMissingIsNamed() {
    Headers headers = arrival();
    headers.remove("delay-due-at");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Arrival.of(headers))
        .withMessageContaining("delay-due-at is missing");
  }

  @Test
  void aHeaderWithoutAValueIsNamed() {
    Headers headers = arrival();
    headers.remove("delay-source").add("delay-source", null);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Arrival.of(headers))
        .withMessageContaining("delay-source is null");
  }

  @Test
  void aHeaderThatIsNotUtf8IsNamed() {
    Headers headers = arrival();
    headers.remove("delay-source").add("delay-source", new byte[] {(byte) 0xff});

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Arrival.of(headers))
        .withMessageContaining("delay-source is not valid UTF-8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-1", "two", "99999999999"})
  void anAttemptOfTheConsumerThatCanNotBeReadCountsAsTheFirst(String text) {
    assertThat(Arrival.consumerAttempt(Texts.headers("delay-consumer-attempt", text))).isEqualTo(1);
  }

  private static ConsumerRecord<String, String> written(long timestamp, Headers headers) {
    return new ConsumerRecord<>(
        "orders",
        0,
        17,
        timestamp,
        TimestampType.CREATE_TIME,
        0,
        0,
        "k",
        "v",
        headers,
        Optional.empty());
  }

  @Test
  void everyAttemptHasTheTimestampOfTheFirst() {
    Headers retry = Texts.headers("delay-consumer-timestamp", "1772352600000");

    assertThat(Arrival.originalTimestamp(written(17, Texts.headers()))).isEqualTo(17);
    assertThat(Arrival.originalTimestamp(written(17, retry))).isEqualTo(1772352600000L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "today", "9999999999999999999"})
  void aTimestampThatCanNotBeReadCountsAsAbsent(String text) {
    Headers headers = Texts.headers("delay-consumer-timestamp", text);

    assertThat(Arrival.originalTimestamp(written(17, headers))).isEqualTo(17);
  }

  @Test
  void aSourceIsReadAsItIsWritten() {
    Source source = new Source("delay-intake", 3, 90071);

    assertThat(Source.parse(source.toString())).isEqualTo(source);
  }
}
