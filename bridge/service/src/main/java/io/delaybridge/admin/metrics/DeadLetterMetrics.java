package io.delaybridge.admin.metrics;

import io.delaybridge.deadletter.index.IndexStatus;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** The metrics of the index of dead letters, for Prometheus. */
public final class DeadLetterMetrics {

  private static final String PREFIX = "delay_bridge_deadletter_index_";

  private DeadLetterMetrics() {}

  /** Adds the metrics; the index is asked at each scrape. */
  public static void register(PrometheusRegistry registry, Supplier<IndexStatus> index) {
    gauge(
        registry,
        index,
        "up",
        "1 if the index of dead letters answers.",
        status -> status.state() == IndexStatus.State.RUNNING ? 1 : 0);
    gauge(registry, index, "letters", "Dead letters in the index.", IndexStatus::letters);
    gauge(
        registry,
        index,
        "marks",
        "Dead letters that were replayed or handled.",
        IndexStatus::marks);
    counter(
        registry,
        index,
        "skipped",
        "Records that are not dead letters or marks of a bridge.",
        IndexStatus::skipped);
    counter(
        registry,
        index,
        "evicted",
        "Dead letters that the index forgot because there were too many.",
        IndexStatus::evicted);
  }

  private static void gauge(
      PrometheusRegistry registry,
      Supplier<IndexStatus> index,
      String name,
      String help,
      ToDoubleFunction<IndexStatus> value) {
    GaugeWithCallback.builder()
        .name(PREFIX + name)
        .help(help)
        .callback(callback -> callback.call(value.applyAsDouble(index.get())))
        .register(registry);
  }

  private static void counter(
      PrometheusRegistry registry,
      Supplier<IndexStatus> index,
      String name,
      String help,
      ToDoubleFunction<IndexStatus> value) {
    CounterWithCallback.builder()
        .name(PREFIX + name)
        .help(help)
        .callback(callback -> callback.call(value.applyAsDouble(index.get())))
        .register(registry);
  }
}
