package io.delaybridge.admin.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.health.HealthCheck;
import io.delaybridge.admin.metrics.DeadLetterMetrics;
import io.delaybridge.deadletter.index.IndexStatus;
import io.delaybridge.deadletter.index.IndexStatus.State;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import org.junit.jupiter.api.Test;

class DeadLettersHealthCheckTest {

  private static HealthCheck.Result check(IndexStatus status) {
    return new DeadLettersHealthCheck(() -> status).check();
  }

  @Test
  void anIndexThatAnswersOrIsBeingReadIsHealthy() {
    assertThat(check(new IndexStatus(State.RUNNING, null, 5, 4, 3, 2)))
        .satisfies(result -> assertThat(result.isHealthy()).isTrue())
        .satisfies(
            result ->
                assertThat(result.getMessage())
                    .startsWith("5 letters, 4 marks, 3 records skipped, 2 letters forgotten"));
    assertThat(check(new IndexStatus(State.STARTING, null, 0, 0, 0, 0)).isHealthy()).isTrue();
  }

  @Test
  void anIndexThatIsDownSaysWhy() {
    HealthCheck.Result result = check(new IndexStatus(State.DOWN, "no such topic", 0, 0, 0, 0));

    assertThat(result.isHealthy()).isFalse();
    assertThat(result.getMessage()).contains("delivery continues", "no such topic");
  }

  @Test
  void prometheusIsToldTheSame() {
    PrometheusRegistry registry = new PrometheusRegistry();
    DeadLetterMetrics.register(registry, () -> new IndexStatus(State.RUNNING, null, 5, 4, 3, 2));

    assertThat(registry.scrape().stream().map(Object::toString)).hasSize(5);
    assertThat(registry.scrape().stream().map(snapshot -> snapshot.getMetadata().getName()))
        .containsExactlyInAnyOrder(
            "delay_bridge_deadletter_index_up",
            "delay_bridge_deadletter_index_letters",
            "delay_bridge_deadletter_index_marks",
            "delay_bridge_deadletter_index_skipped",
            "delay_bridge_deadletter_index_evicted");
  }
}
