package io.delaybridge.spring;

import io.delaybridge.client.RetryLater;
import io.delaybridge.client.Verdict;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.log.LogAccessor;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.RoutingKafkaTemplate;
import org.springframework.kafka.listener.AfterRollbackProcessor;
import org.springframework.kafka.listener.ConsumerAwareRecordRecoverer;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.support.KafkaUtils;
import org.springframework.kafka.support.serializer.DeserializationException;
import org.springframework.util.backoff.FixedBackOff;

/**
 * Retries a record later when a listener has failed on it. The record goes through the intake back
 * to the topic that it came from, after a pause that grows with the attempts. After the last
 * attempt it goes to a dead-letter topic. The container goes on with the next record at once.
 *
 * <p>A container uses it through its {@link #errorHandler}, or through {@link #afterRollback} if it
 * has a Kafka transaction manager. When it returns, the record that it sent has been acknowledged,
 * and is part of the transaction if one is open. If the record could not be sent, it throws, and
 * Spring Kafka delivers the original again.
 *
 * <p>The template writes key and value. Bytes that the container reads go out unchanged if the
 * template writes bytes as they are; see {@link RetryTemplate}.
 *
 * <p>Every consumer group of the topic gets the retry, including groups that did not fail. With
 * {@link #retryTopics}, it arrives on a topic of the group's own.
 *
 * <p>Immutable; can be used by any number of containers and threads.
 */
public final class DelayBridgeRecoverer implements ConsumerAwareRecordRecoverer {

  private static final LogAccessor LOG = new LogAccessor(DelayBridgeRecoverer.class);

  private static final String ATTEMPT = "delay-consumer-attempt";

  /** Both mean the same to a producer. */
  private static final Set<String> ALL = Set.of("all", "-1");

  private final KafkaOperations<Object, Object> operations;
  private final RetryLater later;
  private final Options options;

  /**
   * The optional settings.
   *
   * @param deadLetters null for the dead-letter topic of {@link RetryLater}
   */
  private record Options(
      UnaryOperator<String> retryTopics,
      @Nullable ConsumerAwareRecordRecoverer deadLetters,
      Listener listener) {}

  /**
   * Is told what happened to a record that a listener failed on, for metrics. What it throws is
   * logged.
   */
  @FunctionalInterface
  public interface Listener {

    /**
     * The record was sent, or is part of the open transaction.
     *
     * @param record the record that the listener failed on
     */
    void settled(ConsumerRecord<?, ?> record, Verdict<?, ?> verdict);
  }

  private DelayBridgeRecoverer(
      KafkaOperations<Object, Object> operations, RetryLater later, Options options) {
    this.operations = operations;
    this.later = later;
    this.options = options;
  }

  /**
   * Retries on the topic that the record came from. A record that is given up becomes Spring's dead
   * letter, on the topic with the suffix {@code -dlt}. Failures that Spring Kafka does not retry,
   * such as a value that cannot be deserialized, are final. So is each failure on a record of the
   * bridge's own topic for dead letters.
   *
   * @param operations writes to the intake and to the dead-letter topic
   * @param later how often, with which pauses, through which intake
   * @throws IllegalArgumentException if it is a template whose producers do not wait for all
   *     replicas: a retry that Kafka has not stored would count as written
   */
  @SuppressWarnings("unchecked") // It writes what the listeners read, whatever its type.
  public static DelayBridgeRecoverer with(KafkaOperations<?, ?> operations, RetryLater later) {
    checkAcks(operations);
    return new DelayBridgeRecoverer(
            (KafkaOperations<Object, Object>) operations,
            later,
            new Options(
                topic -> topic,
                new DeadLetterPublishingRecoverer(operations),
                (record, verdict) -> {}))
        .finalFailures(Failures.neverRetriedBySpring());
  }

  private static void checkAcks(KafkaOperations<?, ?> operations) {
    // A routing template has no factory of its own.
    if (operations instanceof KafkaTemplate<?, ?> template
        && !(template instanceof RoutingKafkaTemplate)) {
      Object acks =
          template
              .getProducerFactory()
              .getConfigurationProperties()
              .get(ProducerConfig.ACKS_CONFIG);
      if (acks != null && !ALL.contains(acks.toString().strip().toLowerCase(Locale.ROOT))) {
        throw new IllegalArgumentException(
            "acks of the recoverer's template is '%s', allowed: all; that of a RetryTemplate has it"
                .formatted(acks));
      }
    }
  }

  /**
   * Does not retry failures of these classes, or with a cause of one of them. Adds to the classes
   * named before.
   */
  public DelayBridgeRecoverer finalFailures(List<Class<? extends Throwable>> kinds) {
    return new DelayBridgeRecoverer(
        operations, later.hopeless(failure -> Failures.isAny(failure, kinds)), options);
  }

  /**
   * Sets where retries arrive, instead of on the topic that the record came from. The listener must
   * read that topic too, and the bridge must be allowed to write to it.
   *
   * @param retryTopics maps the topic that a record came from, which may be a retry topic itself
   */
  public DelayBridgeRecoverer retryTopics(UnaryOperator<String> retryTopics) {
    return with(new Options(retryTopics, options.deadLetters, options.listener));
  }

  /**
   * Sets what is done with a record that is given up, instead of Spring's own. It gets the record
   * without the number of its attempt. To be part of the transaction of {@link #afterRollback}, it
   * must send with the same template.
   */
  public DelayBridgeRecoverer deadLetters(ConsumerAwareRecordRecoverer deadLetters) {
    return with(new Options(options.retryTopics, deadLetters, options.listener));
  }

