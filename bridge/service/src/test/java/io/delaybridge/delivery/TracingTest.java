package io.delaybridge.delivery;

import static io.delaybridge.intake.IntakeRecord.OFFSET;
import static io.delaybridge.intake.IntakeRecord.PARTITION;
import static io.delaybridge.intake.IntakeRecord.TIMESTAMP;
import static io.delaybridge.intake.IntakeRecord.TOPIC;
import static io.delaybridge.intake.IntakeRecord.timeless;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.intake.IntakeRecord;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class TracingTest {

  private static final ShardId SHARD = new ShardId(TOPIC, PARTITION);
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String SPAN = "b7ad6b7169203331";
  private static final String SAMPLED = "00-" + TRACE + "-" + SPAN + "-01";
  private static final String NOT_SAMPLED = "00-" + TRACE + "-" + SPAN + "-00";
  private static final long DUE = TIMESTAMP + 5_000;
  private static final long NOW = DUE + 12;
  private static final ContextPropagators W3C =
      ContextPropagators.create(W3CTraceContextPropagator.getInstance());
  private static final Decision DELIVER = new Decision.Deliver("orders");

  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final Tracing tracing =
      new Tracing(
          OpenTelemetrySdk.builder()
              .setTracerProvider(
                  SdkTracerProvider.builder()
                      .setSampler(Sampler.parentBased(Sampler.alwaysOn()))
                      .addSpanProcessor(SimpleSpanProcessor.create(spans))
                      .build())
              .setPropagators(W3C)
              .build());

  private static IntakeRecord request() {
    return timeless().with(DelayHeaders.DELAY_MS, "5000").with("mine", "kept");
  }

  private static ProducerRecord<byte[], byte[]> sent(
      Tracing tracing, IntakeRecord request, Decision decision) {
    Outgoing outgoing = new Records("dead").outgoing(SHARD, request.parsed(), decision, NOW);
    tracing.waited(outgoing, NOW);
    return outgoing.record();
  }

  private static String header(ProducerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }

  private static List<String> names(ProducerRecord<byte[], byte[]> record) {
    return Arrays.stream(record.headers().toArray()).map(Header::key).toList();
  }

  private SpanData span() {
    assertThat(spans.getFinishedSpanItems()).hasSize(1);
    return spans.getFinishedSpanItems().get(0);
  }

  @Test
  void aWaitIsASpanBelowTheOneThatTheProducerSentAndTheRecordNamesTheWait() {
    ProducerRecord<byte[], byte[]> record =
        sent(tracing, request().with("traceparent", SAMPLED), DELIVER);

    assertThat(span().getName()).isEqualTo("wait " + TOPIC);
    assertThat(span().getTraceId()).isEqualTo(TRACE);
    assertThat(span().getParentSpanId()).isEqualTo(SPAN);
    assertThat(span().getStartEpochNanos()).isEqualTo(TIMESTAMP * 1_000_000);
    assertThat(span().getEndEpochNanos()).isEqualTo(NOW * 1_000_000);
    assertThat(span().getAttributes().asMap())
        .containsEntry(Tracing.DUE_AT, DUE)
        .containsEntry(Tracing.LATENESS, 12L)
        .containsEntry(Tracing.ATTEMPT, 1L)
        .containsEntry(Tracing.TARGET, "orders")
        .containsEntry(Tracing.OUTCOME, "delivered")
        .containsEntry(Tracing.SOURCE, TOPIC + "/" + PARTITION + "/" + OFFSET);
    assertThat(header(record, "traceparent"))
        .isEqualTo("00-" + TRACE + "-" + span().getSpanId() + "-01");
    assertThat(names(record)).containsOnlyOnce("traceparent").contains("mine");
  }

  @Test
  void theContextThatARecordCarriesIsTheOneThatItIsSentIn() {
    ProducerRecord<byte[], byte[]> record =
        sent(tracing, request().with("traceparent", SAMPLED), DELIVER);

    Context carried = tracing.carried(record.headers());

    assertThat(Span.fromContext(carried).getSpanContext().getSpanId())
        .isEqualTo(span().getSpanId());
    assertThat(tracing.carried(new ProducerRecord<>("t", new byte[0]).headers()))
        .isSameAs(Context.root());
  }

  @Test
  void aWaitThatNobodyTracedBeforeBeginsATraceWhenTheMessageIsDue() {
    ProducerRecord<byte[], byte[]> record = sent(tracing, request(), DELIVER);

    assertThat(span().getParentSpanContext().isValid()).isFalse();
    assertThat(span().getStartEpochNanos()).isEqualTo(DUE * 1_000_000);
    assertThat(header(record, "traceparent")).contains(span().getTraceId());
  }

  @Test
  void aTraceThatIsNotSampledGoesOnUnsampled() {
    ProducerRecord<byte[], byte[]> record =
        sent(tracing, request().with("traceparent", NOT_SAMPLED), DELIVER);

    assertThat(spans.getFinishedSpanItems()).isEmpty();
    assertThat(header(record, "traceparent")).startsWith("00-" + TRACE).endsWith("-00");
  }

  @Test
  void aDeadLetterIsAnErrorAndCarriesTheTraceEvenWithoutItsForeignHeaders() {
    ProducerRecord<byte[], byte[]> record =
        sent(
            tracing,
            request().with("traceparent", SAMPLED),
            new Decision.Dead(Reason.RECORD_TOO_LARGE, "too large", false));

    assertThat(span().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(span().getStatus().getDescription()).isEqualTo("too large");
    assertThat(span().getAttributes().asMap())
        .containsEntry(Tracing.REASON, "RECORD_TOO_LARGE")
        .containsEntry(Tracing.OUTCOME, "dead letter");
    assertThat(header(record, "traceparent")).contains(TRACE, span().getSpanId());
  }

  @Test
  void aRetryIsAnErrorOfOneAttempt() {
    sent(
        tracing,
        request().with("traceparent", SAMPLED),
        new Decision.Retry(Reason.UNAVAILABLE_TARGET, "no leader", NOW + 1_000));

    assertThat(span().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(span().getAttributes().asMap())
        .containsEntry(Tracing.REASON, "UNAVAILABLE_TARGET")
        .containsEntry(Tracing.OUTCOME, "retry");
  }

  @Test
  void whatIsPutBackForLaterIsNoError() {
    sent(tracing, request(), new Decision.Move(NOW + 1_000, false));
    sent(tracing, request(), new Decision.Later(NOW + 1_000));
    sent(tracing, request(), new Decision.Home(NOW + 1_000));

    assertThat(spans.getFinishedSpanItems())
        .extracting(span -> span.getAttributes().get(Tracing.OUTCOME))
        .containsExactly("moved", "far", "near");
    assertThat(spans.getFinishedSpanItems())
        .allMatch(span -> span.getStatus().getStatusCode() == StatusCode.UNSET);
  }

  /** So a trace does not become deeper with each attempt and each lap. */
  @Test
  void aCopyNamesTheSpanThatItsMessageNamed() {
    IntakeRecord request = request().with("traceparent", SAMPLED);
    for (Decision again :
        List.of(
            new Decision.Retry(Reason.UNAVAILABLE_TARGET, "no leader", NOW + 1_000),
            new Decision.Move(NOW + 1_000, false),
            new Decision.Later(NOW + 1_000),
            new Decision.Home(NOW + 1_000))) {
      assertThat(header(sent(tracing, request, again), "traceparent")).isEqualTo(SAMPLED);
    }
    assertThat(spans.getFinishedSpanItems()).hasSize(4);
    assertThat(spans.getFinishedSpanItems())
        .allMatch(span -> span.getParentSpanId().equals(SPAN) && span.getTraceId().equals(TRACE));
  }

  @Test
  void theFirstWaitOfAMessageThatNobodyTracedIsAboveTheOthers() {
    ProducerRecord<byte[], byte[]> copy =
        sent(
            tracing,
            request(),
            new Decision.Retry(Reason.UNAVAILABLE_TARGET, "no leader", NOW + 1_000));

    assertThat(header(copy, "traceparent")).contains(span().getTraceId(), span().getSpanId());
  }

  private static IntakeRecord repeating() {
    return request()
        .with("traceparent", SAMPLED)
        .with(DelayHeaders.ID, "x")
        .with(DelayHeaders.EVERY, "PT1H");
  }

  @Test
  void anOccurrenceIsATraceOfItsOwnThatLinksToTheRequest() {
    Outgoing outgoing = new Records("dead").outgoing(SHARD, repeating().parsed(), DELIVER, NOW);

    tracing.waited(outgoing, NOW);

    assertThat(span().getTraceId()).isNotEqualTo(TRACE);
    assertThat(span().getParentSpanContext().isValid()).isFalse();
    assertThat(span().getLinks())
        .singleElement()
        .satisfies(
            link -> {
              assertThat(link.getSpanContext().getTraceId()).isEqualTo(TRACE);
              assertThat(link.getSpanContext().getSpanId()).isEqualTo(SPAN);
            });
    assertThat(header(outgoing.record(), "traceparent"))
        .contains(span().getTraceId(), span().getSpanId());
    assertThat(header(outgoing.records().get(1), "traceparent"))
        .as("the next occurrence knows only the request")
        .isEqualTo(SAMPLED);
  }

  /** Its attempts are then below that wait, as those of any message are below its request. */
  @Test
  void anOccurrenceThatIsPutBackGoesOnInItsOwnTrace() {
    Outgoing outgoing =
        new Records("dead").outgoing(SHARD, repeating().parsed(), new Decision.Apart(), NOW);

    tracing.waited(outgoing, NOW);

    assertThat(header(outgoing.record(), "traceparent"))
        .contains(span().getTraceId(), span().getSpanId());
    assertThat(header(outgoing.records().get(1), "traceparent")).isEqualTo(SAMPLED);
  }

  @Test
  void anOccurrenceBesideTheCalendarIsATraceOfItsOwnToo() {
    ProducerRecord<byte[], byte[]> record =
        sent(
            tracing,
            request().with("traceparent", SAMPLED).with(DelayHeaders.SCHEDULE, "x"),
            DELIVER);

    assertThat(span().getTraceId()).isNotEqualTo(TRACE);
    assertThat(span().getLinks()).hasSize(1);
    assertThat(header(record, "traceparent")).contains(span().getTraceId());
  }

  /** With cron, the request is no occurrence: the first one comes from the calendar. */
  @Test
  void theRequestIsInTheTraceOfItsProducer() {
    IntakeRecord cron =
        timeless()
            .with("traceparent", SAMPLED)
            .with(DelayHeaders.ID, "x")
            .with(DelayHeaders.CRON, "0 9 * * *");

    ProducerRecord<byte[], byte[]> next = sent(tracing, cron, new Decision.Pass());

    assertThat(span().getParentSpanId()).isEqualTo(SPAN);
    assertThat(span().getLinks()).isEmpty();
    assertThat(header(next, "traceparent")).isEqualTo(SAMPLED);
  }

  /** An agent writes the span of the send into the headers before they are serialized. */
  @Test
  void whatAnAgentWritesIntoACopyIsTakenBack() {
    Headers headers = new RecordHeaders();
    headers.add("traceparent", SAMPLED.getBytes(UTF_8)).add("mine", new byte[] {1});
    TracedProducer.Copies copies = new TracedProducer.Copies(tracing);

    copies.keep(tracing.carriers(headers));
    headers.remove("traceparent").add("traceparent", NOT_SAMPLED.getBytes(UTF_8));
    headers.add("tracestate", new byte[] {2});
    copies.serialize("t", headers, new byte[0]);

    assertThat(headers.lastHeader("traceparent").value()).isEqualTo(SAMPLED.getBytes(UTF_8));
    assertThat(headers.lastHeader("tracestate")).isNull();
    assertThat(headers.lastHeader("mine")).isNotNull();

    copies.keep(null);
    headers.remove("traceparent").add("traceparent", NOT_SAMPLED.getBytes(UTF_8));
    copies.serialize("t", headers, new byte[0]);
    assertThat(headers.lastHeader("traceparent").value())
        .as("what is no copy keeps the agent's")
        .isEqualTo(NOT_SAMPLED.getBytes(UTF_8));
  }

  @Test
  void anOccurrenceThatIsLeftOutAndHasNoSuccessorHasASpanAndNoRecord() {
    IntakeRecord last =
        request()
            .with(DelayHeaders.ID, "x")
            .with(DelayHeaders.EVERY, "PT1H")
            .with(DelayHeaders.UNTIL, Long.toString(DUE));
    Outgoing outgoing =
        new Records("dead").outgoing(SHARD, last.parsed(), new Decision.Pass(), NOW);

    tracing.waited(outgoing, NOW);

    assertThat(outgoing.records()).isEmpty();
    assertThat(span().getAttributes().get(Tracing.OUTCOME)).isEqualTo("left out");
  }

  @Test
  void withoutOpenTelemetryOrWithOneThatCarriesNothingHeadersStayAsTheyAre() {
    Tracing mute =
        new Tracing(
            OpenTelemetrySdk.builder()
                .setTracerProvider(
                    SdkTracerProvider.builder()
                        .addSpanProcessor(SimpleSpanProcessor.create(spans))
                        .build())
                .build());
    IntakeRecord request = request().with("traceparent", SAMPLED);
    ProducerRecord<byte[], byte[]> untouched =
        new Records("dead").outgoing(SHARD, request.parsed(), DELIVER, NOW).record();

    for (Tracing off : List.of(Tracing.off(), Tracing.ofThisProcess(), mute)) {
      assertThat(off.isOn()).isFalse();
      assertThat(sent(off, request, DELIVER)).isEqualTo(untouched);
    }
    assertThat(spans.getFinishedSpanItems()).isEmpty();
  }

  @Test
  void anSdkThatIsSwitchedOffHandsOnWhatItGotInItsPlace() {
    Tracing disabled = new Tracing(new Disabled());
    IntakeRecord request = request().with("traceparent", SAMPLED);

    assertThat(sent(disabled, request, DELIVER))
        .isEqualTo(new Records("dead").outgoing(SHARD, request.parsed(), DELIVER, NOW).record());
  }

  /** As with otel.sdk.disabled: propagators, and spans that are none. */
  private static final class Disabled implements OpenTelemetry {
    @Override
    public TracerProvider getTracerProvider() {
      return TracerProvider.noop();
    }

    @Override
    public ContextPropagators getPropagators() {
      return W3C;
    }
  }
}
