package io.delaybridge;

import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks repeatedly whether topics and brokers still keep the rules that were checked at start,
 * because somebody may have shortened the retention of an intake. Logs each change.
 */
final class TopicRuleWatch implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(TopicRuleWatch.class);

  /** Asks Kafka. */
  interface Rules {
    /** Returns the rules that are broken now, one sentence each. */
    List<String> faults() throws ExecutionException, InterruptedException;
  }

  /** What each rule said last. */
  private final Map<Rules, List<String>> known = new LinkedHashMap<>();

  private final Gauge gauge;
  private boolean failing;

  TopicRuleWatch(List<Rules> rules, PrometheusRegistry registry) {
    rules.forEach(each -> known.put(each, List.of()));
    this.gauge =
        Gauge.builder()
            .name("delay_bridge_topic_faults")
            .help("Rules for topics and brokers that are broken, so that messages may be lost.")
            .register(registry);
  }

  /** Checks once. If Kafka does not answer for a rule, its last known state stays. */
  @Override
  public void run() {
    List<String> before = faults();
    ExecutionException failure = null;
    try {
      for (Map.Entry<Rules, List<String>> each : known.entrySet()) {
        try {
          each.setValue(each.getKey().faults());
        } catch (ExecutionException e) {
          failure = e;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    tell(before, faults());
    tell(failure);
  }

  private List<String> faults() {
    return known.values().stream().flatMap(List::stream).toList();
  }

  private void tell(List<String> before, List<String> faults) {
    gauge.set(faults.size());
    if (!faults.equals(before)) {
      if (faults.isEmpty()) {
        LOG.info("Topics and brokers meet the requirements again");
      } else {
        LOG.error("Messages may be lost: {}", String.join("; ", faults));
      }
    }
  }

  private void tell(@Nullable ExecutionException failure) {
    if (failure != null && !failing) {
      LOG.warn(
          "Kafka does not tell whether topics and brokers meet the requirements, this is tried"
              + " again: {}",
          String.valueOf(failure.getCause()));
    } else if (failure == null && failing) {
      LOG.info("Topics and brokers are checked again");
    }
    failing = failure != null;
  }
}
