package io.delaybridge.admin.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.health.HealthCheck;
import io.delaybridge.message.ShardId;
import io.delaybridge.shard.LoopStatus;
import io.delaybridge.shard.ShardStatus;
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

  /** One of its messages has been due since 1970. */
  private LoopStatus status() {
    return new LoopStatus(
        "loop-0",
        loop,
        null,
        0,
        List.of(
            new ShardStatus(
                new ShardId("in", 0),
                ShardStatus.State.OPEN,
                null,
                1,
                1,
                0,
                0,
                false,
                false,
                ShardStatus.Later.NONE,
                null)));
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