  /**
   * Writes dead letters as the bridge does, with reason and detail, all on one topic. The dashboard
   * shows {@code delay-deadletter}.
   *
   * @throws IllegalArgumentException if Kafka would refuse the name
   */
  public DelayBridgeRecoverer deadLetterTopic(String topic) {
    return new DelayBridgeRecoverer(
        operations,
        later.deadLetterTopic(topic),
        new Options(options.retryTopics, null, options.listener));
  }

  /** Replaces the listener. */
  public DelayBridgeRecoverer listener(Listener listener) {
    return with(new Options(options.retryTopics, options.deadLetters, listener));
  }

  private DelayBridgeRecoverer with(Options other) {
    return new DelayBridgeRecoverer(operations, later, other);
  }

  /**
   * Returns a handler for a container without a Kafka transaction manager. There is no attempt in
   * place: each record that a listener fails on comes here at once. In a batch, that is the record
   * that a {@code BatchListenerFailedException} names. The records before it are committed, and
   * those behind it are delivered again. Without that exception, all records of the batch come
   * here. If the record cannot be sent, it is delivered again after a second.
   */
  public DefaultErrorHandler errorHandler() {
    // It seeks after a failure, so that a poll and a commit follow each failure. A whole poll of
    // failures may take longer than the group waits, and would then be sent again and again.
    DefaultErrorHandler handler = new DefaultErrorHandler(this, new FixedBackOff(0, 0));
    // With AckMode.MANUAL_IMMEDIATE nobody else would commit a record that came here.
    handler.setCommitRecovered(true);
    handler.setRetryListeners(new PauseAfterFailure());
    return handler;
  }

  /**
   * Returns a processor for a container with a Kafka transaction manager. First the transaction of
   * the listener is rolled back, with everything that the listener sent. Then one new transaction
   * contains the retry or the dead letter, and the offset of the record. If that fails, the record
   * is delivered again after a second.
   *
   * <p>Do not also give the container an error handler. It would work within the transaction of the
   * listener and commit it, with everything that the listener sent before it failed.
   *
   * <p><b>Batches.</b> A batch listener is rolled back as a whole, so no record of it can be
   * settled alone. Spring Kafka delivers the batch again in place, and so does this processor,
   * after a second. If the container has {@code batchRecoverAfterRollback}, all records of the
   * batch come here instead.
   *
   * @throws IllegalArgumentException if the template has no transactions
   */
  public <K, V> AfterRollbackProcessor<K, V> afterRollback() {
    return new RetryAfterRollback<>(this);
  }

  /** Returns the template that it sends with. To be part of its transaction, use the same one. */
  KafkaOperations<Object, Object> operations() {
    return operations;
  }

  /**
   * Sends the record to the intake, or gives it up.
   *
   * @throws KafkaException if the write was not acknowledged
   */
  @Override
  public void accept(
      ConsumerRecord<?, ?> record,
      @Nullable Consumer<?, ?> consumer,
      @Nullable Exception exception) {
    DeserializationException undecoded = Undecoded.why(record);
    Exception failure = undecoded == null ? Failures.unwrapped(exception) : undecoded;
    RetryLater each = undecoded == null ? later : later.hopeless(any -> true);
    if (options.deadLetters != null && record.topic().equals(later.deadLetterTopic())) {
      // The bridge delivers nothing to that topic.
      each = each.hopeless(any -> true).deadLetterTopic(record.topic() + "-dlt");
    }
    Verdict<Object, Object> verdict =
        each.retryTopic(options.retryTopics.apply(record.topic()))
            .verdict(Undecoded.restored(record), failure);
    if (verdict instanceof Verdict.Dead && options.deadLetters != null) {
      options.deadLetters.accept(atFirstAttempt(record), consumer, exception);
    } else {
      send(verdict.record());
    }
    log(record, verdict, failure);
    tell(record, verdict);
  }

  /** Who reads the dead letter, or the record when it is put back, begins to count anew. */
  private static ConsumerRecord<?, ?> atFirstAttempt(ConsumerRecord<?, ?> record) {
    return Copies.of(record, record.key(), record.value(), name -> !name.equals(ATTEMPT));
  }

  /** A listener that fails must not have the record retried once more. */
  private void tell(ConsumerRecord<?, ?> record, Verdict<?, ?> verdict) {
    try {
      options.listener.settled(record, verdict);
    } catch (RuntimeException e) {
      LOG.error(e, () -> "The listener was not told of " + KafkaUtils.format(record));
    }
  }

  private static void log(ConsumerRecord<?, ?> record, Verdict<?, ?> verdict, Exception failure) {
    String place = KafkaUtils.format(record);
    if (verdict instanceof Verdict.Retry<?, ?> retry) {
      LOG.debug(
          failure,
          () ->
              "Attempt %d of %s failed, the next one in %s"
                  .formatted(retry.attempt(), place, retry.delay()));
    } else {
      LOG.warn(
          failure,
          () -> "Record %s is given up after attempt %d".formatted(place, verdict.attempt()));
    }
  }

  private void send(ProducerRecord<Object, Object> record) {
    if (operations.isTransactional()
        && !operations.inTransaction()
        && !operations.isAllowNonTransactional()) {
      operations.executeInTransaction(own -> acknowledged(own, record));
    } else {
      acknowledged(operations, record);
    }
  }

  private static boolean acknowledged(
      KafkaOperations<Object, Object> operations, ProducerRecord<Object, Object> record) {
    try {
      operations.send(record).get();
      return true;
    } catch (ExecutionException e) {
      throw new KafkaException("Could not write to " + record.topic(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaException("Interrupted while writing to " + record.topic(), e);
    }
  }
}
