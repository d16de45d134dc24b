package io.delaybridge.intake;

import static io.delaybridge.intake.IntakeRecord.WEEK;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.Cancellation;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Reading;
import io.delaybridge.message.Request;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import io.delaybridge.schemas.StoredHeader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.StreamSupport;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.StringLength;
import net.jqwik.api.statistics.Statistics;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/** Properties that hold for every record, however odd. jqwik prints the seed of a failing run. */
class RequestParserPropertyTest {

  private static final long LATEST = 253_402_300_799_999L;

  @Property(tries = 3000)
  void everyRecordBecomesARequestThatCanBeStored(
      @ForAll("records") ConsumerRecord<byte[], byte[]> record) {
    Request request = RequestParser.parse(record, Reading.latest(WEEK, 0));

    Statistics.label("kind").collect(kind(request));
    if (request instanceof Cancellation cancellation) {
      assertThat(cancellation.id().getBytes(StandardCharsets.UTF_8)).hasSizeBetween(1, 256);
      return;
    }
    DelayedMessage message = (DelayedMessage) request;
    assertThat(message.key().offset()).isEqualTo(record.offset());
    assertThat(message.key().time())
        .isBetween(0L, message.isRetry() ? 999_999_999_999_999L : LATEST);
    assertThat(message.content().key()).isSameAs(record.key());
    assertThat(message.content().value()).isSameAs(record.value());
    assertThat(message.origin()).isBetween(0L, record.offset());
    if (message.isMalformed()) {
      assertThat(message.key().time())
          .satisfiesAnyOf(
              time -> assertThat(time).isEqualTo(Math.min(Math.max(0, record.timestamp()), LATEST)),
              time -> assertThat(message.content().detail()).contains("looks like seconds"));
      assertThat(message.id()).isNull();
      assertThat(message.content().headers()).isEqualTo(headers(record));
    }
  }

  @Property
  void readingARecordAgainGivesTheSameRequest(
      @ForAll("records") ConsumerRecord<byte[], byte[]> record) {
    assertThat(RequestParser.parse(record, Reading.latest(WEEK, 0)))
        .isEqualTo(RequestParser.parse(record, Reading.latest(WEEK, 0)));
  }

  @Property(tries = 3000)
  void theLongestDelayMattersOnlyToWhatItRefuses(
      @ForAll("records") ConsumerRecord<byte[], byte[]> record,
      @ForAll @LongRange(max = 2_000) long shorter,
      @ForAll @LongRange(max = 2_000_000_000L) long more) {
    Request strict = RequestParser.parse(record, Reading.latest(shorter, 0));
    Request lenient = RequestParser.parse(record, Reading.latest(shorter + more, 0));

    if (isTooLong(lenient)) {
      assertThat(isTooLong(strict)).isTrue();
    }
    if (!isTooLong(strict)) {
      assertThat(strict).isEqualTo(lenient);
    }
  }

  @Property
  void aSpreadIsNeverEarlierThanDueAndNeverWiderThanAskedFor(
      @ForAll @LongRange(max = 1_000_000) long delay,
      @ForAll @IntRange int width,
      @ForAll @StringLength(min = 1, max = 60) String id) {
    Assume.that(StandardCharsets.UTF_8.newEncoder().canEncode(id));
    DelayedMessage message =
        IntakeRecord.timeless()
            .with(DelayHeaders.DELAY_MS, Long.toString(delay))
            .with(DelayHeaders.SPREAD_MS, Integer.toString(width))
            .with(DelayHeaders.ID, id)
            .parsed();
    Assume.that(!isTooLong(message));

    assertThat(message.content().reason()).isNull();
    assertThat(message.key().time() - IntakeRecord.TIMESTAMP - delay).isBetween(0L, (long) width);
  }

  @Property
  void foreignHeadersChangeNothing(
      @ForAll("records") ConsumerRecord<byte[], byte[]> record,
      @ForAll @StringLength(max = 20) String name,
      @ForAll byte[] value) {
    Assume.that(!DelayHeaders.CONTROL.contains(name));
    Request before = RequestParser.parse(record, Reading.latest(WEEK, 0));
    record.headers().add(new RecordHeader(name, value));
    Request after = RequestParser.parse(record, Reading.latest(WEEK, 0));

    if (before instanceof DelayedMessage message) {
      DelayedMessage same = (DelayedMessage) after;
      assertThat(same.key()).isEqualTo(message.key());
      assertThat(same.id()).isEqualTo(message.id());
      assertThat(same.target()).isEqualTo(message.target());
      assertThat(same.content().reason()).isEqualTo(message.content().reason());
      assertThat(same.content().headers())
          .hasSize(message.content().headers().size() + 1)
          .endsWith(new StoredHeader(name, value));
    } else {
      assertThat(after).isEqualTo(before);
    }
  }

