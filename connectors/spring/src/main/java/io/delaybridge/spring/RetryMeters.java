package io.delaybridge.spring;

import io.delaybridge.client.Verdict;
import io.micrometer.core.instrument.MeterRegistry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Two counters with the tag {@code topic}: {@code delay.bridge.listener.retried} and {@code
 * delay.bridge.listener.given.up}.
 */
final class RetryMeters implements DelayBridgeRecoverer.Listener {

  static final String RETRIED = "delay.bridge.listener.retried";
  static final String GIVEN_UP = "delay.bridge.listener.given.up";

  private final ObjectProvider<MeterRegistry> registries;

  /** Looks up the registry when something is counted, because it may be created later than this. */
  RetryMeters(ObjectProvider<MeterRegistry> registries) {
    this.registries = registries;
  }

  @Override
  public void settled(ConsumerRecord<?, ?> record, Verdict<?, ?> verdict) {
    String name = verdict instanceof Verdict.Retry ? RETRIED : GIVEN_UP;
    registries.ifAvailable(registry -> registry.counter(name, "topic", record.topic()).increment());
  }
}
