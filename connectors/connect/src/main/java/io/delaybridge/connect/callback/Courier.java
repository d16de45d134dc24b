package io.delaybridge.connect.callback;

import io.delaybridge.connect.http.Outcome;
import io.delaybridge.connect.http.Signature;
import io.delaybridge.connect.http.UrlRules;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.schemas.Reason;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Calls the URL of one record and handles the outcome. */
final class Courier implements Dispatcher.Work {

  /** The name of the header with the {@link Signature}. */
  static final String SIGNATURE = "Delay-Signature";

  private static final List<String> FORWARDED =
      List.of(
          DelayHeaders.SOURCE,
          DelayHeaders.DUE_AT,
          DelayHeaders.DELIVERED_AT,
          DelayHeaders.ATTEMPT);

  /** The longest id: 256 bytes, each percent-encoded. */
  private static final int LONGEST_HEADER = 768;

  /** Makes the call. */
  interface Caller {

    /**
     * Posts without waiting.
     *
     * @param done called once with the outcome; not at all if this throws
     */
    void post(URI uri, Map<String, String> headers, byte[] body, Consumer<Outcome> done);
  }

  /** Takes follow-ups. */
  interface Sink {

    /** See {@link Outbox#send}. */
    void send(List<ProducerRecord<byte[], byte[]>> sizes, Runnable written);
  }

  private final CallbackSettings settings;
  private final FollowUps followUps;
  private final Caller caller;
  private final Sink outbox;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final Consumer<Throwable> broken;

  /**
   * @param broken told what went wrong after a call, whose record then stays unfinished
   */
  Courier(
      CallbackSettings settings,
      Caller caller,
      Sink outbox,
      InstantSource clock,
      RandomGenerator random,
      Consumer<Throwable> broken) {
    this.settings = settings;
    this.followUps = new FollowUps(settings.topics().intake(), settings.topics().deadLetter());
    this.caller = caller;
    this.outbox = outbox;
    this.clock = clock;
    this.random = random;
    this.broken = broken;
  }

  @Override
  public void begin(Item item, Runnable finished) {
    CallbackRecord record = item.record();
    UrlRules.Verdict verdict = verdict(record);
    if (verdict instanceof UrlRules.Allowed allowed) {
      call(item, allowed.uri(), finished);
    } else if (verdict instanceof UrlRules.Forbidden forbidden) {
      bury(record, Reason.CALLBACK_FORBIDDEN, forbidden.why(), finished);
    }
  }

  private void call(Item item, URI uri, Runnable finished) {
    CallbackRecord record = item.record();
    try {
      caller.post(
          uri, httpHeaders(record), record.body(), outcome -> conclude(item, outcome, finished));
    } catch (RuntimeException e) {
      // The client would not even start.
      conclude(item, new Outcome.Failed(e.toString(), null), finished);
    }
  }

  /** A header without a value names no URL, but shows that the configured one was not meant. */
  private UrlRules.Verdict verdict(CallbackRecord record) {
    if (record.has(CallbackHeaders.URL)) {
      String own = record.header(CallbackHeaders.URL);
      return own == null
          ? new UrlRules.Forbidden(CallbackHeaders.URL + " has no value")
          : settings.rules().check(own);
    }
    return settings.url().isEmpty()
        ? new UrlRules.Forbidden("there is no URL, neither in a header nor in the configuration")
        : settings.rules().checkForm(settings.url());
  }

  /**
   * Throws nothing: on a thread of a client, it would go unnoticed. The record stays unfinished and
   * keeps its place, because nothing behind it may be committed. The task ends when it is told.
   */
  private void conclude(Item item, Outcome outcome, Runnable finished) {
    try {
      follow(item, outcome, finished);
    } catch (RuntimeException | Error e) {
      broken.accept(e);
    }
  }

  private void follow(Item item, Outcome outcome, Runnable finished) {
    CallbackRecord record = item.record();
    if (outcome instanceof Outcome.Accepted || item.isAbandoned()) {
      // An abandoned record was not committed: the next owner of its partition calls again.
      finished.run();
    } else if (outcome instanceof Outcome.Refused refused) {
      bury(record, Reason.CALLBACK_REFUSED, refused.detail(), finished);
    } else if (outcome instanceof Outcome.Forbidden forbidden) {
      bury(record, Reason.CALLBACK_FORBIDDEN, forbidden.detail(), finished);
    } else if (outcome instanceof Outcome.Failed failed) {
      if (record.attempt() >= settings.maxAttempts()) {
        bury(record, Reason.CALLBACK_EXHAUSTED, failed.detail(), finished);
      } else {
        putBack(record, failed.retryAfter(), finished);
      }
    }
  }

  private void putBack(CallbackRecord record, @Nullable Duration asked, Runnable finished) {
    long delay = settings.backoff().millis(record.attempt(), asked, random);
    long now = clock.millis();
    Reason reason = Reason.RECORD_TOO_LARGE;
    String detail = "the retry is too large for " + settings.topics().intake();
    outbox.send(
        List.of(
            followUps.retry(record, delay),
            followUps.dead(record, reason, detail, now),
            followUps.deadWithoutContent(record, reason, detail, now)),
        finished);
  }

  private void bury(CallbackRecord record, Reason reason, String detail, Runnable finished) {
    long now = clock.millis();
    outbox.send(
        List.of(
            followUps.dead(record, reason, detail, now),
            followUps.deadWithoutContent(record, reason, detail, now)),
        finished);
  }

  private Map<String, String> httpHeaders(CallbackRecord record) {
    Map<String, String> headers = new TreeMap<>();
    headers.put("Content-Type", settings.contentType());
    for (String name : FORWARDED) {
      put(headers, name, record.header(name));
    }
    String id = record.id();
    if (id != null) {
      put(headers, DelayHeaders.ID, id);
    } else {
      put(headers, DelayHeaders.SCHEDULE, record.header(DelayHeaders.SCHEDULE));
    }
    put(headers, DelayHeaders.OCCURRENCE, record.number(DelayHeaders.OCCURRENCE));
    put(headers, DelayHeaders.SCHEDULED_AT, record.number(DelayHeaders.SCHEDULED_AT));
    put(headers, CallbackHeaders.ATTEMPT, Integer.toString(record.attempt()));
    put(headers, CallbackHeaders.SOURCE, record.origin());
    Signature signature = settings.signature();
    if (signature != null) {
      headers.put(SIGNATURE, signature.of(record.body(), clock.instant().getEpochSecond()));
    }
    return headers;
  }

  /** The headers and the URL together must stay below the 8 KiB that clients and servers accept. */
  private static void put(Map<String, String> headers, String name, @Nullable String value) {
    String text = value == null ? null : visible(value);
    if (text != null && text.length() <= LONGEST_HEADER) {
      headers.put(name, text);
    }
  }

  /**
   * Returns the text with percent signs and everything but visible ASCII percent-encoded (RFC
   * 3986).
   */
  static String visible(String value) {
    StringBuilder text = new StringBuilder(value.length());
    for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
      if (b > ' ' && b <= '~' && b != '%') {
        text.append((char) b);
      } else {
        text.append('%').append("%02X".formatted(b));
      }
    }
    return text.toString();
  }
}
