package io.delaybridge.admin.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.health.HealthCheck;
import io.delaybridge.message.ShardId;
import io.delaybridge.shard.LoopStatus;
import io.delaybridge.shard.Statuses;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadinessTest {

  private HealthCheck.Result redis = HealthCheck.Result.healthy();
  private LoopStatus.State loop = LoopStatus.State.RUNNING;

  private final Readiness readiness =
      new Readiness(
          check(HealthCheck.Result.healthy()),
          new HealthCheck() {
            @Override
            protected Result check() {
              return redis;
            }
          },
          List.of(this::status));

  private static HealthCheck check(HealthCheck.Result result) {
    return new HealthCheck() {
      @Override
      protected Result check() {
        return result;
      }
    };
  }

  private LoopStatus status() {
    return Statuses.loop(loop, new ShardId("in", 0), 1);
  }

  @Test
  void aBridgeThatIsLateIsReady() {
    assertThat(readiness.get()).isEmpty();
  }

  @Test
  void itIsNotReadyWithoutRedisOrALoop() {
    redis = HealthCheck.Result.unhealthy("Redis does not answer");
    loop = LoopStatus.State.JOINING;

    assertThat(readiness.get()).containsExactly("redis: Redis does not answer", "loop-0: JOINING");
  }
}
