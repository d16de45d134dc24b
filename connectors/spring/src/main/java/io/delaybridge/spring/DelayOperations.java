package io.delaybridge.spring;

import io.delaybridge.client.DelayedRecords;
import io.delaybridge.client.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.support.SendResult;

/**
 * Sends messages that arrive later, with the template and the serializers of the application. In a
 * Kafka transaction, a request takes effect only if the transaction is committed. A template
 * without transactions sends at once, also while a transaction of a database is open.
 *
 * <p>The futures complete when Kafka has the request, not when the message is delivered. An invalid
 * request is refused with an {@link IllegalArgumentException} before anything is sent; see {@link
 * DelayedRecords}.
 *
 * <p>A message with an id can be cancelled and replaced while it is pending. The id is also its
 * key, so that all requests with it meet in one partition of the intake. The key serializer must
 * therefore write text. With keys of another type, or to keep an order on the target, use {@link
 * #send} and {@link #cancel(String, Object)}, with the same key in both.
 */
public interface DelayOperations {

  /**
   * Sends a request as it is. All other methods here lead to this one.
   *
   * @param request for the intake
   * @throws IllegalArgumentException if the name of a header begins with {@code delay-} and the
   *     bridge does not know it; if its intake lets such headers pass, send it with the template
   */
  CompletableFuture<SendResult<Object, Object>> send(ProducerRecord<Object, Object> request);

  /** Returns the intake that requests go to. */
  String intake();

  /** Sends with this template, through this intake. */
  @SuppressWarnings("unchecked") // It writes what it is given, whatever its type.
  static DelayOperations of(KafkaOperations<?, ?> operations, String intake) {
    return new KafkaDelayOperations((KafkaOperations<Object, Object>) operations, intake);
  }

  /** Delivers a message after this delay. The message has no key and cannot be cancelled. */
  default CompletableFuture<SendResult<Object, Object>> after(
      Duration delay, String target, @Nullable Object value) {
    return send(DelayedRecords.to(target).after(delay), null, value);
  }

  /**
   * Delivers a message after this delay, unless it is cancelled before.
   *
   * @param id names the message, 1 to 256 bytes of UTF-8
   */
  default CompletableFuture<SendResult<Object, Object>> after(
      Duration delay, String target, String id, @Nullable Object value) {
    return send(DelayedRecords.to(target).after(delay).id(id), id, value);
  }

  /** Delivers a message at this instant. The message has no key and cannot be cancelled. */
  default CompletableFuture<SendResult<Object, Object>> at(
      Instant due, String target, @Nullable Object value) {
    return send(DelayedRecords.to(target).at(due), null, value);
  }

  /**
   * Delivers a message at this instant, unless it is cancelled before.
   *
   * @param id names the message, 1 to 256 bytes of UTF-8
   */
  default CompletableFuture<SendResult<Object, Object>> at(
      Instant due, String target, String id, @Nullable Object value) {
    return send(DelayedRecords.to(target).at(due).id(id), id, value);
  }

  /**
   * Replaces the pending message with this id. If it was already delivered, the new one is
   * delivered nevertheless.
   */
  default CompletableFuture<SendResult<Object, Object>> replace(
      String id, Duration delay, String target, @Nullable Object value) {
    return send(DelayedRecords.replace(id).to(target).after(delay), id, value);
  }

  /** As {@link #replace(String, Duration, String, Object)}, but due at an instant. */
  default CompletableFuture<SendResult<Object, Object>> replace(
      String id, Instant due, String target, @Nullable Object value) {
    return send(DelayedRecords.replace(id).to(target).at(due), id, value);
  }

  /**
   * Cancels the pending message with this id. If there is none, because it was delivered or never
   * existed, nothing happens and nobody is told.
   */
  default CompletableFuture<SendResult<Object, Object>> cancel(String id) {
    return cancel(id, id);
  }

  /** As {@link #cancel(String)}, for a message that was sent with this key. */
  default CompletableFuture<SendResult<Object, Object>> cancel(String id, Object key) {
    return send(DelayedRecords.cancel(id).intake(intake()).record(key));
  }

  /**
   * Sends everything that a {@link Schedule} can express, such as a repetition, and with your own
   * key. {@link #intake} replaces the intake of the schedule.
   *
   * @param key null only without an id
   */
  default CompletableFuture<SendResult<Object, Object>> send(
      Schedule schedule, @Nullable Object key, @Nullable Object value) {
    return send(schedule.intake(intake()).<Object, Object>record(key, value));
  }
}
