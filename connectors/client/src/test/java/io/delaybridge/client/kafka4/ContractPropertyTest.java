package io.delaybridge.client.kafka4;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.client.Backoff;
import io.delaybridge.client.DelayedRecords;
import io.delaybridge.client.RetryLater;
import io.delaybridge.client.Schedule;
import io.delaybridge.client.Verdict;
import io.delaybridge.intake.RequestParser;
import io.delaybridge.message.Cancellation;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Reading;
import io.delaybridge.message.Request;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.function.Supplier;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/**
 * The bridge accepts everything that the library accepts, and would dead-letter everything that the
 * library refuses. Checked with the bridge's own parser.
 */
@Tag("one-version")
class ContractPropertyTest {

  /** No limit: the longest delay is a setting of the bridge, unknown to the library. */
  private static final Reading READING = Reading.latest(Long.MAX_VALUE, 0);

  @Property
  void aTargetIsTakenByBothOrByNone(@ForAll("topics") String target) {
    Optional<ProducerRecord<String, String>> built =
        tried(() -> DelayedRecords.to(target).after(Duration.ZERO).record("v"));

    agree(built, headers("delay-target-topic", target, "delay-ms", "0"));
  }

  @Property
  void anIdIsTakenByBothOrByNone(@ForAll("ids") String id) {
    agree(
        tried(() -> DelayedRecords.to("orders").after(Duration.ZERO).id(id).record("v")),
        headers("delay-target-topic", "orders", "delay-ms", "0", "delay-id", id));
    agree(
        tried(() -> DelayedRecords.cancel(id).record()),
        headers("delay-op", "cancel", "delay-id", id));
  }

  @Property
  void aDelayIsTakenByBothOrByNone(@ForAll("millis") long millis) {
    Optional<ProducerRecord<String, String>> built =
        tried(() -> DelayedRecords.to("orders").after(Duration.ofMillis(millis)).record("v"));

    agree(built, headers("delay-target-topic", "orders", "delay-ms", Long.toString(millis)));
    built.ifPresent(
        record -> {
          ConsumerRecord<byte[], byte[]> read = read(record.headers());
          DelayedMessage message = (DelayedMessage) RequestParser.parse(read, READING);
          assertThat(message.key().time()).isEqualTo(read.timestamp() + millis);
        });
  }

  @Property
  void anInstantIsTakenByBothOrByNone(@ForAll("millis") long millis) {
    Instant instant = Instant.ofEpochMilli(millis);

    agree(
        tried(() -> DelayedRecords.to("orders").at(instant).record("v")),
        headers("delay-target-topic", "orders", "delay-deliver-at", Long.toString(millis)));
  }

  @Property
  void attemptsAreTakenByBothOrByNone(@ForAll("attempts") int attempts) {
    agree(
        tried(() -> minute().maxAttempts(attempts).record("v")),
        headers(
            "delay-target-topic",
            "orders",
            "delay-ms",
            "60000",
            "delay-max-attempts",
            Integer.toString(attempts)));
  }

  @Property
  void aPartitionIsTakenByBothOrByNone(@ForAll int partition) {
    agree(
        tried(() -> minute().partition(partition).record("v")),
        headers(
            "delay-target-topic",
            "orders",
            "delay-ms",
            "60000",
            "delay-target-partition",
            Integer.toString(partition)));
  }

  @Property
  void aSpreadIsTakenByBothOrByNone(@ForAll("millis") long millis) {
    agree(
        tried(() -> minute().spread(Duration.ofMillis(millis)).record("v")),
        headers(
            "delay-target-topic",
            "orders",
            "delay-ms",
            "60000",
            "delay-spread-ms",
            Long.toString(millis)));
  }

  @Property
  void aTimeToLiveIsTakenByBothOrByNone(@ForAll("millis") long millis) {
    agree(
        tried(() -> minute().ttl(Duration.ofMillis(millis)).record("v")),
        headers(
            "delay-target-topic",
            "orders",
            "delay-ms",
            "60000",
            "delay-ttl-ms",
            Long.toString(millis)));
  }

  /** The library does not know the position of the message within the spread. */
  @Property
  void aTimeToLiveWithASpreadThatIsLetThroughIsTaken(
      @ForAll("millis") long ttl, @ForAll("millis") long spread, @ForAll("ids") String id) {
    tried(
            () ->
                minute()
                    .ttl(Duration.ofMillis(ttl))
                    .spread(Duration.ofMillis(spread))
                    .id(id)
                    .record("v"))
        .ifPresent(record -> assertThat(isTaken(record.headers())).isTrue());
  }

  @Property
  void anIntervalIsTakenByBothOrByNone(@ForAll("intervals") Duration every) {
    agree(
        tried(() -> minute().id("a").every(every).record("v")),
        repeating("delay-every", every.toString()));
  }

  @Property
  void aCountIsTakenByBothOrByNone(@ForAll("counts") long count) {
    agree(
        tried(() -> minute().id("a").every(Duration.ofMinutes(1)).count(count).record("v")),
        repeating("delay-every", "PT1M", "delay-count", Long.toString(count)));
  }

  @Property
  void anEndIsTakenByBothOrByNone(@ForAll("ends") long until) {
    agree(
        tried(
            () ->
                minute()
                    .id("a")
                    .every(Duration.ofMinutes(1))
                    .until(Instant.ofEpochMilli(until))
                    .record("v")),
        repeating("delay-every", "PT1M", "delay-until", Long.toString(until)));
  }

