package io.delaybridge.spring;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.RetryListener;

/**
 * Waits for a second when neither a retry nor a dead letter could be written. The listener gets the
 * record again, and what it does each time must not be done as fast as it can.
 */
final class PauseAfterFailure implements RetryListener {

  private static final long PAUSE_MS = 1_000;

  @Override
  public void failedDelivery(
      ConsumerRecord<?, ?> record, @Nullable Exception failure, int attempt) {}

  @Override
  public void recoveryFailed(
      ConsumerRecord<?, ?> record, @Nullable Exception original, Exception failure) {
    pause();
  }

  @Override
  public void recoveryFailed(
      ConsumerRecords<?, ?> records, @Nullable Exception original, Exception failure) {
    pause();
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      // The container is stopped.
      Thread.currentThread().interrupt();
    }
  }
}
