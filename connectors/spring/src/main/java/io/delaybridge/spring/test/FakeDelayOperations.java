package io.delaybridge.spring.test;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.delaybridge.client.DelayedRecords;
import io.delaybridge.spring.DelayOperations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.SendResult;

/**
 * Keeps the messages that it is told to send later, instead of sending them. For tests of code that
 * uses {@link DelayOperations}. It knows ids as the bridge does: a later request with the same id
 * and key replaces the pending message, and a cancel removes it. Nothing is ever delivered, so a
 * repeating message is pending until it is replaced or cancelled.
 *
 * <p>Can be used by any number of threads.
 */
public final class FakeDelayOperations implements DelayOperations {

  private static final long NOWHERE = -1;

  private final List<ProducerRecord<Object, Object>> requests = new ArrayList<>();

  /**
   * A message that would arrive.
   *
   * @param delay counted from the request; null if the message is due at an instant, or by a cron
   *     expression alone
   * @param due null if the message is due after a delay, or by a cron expression alone
   * @param every the interval at which it repeats; null if it does not repeat, or repeats by a cron
   *     expression
   * @param cron when it repeats; null if it does not repeat, or repeats at an interval
   */
  public record Pending(
      String target,
      @Nullable Duration delay,
      @Nullable Instant due,
      @Nullable String id,
      @Nullable Object key,
      @Nullable Object value,
      @Nullable Duration every,
      @Nullable String cron) {}

  @Override
  public String intake() {
    return "delay-intake";
  }

  @Override
  public synchronized CompletableFuture<SendResult<Object, Object>> send(
      ProducerRecord<Object, Object> request) {
    DelayedRecords.checked(request);
    String id = text(request, "delay-id");
    if (id != null) {
      requests.removeIf(
          other ->
              id.equals(text(other, "delay-id")) && Objects.equals(other.key(), request.key()));
    }
    if (!"cancel".equals(text(request, "delay-op"))) {
      requests.add(request);
    }
    RecordMetadata nowhere =
        new RecordMetadata(new TopicPartition(request.topic(), 0), NOWHERE, 0, NOWHERE, 0, 0);
    return CompletableFuture.completedFuture(new SendResult<>(request, nowhere));
  }

  /** Returns what would still arrive, in the order of the requests. */
  public synchronized List<Pending> pending() {
    return requests.stream().map(FakeDelayOperations::pending).toList();
  }

  private static Pending pending(ProducerRecord<Object, Object> request) {
    String delay = text(request, "delay-ms");
    String due = text(request, "delay-deliver-at");
    String every = text(request, "delay-every");
    return new Pending(
        String.valueOf(text(request, "delay-target-topic")),
        delay == null ? null : Duration.ofMillis(Long.parseLong(delay)),
        due == null ? null : Instant.ofEpochMilli(Long.parseLong(due)),
        text(request, "delay-id"),
        request.key(),
        request.value(),
        every == null ? null : Duration.parse(every),
        text(request, "delay-cron"));
  }

  private static @Nullable String text(ProducerRecord<?, ?> request, String name) {
    Header header = request.headers().lastHeader(name);
    return header == null ? null : new String(header.value(), UTF_8);
  }
}
