package io.delaybridge.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.health.HealthCheck;
import com.codahale.metrics.health.HealthCheckRegistry;
import io.delaybridge.admin.Caller;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HealthResourceTest {

  private final HealthCheckRegistry checks = new HealthCheckRegistry();
  private final AtomicLong nanos = new AtomicLong();
  private final HealthResource resource = new HealthResource(checks, nanos::get);
  private final AtomicInteger asked = new AtomicInteger();

  private HealthCheck check(HealthCheck.Result result) {
    return new HealthCheck() {
      @Override
      protected Result check() {
        asked.incrementAndGet();
        return result;
      }
    };
  }

  @Test
  void itIsHealthyIfEveryCheckIs() {
    checks.register("a", check(HealthCheck.Result.healthy()));
    assertThat(resource.health(Caller.ANYONE).healthy()).isTrue();

    checks.register("b", check(HealthCheck.Result.unhealthy("broken")));
    nanos.addAndGet(2_000_000_000);

    assertThat(resource.health(Caller.ANYONE).healthy()).isFalse();
    assertThat(resource.health(Caller.ANYONE).checks())
        .containsExactly(
            new HealthResource.Check("a", true, null),
            new HealthResource.Check("b", false, "broken"));
  }

  @Test
  void manyCallersDoNotMakeManyChecks() {
    checks.register("a", check(HealthCheck.Result.healthy()));

    for (int i = 0; i < 100; i++) {
      assertThat(resource.health(Caller.ANYONE).healthy()).isTrue();
    }

    assertThat(asked).hasValue(1);
  }

  @Test
  void whoWaitsForASlowCheckGetsItsResult() {
    checks.register(
        "slow",
        new HealthCheck() {
          @Override
          protected Result check() {
            asked.incrementAndGet();
            nanos.addAndGet(3_000_000_000L);
            return Result.healthy();
          }
        });

    resource.health(Caller.ANYONE);
    resource.health(Caller.ANYONE);

    assertThat(asked).hasValue(1);
  }
}