  private static String kind(Request request) {
    if (request instanceof DelayedMessage message) {
      Reason reason = message.content().reason();
      return reason != null ? reason.name() : message.isRetry() ? "retry" : "schedule";
    }
    return "cancel";
  }

  /** A request that is due too late, or a copy that claims to be. */
  private static boolean isTooLong(Request request) {
    return request instanceof DelayedMessage message
        && (message.content().reason() == Reason.DELAY_TOO_LONG
            || message.content().reason() == Reason.INVALID_RETRY);
  }

  private static List<StoredHeader> headers(ConsumerRecord<byte[], byte[]> record) {
    return StreamSupport.stream(record.headers().spliterator(), false)
        .map(header -> new StoredHeader(header.key(), header.value()))
        .toList();
  }

  /** Half of them begin as a sound request, so that not everything fails at the first header. */
  @Provide
  Arbitrary<ConsumerRecord<byte[], byte[]>> records() {
    Arbitrary<IntakeRecord> plain = Arbitraries.create(IntakeRecord::empty);
    Arbitrary<IntakeRecord> sound =
        Arbitraries.longs()
            .between(0, 4_000)
            .map(
                delay -> IntakeRecord.timeless().with(DelayHeaders.DELAY_MS, Long.toString(delay)));
    Arbitrary<Long> timestamps =
        Arbitraries.frequencyOf(
            Tuple.of(4, Arbitraries.longs().between(0, 4_000_000_000_000L)),
            Tuple.of(1, Arbitraries.longs()));
    Arbitrary<byte[]> payloads =
        Arbitraries.bytes().array(byte[].class).ofMaxSize(20).injectNull(0.2);
    return Combinators.combine(
            Arbitraries.oneOf(plain, sound),
            headers().list().ofMaxSize(4),
            timestamps,
            Arbitraries.longs().between(0, 1000),
            payloads,
            payloads)
        .as(
            (record, headers, timestamp, offset, key, value) ->
                record
                    .withAll(List.copyOf(headers))
                    .stamped(timestamp)
                    .at(offset)
                    .key(key)
                    .value(value)
                    .build());
  }

  private static Arbitrary<Header> headers() {
    Arbitrary<String> names =
        Arbitraries.frequencyOf(
            Tuple.of(6, Arbitraries.of(DelayHeaders.CONTROL)),
            Tuple.of(1, Arbitraries.of(DelayHeaders.ARRIVAL)),
            Tuple.of(1, Arbitraries.strings().ofMaxLength(10)));
    return Combinators.combine(names, values()).as(RecordHeader::new);
  }

  private static Arbitrary<byte[]> values() {
    Arbitrary<String> texts =
        Arbitraries.oneOf(
            Arbitraries.of(
                "schedule",
                "cancel",
                "orders",
                "PT1S",
                "P106751991167DT7H12M55.807S",
                "PT9223372036854775807S",
                "2025-10-09T11:00:00+02:00",
                "+999999999-12-31T23:59:59Z",
                "-999999999-01-01T00:00:00+18:00",
                "v1|1|2|1760000001000|-",
                "v1|1|999999999|999999999999999|999999999999999999",
                "v1|999999999999999999|2|1|1"),
            Arbitraries.longs().map(String::valueOf),
            Arbitraries.integers().between(0, 10_000).map(String::valueOf),
            Arbitraries.bigIntegers().map(String::valueOf),
            Arbitraries.strings().withChars("0123456789-+PTDHMS:.Zv|[]/").ofMaxLength(25));
    return Arbitraries.frequencyOf(
        Tuple.of(8, texts.map(text -> text.getBytes(StandardCharsets.UTF_8))),
        Tuple.of(1, Arbitraries.bytes().array(byte[].class).ofMaxSize(300).injectNull(0.2)));
  }
}
