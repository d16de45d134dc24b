package io.delaybridge.admin.health;

import com.codahale.metrics.health.HealthCheck;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;

/** Healthy if a broker answers. */
public final class KafkaHealthCheck extends HealthCheck {

  private final Callable<Integer> brokers;

  /** Takes what asks Kafka for the number of its brokers, within a bounded time. */
  public KafkaHealthCheck(Callable<Integer> brokers) {
    this.brokers = brokers;
  }

  @Override
  protected Result check() throws Exception {
    try {
      return Result.healthy("%d brokers", brokers.call());
    } catch (ExecutionException e) {
      return Result.unhealthy("Kafka does not answer: %s", e.getCause());
    }
  }
}
