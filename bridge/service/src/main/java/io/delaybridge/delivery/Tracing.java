package io.delaybridge.delivery;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import io.delaybridge.schemas.StoredAsk;
import io.delaybridge.schemas.StoredHeader;
import io.delaybridge.schemas.StoredMessage;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.context.propagation.TextMapSetter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Makes the bridge a part of its producers' traces, if OpenTelemetry is present: an agent brings
 * it. If it is absent, or carries no context in headers, nothing is done and records leave as they
 * are.
 *
 * <p>The wait of a message is a span below the span that its headers name, and the record for its
 * target names the wait. A copy goes on to name what the message named, so that a trace does not
 * become deeper with each attempt and each lap. Each occurrence of a message that repeats is a
 * trace of its own, which links to that of the request. See ADR 34.
 */
public final class Tracing {

  /** When the message is due, epoch milliseconds. */
  static final AttributeKey<Long> DUE_AT = AttributeKey.longKey("delay_bridge.due_at");

  /** How much later the message left than it could have, in milliseconds. */
  static final AttributeKey<Long> LATENESS = AttributeKey.longKey("delay_bridge.lateness_ms");

  /** The attempt that ended with this wait, 1 for the first. */
  static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("delay_bridge.attempt");

  /** The topic that the producer named, unless it named none. */
  static final AttributeKey<String> TARGET = AttributeKey.stringKey("delay_bridge.target");

  /** The place of the first attempt in the intake. */
  static final AttributeKey<String> SOURCE = AttributeKey.stringKey("delay_bridge.source");

  /** The {@code delay-id}, if there is one. */
  static final AttributeKey<String> ID = AttributeKey.stringKey("delay_bridge.id");

  /** The outcome of the message. */
  static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("delay_bridge.outcome");

  /** The name of the reason why the message is a dead letter, or is tried again. */
  static final AttributeKey<String> REASON = AttributeKey.stringKey("delay_bridge.reason");

  /** The number of the occurrence, on a request that has nothing to deliver itself. */
  private static final String REQUEST = "0";

  private static final TextMapGetter<List<StoredHeader>> STORED =
      (headers, name) -> {
        byte[] value = null;
        for (StoredHeader header : headers == null ? List.<StoredHeader>of() : headers) {
          if (header.name().equals(name)) {
            value = header.value();
          }
        }
        return text(value);
      };

  private static final TextMapGetter<Headers> SENT =
      (headers, name) -> {
        Header last = headers == null ? null : headers.lastHeader(name);
        return last == null ? null : text(last.value());
      };

  private static final TextMapSetter<Headers> SETTER =
      (headers, name, value) -> {
        if (headers != null) {
          headers.remove(name).add(name, value.getBytes(StandardCharsets.UTF_8));
        }
      };

  private final Tracer tracer;
  private final TextMapPropagator propagator;
  private final boolean on;

  /** Takes the OpenTelemetry that receives the spans and says how headers carry a context. */
  public Tracing(OpenTelemetry telemetry) {
    this.tracer = telemetry.getTracer("io.delaybridge");
    this.propagator = telemetry.getPropagators().getTextMapPropagator();
    this.on = !propagator.fields().isEmpty();
  }

  /** Returns a tracing by the OpenTelemetry of this process; off if there is none. */
  public static Tracing ofThisProcess() {
    return new Tracing(GlobalOpenTelemetry.get());
  }

  /** Returns a tracing that does nothing. */
  public static Tracing off() {
    return new Tracing(OpenTelemetry.noop());
  }

  /** Whether anything is done at all. */
  public boolean isOn() {
    return on;
  }

  /** Returns the headers that carry a context. */
  List<Header> carriers(Headers headers) {
    List<Header> found = new ArrayList<>();
    propagator.fields().forEach(field -> headers.headers(field).forEach(found::add));
    return found;
  }

  /** Has the headers carry this context, as {@link #carriers} has returned it, and no other. */
  void carry(Headers headers, List<Header> context) {
    // A record that is sent again is read-only.
    if (!carriers(headers).equals(context)) {
      propagator.fields().forEach(headers::remove);
      context.forEach(headers::add);
    }
  }

  /** The context that the headers carry; the root if they carry none. */
  Context carried(Headers headers) {
    return propagator.extract(Context.root(), headers, SENT);
  }

