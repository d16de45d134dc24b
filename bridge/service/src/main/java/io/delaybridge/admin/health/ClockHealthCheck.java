package io.delaybridge.admin.health;

import com.codahale.metrics.health.HealthCheck;
import io.delaybridge.peers.ClockGuard;
import java.util.function.Supplier;

/** Healthy unless the clock of this machine differs too much from most others. */
public final class ClockHealthCheck extends HealthCheck {

  private final Supplier<ClockGuard.Status> clock;

  /** Takes what compares the clocks. */
  public ClockHealthCheck(Supplier<ClockGuard.Status> clock) {
    this.clock = clock;
  }

  @Override
  protected Result check() {
    ClockGuard.Status status = clock.get();
    return status.state() == ClockGuard.State.FINE
        ? Result.healthy("%s", status)
        : Result.unhealthy("%s", status);
  }
}
