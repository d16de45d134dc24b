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
 * Sends messages that arrive later, with the template and the serializers of the application.
 * Within a transaction they are part of it: asked for if it is committed, and else not.
 *
 * <p>The futures complete when Kafka has the request, not when the message is delivered. What is
 * not valid is refused with an {@link IllegalArgumentException} before anything is sent; see {@link
 * DelayedRecords}.
 *
 * <p>A message with an id can be cancelled and replaced while it is pending. The id is its key too,
 * so that all of them meet in one partition of the intake; the serializer of the keys must write
 * texts. With keys of another kind, or for an order on the target, use {@link #send} and {@link
 * #cancel(String, Object)}, with the same key in both.
 */
public interface DelayOperations {

  /**
   * Sends a request as it is; everything else here leads to this.
   *
   * @param request for the intake
   */
  CompletableFuture<SendResult<Object, Object>> send(ProducerRecord<Object, Object> request);

  /** The intake that requests go to. */
  String intake();

  /** With this template, through this intake. */
  @SuppressWarnings("unchecked") // It writes what it is given, whatever that is.
  static DelayOperations of(KafkaOperations<?, ?> operations, String intake) {
    return new KafkaDelayOperations((KafkaOperations<Object, Object>) operations, intake);
  }

  /** Delivers a message after this delay. It has no key, and cannot be cancelled. */
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

  /** Delivers a message at this instant. It has no key, and cannot be cancelled. */
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
   * Puts another message in the place of the pending one with this id. If that was delivered
   * already, this one is delivered nevertheless.
   */
  default CompletableFuture<SendResult<Object, Object>> replace(
      String id, Duration delay, String target, @Nullable Object value) {
    return send(DelayedRecords.replace(id).to(target).after(delay), id, value);
  }

  /** The same, due at an instant. */
  default CompletableFuture<SendResult<Object, Object>> replace(
      String id, Instant due, String target, @Nullable Object value) {
    return send(DelayedRecords.replace(id).to(target).at(due), id, value);
  }

  /**
   * Takes back the pending message with this id. If there is none, because it was delivered or
   * never was, nothing happens and nobody is told.
   */
  default CompletableFuture<SendResult<Object, Object>> cancel(String id) {
    return cancel(id, id);
  }

  /** The same, of a message that was sent with this key. */
  default CompletableFuture<SendResult<Object, Object>> cancel(String id, Object key) {
    return send(DelayedRecords.cancel(id).intake(intake()).record(key));
  }

  /**
   * Sends with all that a {@link Schedule} can say, such as that it repeats, and with a key of
   * one's own; its intake is replaced by {@link #intake}.
   *
   * @param key null only without an id
   */
  default CompletableFuture<SendResult<Object, Object>> send(
      Schedule schedule, @Nullable Object key, @Nullable Object value) {
    return send(schedule.intake(intake()).<Object, Object>record(key, value));
  }
}