  /**
   * Makes a span of the wait of a message, which is over. What leaves the bridge carries it on.
   *
   * @param now epoch milliseconds
   */
  public void waited(Outgoing outgoing, long now) {
    if (!on) {
      return;
    }
    DelayedMessage message = outgoing.message();
    Context carried = propagator.extract(Context.root(), message.content().headers(), STORED);
    SpanContext above = Span.fromContext(carried).getSpanContext();
    boolean begins = isOccurrence(message);
    SpanBuilder builder =
        tracer
            .spanBuilder("wait " + outgoing.shard().topic())
            .setStartTimestamp(begin(message, now), TimeUnit.MILLISECONDS);
    Span span =
        (begins ? builder.setNoParent().addLink(above) : builder.setParent(carried)).startSpan();
    if (span.isRecording()) {
      describe(span, outgoing, now);
    }
    span.end(now, TimeUnit.MILLISECONDS);
    // An SDK that is switched off makes no span, and passes on the context that there was.
    boolean isNew = span.getSpanContext().isValid() && !span.getSpanContext().equals(above);
    if (isNew && namesTheWait(outgoing, begins || !above.isValid())) {
      propagator.inject(carried.with(span), outgoing.record().headers(), SETTER);
    }
  }

  /**
   * Whether the message is an occurrence that was not tried before: of the calendar, or beside it.
   * The request that only says when the first one is due is none.
   */
  private static boolean isOccurrence(DelayedMessage message) {
    return message.repeats()
        ? !REQUEST.equals(message.header(DelayHeaders.OCCURRENCE))
        : message.header(DelayHeaders.SCHEDULE) != null && !message.isRetry();
  }

  /**
   * Whether the first record names the wait.
   *
   * @param isTop whether no span is above the wait
   */
  private static boolean namesTheWait(Outgoing outgoing, boolean isTop) {
    Decision decision = outgoing.decision();
    if (decision instanceof Decision.Deliver
        || decision instanceof Decision.Dead
        || decision instanceof Decision.Apart) {
      return true;
    }
    // What follows an occurrence is not below it.
    return isTop && !outgoing.message().repeats();
  }

  private static @Nullable String text(byte @Nullable [] utf8) {
    return utf8 == null ? null : new String(utf8, StandardCharsets.UTF_8);
  }

  /** Returns when the message was written or, if that is not known, when it was due. */
  private static long begin(DelayedMessage message, long now) {
    long written = message.content().writtenAt();
    long begun = written == StoredMessage.BEFORE_DUE ? due(message) : written;
    return Math.min(begun, now);
  }

  private static long due(DelayedMessage message) {
    StoredAsk ask = message.ask();
    if (ask != null) {
      return ask.due();
    }
    return message.isFar() ? message.content().farDue() : message.key().time();
  }

  private static void describe(Span span, Outgoing outgoing, long now) {
    DelayedMessage message = outgoing.message();
    long due = due(message);
    span.setAttribute(DUE_AT, due);
    span.setAttribute(LATENESS, Math.max(0, now - Math.max(due, message.content().writtenAt())));
    span.setAttribute(ATTEMPT, (long) message.content().attempt());
    span.setAttribute(SOURCE, outgoing.shard().source(message.origin()).toString());
    String id = message.id();
    if (id != null) {
      span.setAttribute(ID, id);
    }
    Decision decision = outgoing.decision();
    String target = decision instanceof Decision.Deliver it ? it.target() : message.target();
    if (target != null) {
      span.setAttribute(TARGET, target);
    }
    span.setAttribute(OUTCOME, outcome(decision));
    if (decision instanceof Decision.Dead dead) {
      failed(span, dead.reason(), dead.detail());
    } else if (decision instanceof Decision.Retry retry) {
      failed(span, retry.reason(), retry.detail());
    }
  }

  private static void failed(Span span, Reason reason, String detail) {
    span.setAttribute(REASON, reason.name());
    span.setStatus(StatusCode.ERROR, detail);
  }

  private static String outcome(Decision decision) {
    if (decision instanceof Decision.Deliver) {
      return "delivered";
    }
    if (decision instanceof Decision.Dead) {
      return "dead letter";
    }
    if (decision instanceof Decision.Retry) {
      return "retry";
    }
    if (decision instanceof Decision.Move) {
      return "moved";
    }
    if (decision instanceof Decision.Apart) {
      return "put back";
    }
    if (decision instanceof Decision.Pass) {
      return "left out";
    }
    return decision instanceof Decision.Later ? "far" : "near";
  }
}
