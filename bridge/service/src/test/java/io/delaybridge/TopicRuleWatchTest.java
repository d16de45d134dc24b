package io.delaybridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class TopicRuleWatchTest {

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private List<String> broken = List.of();
  private List<String> deleted = List.of();
  private boolean away;
  private final TopicRuleWatch watch =
      new TopicRuleWatch(
          List.of(
              () -> {
                if (away) {
                  throw new ExecutionException(new TimeoutException("away"));
                }
                return broken;
              },
              () -> deleted),
          registry);

  private double faults() {
    watch.run();
    return ((GaugeSnapshot) registry.scrape().stream().findFirst().orElseThrow())
        .getDataPoints()
        .get(0)
        .getValue();
  }

  @Test
  void rulesThatAreBrokenWhileTheBridgeRunsAreCounted() {
    assertThat(faults()).isZero();

    broken = List.of("retention.ms is too short", "cleanup.policy is compact");
    assertThat(faults()).isEqualTo(2);

    broken = List.of();
    assertThat(faults()).isZero();
  }

  @Test
  void whatIsKnownStaysWhileKafkaIsAway() {
    broken = List.of("retention.ms is too short");
    faults();

    away = true;
    assertThat(faults()).isEqualTo(1);
  }

  @Test
  void whatCannotBeCheckedHidesNothingElse() {
    away = true;
    deleted = List.of("offsets 3 to 7 were deleted");

    assertThat(faults()).isEqualTo(1);
  }
}
