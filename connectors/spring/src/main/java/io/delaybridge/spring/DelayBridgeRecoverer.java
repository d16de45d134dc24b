package io.delaybridge.spring;

import io.delaybridge.client.RetryLater;
import io.delaybridge.client.Verdict;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.log.LogAccessor;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.listener.AfterRollbackProcessor;
import org.springframework.kafka.listener.ConsumerAwareRecordRecoverer;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.support.KafkaUtils;
import org.springframework.util.backoff.FixedBackOff;

/**
 * Lets a listener that failed have its record again later: the record goes through the intake back
 * to the topic that it came from, due after a pause that grows with the attempts, and after the
 * last attempt to a dead-letter topic. The container goes on with the next record at once.
 *
 * <p>A container gets it by its {@link #errorHandler}, one with a Kafka transaction manager by
 * {@link #afterRollback}. What it sends has been acknowledged when it returns, and is part of the
 * transaction if one is open; if it could not be sent, it throws, and Spring Kafka delivers the
 * record again.
 *
 * <p>Key and value go out as the template writes them. What the container reads as bytes goes out
 * as the same bytes if the template writes bytes so; see {@link RetryTemplate}.
 *
 * <p>Every consumer group of the topic gets the retry, also those that did not fail. {@link
 * #retryTopics} makes it arrive on a topic of the group's own.
 *
 * <p>Immutable; can be used by any number of containers and threads.
 */
public final class DelayBridgeRecoverer implements ConsumerAwareRecordRecoverer {

  private static final LogAccessor LOG = new LogAccessor(DelayBridgeRecoverer.class);

  private final KafkaOperations<Object, Object> operations;
  private final RetryLater later;
  private final Options options;

  /**
   * What may be set.
   *
   * @param deadLetters null for the dead-letter topic of {@link RetryLater}
   */
  private record Options(
      UnaryOperator<String> retryTopics,
      @Nullable ConsumerAwareRecordRecoverer deadLetters,
      Listener listener) {}

  /** Is told what became of a record that a listener failed on, for metrics. */
  @FunctionalInterface
  public interface Listener {

    /**
     * It was sent, or is part of the transaction that is open.
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
   * Retries on the topic that the record came from; in the end Spring's dead letter, on the topic
   * with {@code -dlt} behind its name. Failures that Spring Kafka does not try again, such as a
   * value that cannot be deserialized, are final.
   *
   * @param operations writes to the intake and to the dead-letter topic
   * @param later how often, with which pauses, through which intake
   */
  @SuppressWarnings("unchecked") // It writes what the listeners read, whatever that is.
  public static DelayBridgeRecoverer with(KafkaOperations<?, ?> operations, RetryLater later) {
    return new DelayBridgeRecoverer(
            (KafkaOperations<Object, Object>) operations,
            later,
            new Options(
                topic -> topic,
                new DeadLetterPublishingRecoverer(operations),
                (record, verdict) -> {}))
        .finalFailures(Failures.neverRetriedBySpring());
  }

  /**
   * Failures of these classes, or with a cause of one of them, are not tried again. In addition to
   * what was named before.
   */
  public DelayBridgeRecoverer finalFailures(List<Class<? extends Throwable>> kinds) {
    return new DelayBridgeRecoverer(
        operations, later.hopeless(failure -> Failures.isAny(failure, kinds)), options);
  }

  /**
   * Where retries arrive, instead of on the topic that the record came from. The listener must read
   * that topic too, and the bridge be allowed to write to it.
   *
   * @param retryTopics from the topic that a record came from, which may be a retry topic itself
   */
  public DelayBridgeRecoverer retryTopics(UnaryOperator<String> retryTopics) {
    return with(new Options(retryTopics, options.deadLetters, options.listener));
  }

  /**
   * What is done with a record that is given up, instead of Spring's own. To be part of the
   * transaction of {@link #afterRollback}, it must send with the same template.
   */
  public DelayBridgeRecoverer deadLetters(ConsumerAwareRecordRecoverer deadLetters) {
    return with(new Options(options.retryTopics, deadLetters, options.listener));
  }

  /**
   * Dead letters as the bridge itself writes them, with reason and detail, on one topic for all:
   * {@code delay-deadletter} is the one that the dashboard shows.
   *
   * @throws IllegalArgumentException if Kafka would refuse the name
   */
  public DelayBridgeRecoverer deadLetterTopic(String topic) {
    return new DelayBridgeRecoverer(
        operations,
        later.deadLetterTopic(topic),
        new Options(options.retryTopics, null, options.listener));
  }

  /** Is told instead of who was before. */
  public DelayBridgeRecoverer listener(Listener listener) {
    return with(new Options(options.retryTopics, options.deadLetters, listener));
  }

  private DelayBridgeRecoverer with(Options other) {
    return new DelayBridgeRecoverer(operations, later, other);
  }

  /**
   * For a container without a Kafka transaction manager. There is no attempt in place: each record
   * that a listener fails on comes here at once. Of a batch, that is the one that a {@code
   * BatchListenerFailedException} names; what is before it is committed, and what is behind it
   * delivered again. Without that exception, it is all of them.
   */
  public DefaultErrorHandler errorHandler() {
    return new DefaultErrorHandler(this, new FixedBackOff(0, 0));
  }

  /**
   * For a container with a Kafka transaction manager. The transaction of the listener has been
   * rolled back, and with it all that the listener sent; then one new transaction has the retry or
   * the dead letter, and the offset of the record. If that fails, the record is delivered again
   * after a second.
   *
   * <p>Do not give the container an error handler besides: that one works within the transaction of
   * the listener and commits it, with all that the listener sent before it failed.
   *
   * <p><b>Batches.</b> A batch listener is rolled back as a whole, so no record of it can be
   * settled alone. Spring Kafka delivers it again in place, and so does this, after a second. If
   * the container has {@code batchRecoverAfterRollback}, all records of the batch come here
   * instead.
   *
   * @throws IllegalArgumentException if the template has no transactions
   */
  public <K, V> AfterRollbackProcessor<K, V> afterRollback() {
    return new RetryAfterRollback<>(this);
  }

  /** What it sends with: whoever wants to be part of its transaction needs the same. */
  KafkaOperations<Object, Object> operations() {
    return operations;
  }

  /**
   * Sends the record to the intake, or gives it up.
   *
   * @throws KafkaException if it was not acknowledged
   */
  @Override
  public void accept(
      ConsumerRecord<?, ?> record,
      @Nullable Consumer<?, ?> consumer,
      @Nullable Exception exception) {
    Exception failure = Failures.unwrapped(exception);
    Verdict<Object, Object> verdict =
        later
            .retryTopic(options.retryTopics.apply(record.topic()))
            .verdict(Undecoded.restored(record, failure), failure);
    if (verdict instanceof Verdict.Dead && options.deadLetters != null) {
      options.deadLetters.accept(record, consumer, exception);
    } else {
      send(verdict.record());
    }
    log(record, verdict, failure);
    options.listener.settled(record, verdict);
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
      LOG.warn(failure, () -> "Given up %s after attempt %d".formatted(place, verdict.attempt()));
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
