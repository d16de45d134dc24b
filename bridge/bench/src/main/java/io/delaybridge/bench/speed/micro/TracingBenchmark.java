package io.delaybridge.bench.speed.micro;

import io.delaybridge.delivery.Decision;
import io.delaybridge.delivery.Outgoing;
import io.delaybridge.delivery.Records;
import io.delaybridge.delivery.Tracing;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.StoredHeader;
import io.delaybridge.schemas.StoredMessage;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The cost of the outgoing record, and the part of it that tracing takes. */
@State(Scope.Benchmark)
public class TracingBenchmark {

  private static final long DUE = 1_700_000_003_000L;
  private static final ShardId SHARD = new ShardId("delay-intake", 3);
  private static final Decision DELIVER = new Decision.Deliver("orders");

  /** Whether there is an SDK, and whether it samples the traces of the producer. */
  @Param({"none", "unsampled", "sampled"})
  public String sdk = "none";

  private final Records records = new Records("delay-deadletter");
  private final DelayedMessage message =
      new DelayedMessage(
          new Due(DUE, 123_456_789L),
          new StoredMessage(
              new byte[8],
              new byte[100],
              List.of(
                  header(DelayHeaders.DELAY_MS, "3000"),
                  header(DelayHeaders.TARGET_TOPIC, "orders"),
                  header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")),
              1,
              0,
              StoredMessage.NO_EXPIRY,
              StoredMessage.SELF,
              null,
              null,
              null,
              DUE - 3_000,
              StoredMessage.NEAR,
              StoredMessage.SELF));
  private Tracing tracing = Tracing.off();

  private static StoredHeader header(String name, String value) {
    return new StoredHeader(name, value.getBytes(StandardCharsets.UTF_8));
  }

  /** Creates an SDK whose spans are started and ended, but not exported. */
  @Setup
  public void start() {
    if (!sdk.equals("none")) {
      tracing =
          new Tracing(
              OpenTelemetrySdk.builder()
                  .setTracerProvider(
                      SdkTracerProvider.builder()
                          .setSampler(
                              sdk.equals("sampled") ? Sampler.alwaysOn() : Sampler.alwaysOff())
                          .addSpanProcessor(new Nobody())
                          .build())
                  .setPropagators(
                      ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
                  .build());
    }
  }

  /** Creates the record alone. */
  @Benchmark
  public Outgoing record() {
    return records.outgoing(SHARD, message, DELIVER, DUE + 1);
  }

  /** Creates the record and the span of its wait. */
  @Benchmark
  public Outgoing traced() {
    Outgoing outgoing = records.outgoing(SHARD, message, DELIVER, DUE + 1);
    tracing.waited(outgoing, DUE + 1);
    return outgoing;
  }

  /** A processor that does nothing. Without a processor, no span would be recorded at all. */
  private static final class Nobody implements SpanProcessor {

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {}

    @Override
    public boolean isStartRequired() {
      return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {}

    @Override
    public boolean isEndRequired() {
      return true;
    }
  }
}
