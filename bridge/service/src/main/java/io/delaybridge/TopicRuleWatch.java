package io.delaybridge;

import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.concurrent.ExecutionException;
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

  private final Rules rules;
  private final Gauge gauge;
  private List<String> known = List.of();

  TopicRuleWatch(Rules rules, PrometheusRegistry registry) {
    this.rules = rules;
    this.gauge =
        Gauge.builder()
            .name("delay_bridge_topic_faults")
            .help("Rules for topics and brokers that are broken, so that messages may be lost.")
            .register(registry);
  }

  /** Checks once. If Kafka does not answer, the last known state stays. */
  @Override
  public void run() {
    try {
      tell(rules.faults());
    } catch (ExecutionException e) {
      LOG.debug("The configuration of the topics cannot be read from Kafka", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void tell(List<String> faults) {
    gauge.set(faults.size());
    if (!faults.equals(known)) {
      if (faults.isEmpty()) {
        LOG.info("Topics and brokers meet the requirements again");
      } else {
        LOG.error("Messages may be lost: {}", String.join("; ", faults));
      }
      known = faults;
    }
  }
}