  /** The library counts the fields of an expression, but does not parse them. */
  @Property
  void theRightNumberOfFieldsIsTakenByBothOrByNone(@ForAll("stars") String stars) {
    agree(
        tried(() -> DelayedRecords.to("orders").cron(stars).id("a").record("v")),
        headers("delay-target-topic", "orders", "delay-id", "a", "delay-cron", stars));
  }

  @Property
  void aZoneIsTakenByBothOrByNone(@ForAll("zones") String zone) {
    agree(
        tried(
            () -> DelayedRecords.to("orders").cron("@daily", ZoneId.of(zone)).id("a").record("v")),
        headers(
            "delay-target-topic",
            "orders",
            "delay-id",
            "a",
            "delay-cron",
            "@daily",
            "delay-zone",
            zone));
  }

  private static Headers repeating(String... more) {
    Headers headers = headers("delay-target-topic", "orders", "delay-ms", "60000", "delay-id", "a");
    headers(more).forEach(headers::add);
    return headers;
  }

  @Property
  void aRetryAndADeadLetterOfAConsumerAreRequestsThatTheBridgeTakes(@ForAll("ids") String header) {
    ConsumerRecord<byte[], byte[]> failed = read(headers("delay-op", header, "delay-ms", header));
    RetryLater later = RetryLater.with(Backoff.DEFAULT);

    for (RetryLater each : new RetryLater[] {later, later.hopeless(Exception.class)}) {
      Verdict<byte[], byte[]> verdict = each.verdict(failed, new IllegalStateException());
      assertThat(isTaken(verdict.record().headers())).isTrue();
    }
  }

  private static Schedule minute() {
    return DelayedRecords.to("orders").after(Duration.ofMinutes(1));
  }

  private static void agree(Optional<? extends ProducerRecord<?, ?>> built, Headers byHand) {
    assertThat(built.isPresent()).isEqualTo(isTaken(byHand));
    built.ifPresent(record -> assertThat(isTaken(record.headers())).isTrue());
  }

  private static boolean isTaken(Headers headers) {
    Request request = RequestParser.parse(read(headers), READING);
    return request instanceof Cancellation
        || (request instanceof DelayedMessage message && !message.isMalformed());
  }

  private static ConsumerRecord<byte[], byte[]> read(Headers headers) {
    return new ConsumerRecord<>(
        "delay-intake",
        0,
        0,
        System.currentTimeMillis(),
        TimestampType.CREATE_TIME,
        0,
        0,
        new byte[0],
        new byte[0],
        headers,
        Optional.empty());
  }

  private static Headers headers(String... namesAndValues) {
    Headers headers = new RecordHeaders();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      headers.add(namesAndValues[i], namesAndValues[i + 1].getBytes(StandardCharsets.UTF_8));
    }
    return headers;
  }

  private static <T> Optional<T> tried(Supplier<T> building) {
    try {
      return Optional.of(building.get());
    } catch (IllegalArgumentException | DateTimeException e) {
      return Optional.empty();
    }
  }

  @Provide
  Arbitrary<String> topics() {
    return Arbitraries.oneOf(
        Arbitraries.of("", ".", "..", "...", "a".repeat(249), "a".repeat(250)),
        Arbitraries.strings().withChars("aZ0._-").ofMaxLength(12),
        Arbitraries.strings().withChars("aZ0._- /ä\n").ofMaxLength(6));
  }

  @Provide
  Arbitrary<String> ids() {
    return Arbitraries.oneOf(
        Arbitraries.strings().withChars("aä€ \n").ofMaxLength(300),
        Arbitraries.strings().withChars("a").ofMinLength(254).ofMaxLength(258));
  }

  @Provide
  Arbitrary<Long> millis() {
    long end = 253_402_300_799_999L;
    return Arbitraries.oneOf(
        Arbitraries.longs().between(-2, 2),
        Arbitraries.longs().between(59_999, 60_001),
        Arbitraries.longs().between(Integer.MAX_VALUE - 2L, Integer.MAX_VALUE + 2L),
        Arbitraries.longs().between(end - 2, end + 2),
        Arbitraries.longs().between(-1_000_000_000_000_000L, 1_000_000_000_000_000L));
  }

  @Provide
  Arbitrary<Duration> intervals() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(999_999_998, 1_000_000_002).map(Duration::ofNanos),
        Arbitraries.longs().between(-2_000, 200_000_000_000_000L).map(Duration::ofMillis));
  }

  @Provide
  Arbitrary<Long> ends() {
    long now = System.currentTimeMillis();
    return Arbitraries.oneOf(
        Arbitraries.longs().between(-2, 253_402_300_799_999L),
        Arbitraries.longs().between(now - 10_000_000, now + 10_000_000));
  }

  @Provide
  Arbitrary<Long> counts() {
    long end = 1_000_000_000_000_000_000L;
    return Arbitraries.oneOf(
        Arbitraries.longs().between(-2, 2), Arbitraries.longs().between(end - 2, end + 2));
  }

  @Provide
  Arbitrary<String> stars() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 8), Arbitraries.of(" ", "\t", " \t "))
        .as((fields, blank) -> blank + ("*" + blank).repeat(fields));
  }

  @Provide
  Arbitrary<String> zones() {
    return Arbitraries.of(
        "UTC", "Europe/Berlin", "America/Sao_Paulo", "+02:00", "UTC+2", "GMT", "EST", "CET");
  }

  @Provide
  Arbitrary<Integer> attempts() {
    return Arbitraries.integers().between(-2, 103);
  }
}
