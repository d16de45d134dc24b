package io.delaybridge.client.kafka4;

import io.delaybridge.client.RetryLater;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.util.backoff.FixedBackOff;

final class SpringRetry {

  private SpringRetry() {}

  // snippet: handler
  /**
   * The error handler of a listener container: no attempt in place, every failure to the bridge.
   */
  static DefaultErrorHandler errorHandler(
      KafkaTemplate<Object, Object> template, RetryLater later) {
    return new DefaultErrorHandler(
        (record, failure) -> template.send(next(later, record, failure)).join(),
        new FixedBackOff(0, 0));
  }

  @SuppressWarnings("unchecked") // The template writes what the listener reads.
  private static ProducerRecord<Object, Object> next(
      RetryLater later, ConsumerRecord<?, ?> record, Exception failure) {
    Exception cause =
        failure instanceof ListenerExecutionFailedException
                && failure.getCause() instanceof Exception inner
            ? inner
            : failure;
    return later.verdict((ConsumerRecord<Object, Object>) record, cause).record();
  }
  // end
}
