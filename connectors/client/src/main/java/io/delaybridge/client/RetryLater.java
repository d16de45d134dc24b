package io.delaybridge.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a consumer does with a record that it failed on. The record goes back through the
 * intake and comes again after a pause. After the last attempt it goes to the dead-letter topic.
 * The consumer goes on at once; nothing waits behind the record.
 *
 * <pre>{@code
 * RetryLater later = RetryLater.with(Backoff.DEFAULT).hopeless(JsonException.class);
 * try {
 *   handle(record);
 * } catch (Exception e) {
 *   producer.send(later.verdict(record, e).record());
 * }
 * }</pre>
 *
 * <p>This class sends nothing itself. If the consumer has its own transaction, send the record in
 * it, together with the offsets. Otherwise, wait for the acknowledgement before committing them.
 * {@link RetryLoop} does either. Key, value and headers go out as they were read: the producer's
 * serializers must write what the consumer's deserializers read. Bytes on both sides are the safe
 * choice, and make a value that cannot be decoded a failure like any other.
 *
 * <p><b>Who gets the retry.</b> It arrives on the topic that the record came from, so every
 * consumer group of that topic sees it, including groups that did not fail. If there are several,
 * give each its own {@link #retryTopic} and let it read both. A retry is out of order with respect
 * to what came after the record. It goes to the partition that the record came from; on another
 * topic, to that of its key.
 *
 * <p><b>When the record was written.</b> The retry has the time of its delivery as its timestamp.
 * The header {@code delay-consumer-timestamp} has that of the record that failed first; see {@link
 * Arrival#originalTimestamp}.
 *
 * <p>A failure that is a {@link RetryAfter} sets its own pause.
 *
 * <p>The header {@code delay-consumer-attempt} has the number of the attempt. It is unrelated to
 * {@code delay-attempt}, which counts how often the bridge tried to reach the topic. A retry has no
 * {@code delay-id}, because it must not replace a newer message of that id. A cancel therefore does
 * not reach a retry. {@link Arrival#id} still returns the id. A retry of an occurrence of a
 * repeating message is for that occurrence. It does not repeat, and neither does a dead letter.
 *
 * <p>Records that the consumer forwards must not have the {@code delay-*} headers of the record
 * that it read. Otherwise the next consumer takes their attempts for its own.
 *
 * <p>Immutable; can be used by any number of threads.
 */
public final class RetryLater {

  static final String FAILED = "CONSUMER_FAILED";
  static final String REJECTED = "CONSUMER_REJECTED";
  private static final int LONGEST_DETAIL = 500;

  // The chain of causes may be circular.
  private static final int MOST_CAUSES = 100;

  private final Backoff backoff;
  private final Topics topics;
  private final Predicate<Exception> hopeless;
  private final InstantSource clock;
  private final DoubleSupplier random;

  private record Topics(String intake, String deadLetters, @Nullable String retries) {

    private Topics {
      if (deadLetters.equals(intake)) {
        // A dead letter is a request that is due at once, so it would come again for ever.
        throw Wire.refused("deadLetterTopic", deadLetters, "another topic than the intake");
      }
    }
  }

  private RetryLater(
      Backoff backoff,
      Topics topics,
      Predicate<Exception> hopeless,
      InstantSource clock,
      DoubleSupplier random) {
    this.backoff = backoff;
    this.topics = topics;
    this.hopeless = hopeless;
    this.clock = clock;
    this.random = random;
  }

  /** Retries any failure as often, and with the pauses, as this backoff says. */
  public static RetryLater with(Backoff backoff) {
    return with(backoff, InstantSource.system(), () -> ThreadLocalRandom.current().nextDouble());
  }

  static RetryLater with(Backoff backoff, InstantSource clock, DoubleSupplier random) {
    Topics topics = new Topics(Wire.INTAKE, Wire.DEAD_LETTER, null);
    return new RetryLater(backoff, topics, failure -> false, clock, random);
  }

  /**
   * Does not retry failures of this class and its subclasses, or with such a cause: the record
   * becomes a dead letter at once. Adds to the failures named before.
   */
  public RetryLater hopeless(Class<? extends Exception> kind) {
    return hopeless(failure -> firstOf(kind, failure) != null);
  }

  /**
   * Does not retry failures that match this predicate, which sees the failure itself and not its
   * causes. Adds to the failures named before.
   */
  public RetryLater hopeless(Predicate<Exception> kind) {
    return new RetryLater(backoff, topics, hopeless.or(kind), clock, random);
  }

  /**
   * Sets the intake to go through. The default is {@code delay-intake}.
   *
   * @throws IllegalArgumentException if Kafka would refuse the name, or if it is the topic for dead
   *     letters
   */
  public RetryLater intake(String topic) {
    return with(new Topics(Wire.topic("intake", topic), topics.deadLetters, topics.retries));
  }

  /**
   * Sets the topic for dead letters. The default is {@code delay-deadletter}.
   *
   * @throws IllegalArgumentException if Kafka would refuse the name, or if it is the intake
   */
  public RetryLater deadLetterTopic(String topic) {
    return with(new Topics(topics.intake, Wire.topic("deadLetterTopic", topic), topics.retries));
  }

  /** Returns the topic for dead letters. */
  public String deadLetterTopic() {
    return topics.deadLetters;
  }

  /**
   * Sets the topic on which retries arrive. The default is the topic that the record came from. The
   * consumer must read this topic too, and the bridge must be allowed to write to it.
   *
   * @throws IllegalArgumentException if Kafka would refuse the name
   */
  public RetryLater retryTopic(String topic) {
    return with(new Topics(topics.intake, topics.deadLetters, Wire.topic("retryTopic", topic)));
  }

  /**
   * Decides what happens to a record that the consumer failed on. Sends nothing.
   *
   * @param failed the record as it was read; not changed
   * @param failure the reason; not an interrupt or the end of the consumer, which say nothing about
   *     the record
   * @throws IllegalArgumentException if the record was read from the topic for dead letters: a dead
   *     letter of it would be read again, for ever
   */
  public <K, V> Verdict<K, V> verdict(ConsumerRecord<K, V> failed, Exception failure) {
    if (failed.topic().equals(topics.deadLetters)) {
      IllegalArgumentException refused =
          Wire.refused(
              "the topic of the failed record", failed.topic(), "another one than deadLetterTopic");
      refused.initCause(failure);
      throw refused;
    }
    int attempt = Arrival.consumerAttempt(failed.headers());
    boolean isHopeless = hopeless.test(failure);
    if (isHopeless || attempt >= backoff.maxAttempts()) {
      return new Verdict.Dead<>(dead(failed, failure, attempt, isHopeless), attempt, isHopeless);
    }
    Duration delay = delay(failure, attempt);
    return new Verdict.Retry<>(retry(failed, attempt, delay), attempt, delay);
  }

  private Duration delay(Exception failure, int attempt) {
    RetryAfter advice = firstOf(RetryAfter.class, failure);
    if (advice == null) {
      return backoff.after(attempt, random.getAsDouble());
    }
    Duration pause = advice.retryAfter();
    Duration longest = backoff.longest();
    return pause.isNegative() ? Duration.ZERO : pause.compareTo(longest) > 0 ? longest : pause;
  }

  /** Returns the failure, or the first of its causes, that is of this kind; null if none is. */
  private static <T> @Nullable T firstOf(Class<T> kind, Exception failure) {
    int left = MOST_CAUSES;
    for (Throwable cause = failure; cause != null && left > 0; cause = cause.getCause()) {
      if (kind.isInstance(cause)) {
        return kind.cast(cause);
      }
      left--;
    }
    return null;
  }

  private <K, V> ProducerRecord<K, V> retry(
      ConsumerRecord<K, V> failed, int attempt, Duration delay) {
    String target = target(failed);
    Schedule schedule = Schedule.to(target, clock).after(delay).intake(topics.intake);
    ProducerRecord<K, V> record =
        (isBack(failed, target) ? schedule.partition(failed.partition()) : schedule)
            .record(failed.key(), failed.value());
    Headers headers = record.headers();
    copyForeign(failed.headers(), headers);
    copyOrigin(failed, headers);
    Wire.put(headers, Wire.CONSUMER_ATTEMPT, attempt + 1);
    Header id = idOf(failed.headers());
    if (id != null) {
      headers.add(Wire.CONSUMER_ID, id.value());
    }
    return record;
  }

  /**
   * Builds a record that looks like a dead letter of the bridge, and like a request that is due at
   * once. If it is put back, the consumer begins again with its first attempt.
   */
  private <K, V> ProducerRecord<K, V> dead(
      ConsumerRecord<K, V> failed, Exception failure, int attempt, boolean isHopeless) {
    ProducerRecord<K, V> record =
        new ProducerRecord<>(topics.deadLetters, failed.key(), failed.value());
    Headers headers = record.headers();
    copyForeign(failed.headers(), headers);
    copyOrigin(failed, headers);
    Header id = idOf(failed.headers());
    if (id != null) {
      headers.add(Wire.ID, id.value());
    }
    String target = target(failed);
    Wire.put(headers, Wire.TARGET_TOPIC, target);
    Wire.put(headers, Wire.DELAY_MS, 0);
    if (isBack(failed, target)) {
      Wire.put(headers, Wire.TARGET_PARTITION, failed.partition());
    }
    Wire.put(headers, Wire.DEAD_REASON, isHopeless ? REJECTED : FAILED);
    Wire.put(headers, Wire.DEAD_DETAIL, detail(failure, attempt));
    Wire.put(headers, Wire.DEAD_AT, clock.millis());
    Header source = failed.headers().lastHeader(Wire.SOURCE);
    headers.add(Wire.SOURCE, source == null ? bytesOf(place(failed)) : source.value());
    Wire.put(headers, Wire.ATTEMPT, attempt);
    return record;
  }

  private String target(ConsumerRecord<?, ?> failed) {
    String retries = topics.retries();
    return retries == null ? failed.topic() : retries;
  }

  /** Another topic may have another number of partitions. */
  private static boolean isBack(ConsumerRecord<?, ?> failed, String target) {
    return target.equals(failed.topic());
  }

  private String detail(Exception failure, int attempt) {
    String text =
        "attempt %d of at most %d of the consumer: %s"
            .formatted(attempt, backoff.maxAttempts(), failure);
    return text.length() <= LONGEST_DETAIL ? text : text.substring(0, LONGEST_DETAIL) + "...";
  }

  /**
   * Copies all headers but those of the bridge: a control header would be taken for a new request.
   */
  private static void copyForeign(Headers from, Headers to) {
    for (Header header : from) {
      String name = header.key();
      if (!Wire.CONTROL.contains(name)
          && !Wire.ARRIVAL.contains(name)
          && !Wire.DEAD.contains(name)
          && !Wire.CONSUMER.contains(name)) {
        to.add(header);
      }
    }
  }

  /** Keeps the place and the timestamp of the record that failed first, over all attempts. */
  private static void copyOrigin(ConsumerRecord<?, ?> failed, Headers to) {
    Header first = failed.headers().lastHeader(Wire.CONSUMER_SOURCE);
    if (first == null) {
      to.add(Wire.CONSUMER_SOURCE, bytesOf(place(failed)));
      if (failed.timestamp() >= 0) {
        Wire.put(to, Wire.CONSUMER_TIMESTAMP, failed.timestamp());
      }
      return;
    }
    to.add(Wire.CONSUMER_SOURCE, first.value());
    Header timestamp = failed.headers().lastHeader(Wire.CONSUMER_TIMESTAMP);
    if (timestamp != null) {
      to.add(Wire.CONSUMER_TIMESTAMP, timestamp.value());
    }
  }

  private static @Nullable Header idOf(Headers headers) {
    Header id = headers.lastHeader(Wire.ID);
    return id != null ? id : headers.lastHeader(Wire.CONSUMER_ID);
  }

  private static Source place(ConsumerRecord<?, ?> record) {
    return new Source(record.topic(), record.partition(), record.offset());
  }

  private static byte[] bytesOf(Source source) {
    return source.toString().getBytes(StandardCharsets.UTF_8);
  }

  private RetryLater with(Topics other) {
    return new RetryLater(backoff, other, hopeless, clock, random);
  }
}
