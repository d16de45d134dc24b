package io.delaybridge.admin.health;

import com.codahale.metrics.health.HealthCheck;
import io.delaybridge.deadletter.index.IndexStatus;
import java.util.function.Supplier;

/** Healthy unless the index of dead letters has failed; delivery does not need it. */
public final class DeadLettersHealthCheck extends HealthCheck {

  private final Supplier<IndexStatus> index;

  /** Takes a supplier of the index status. */
  public DeadLettersHealthCheck(Supplier<IndexStatus> index) {
    this.index = index;
  }

  @Override
  protected Result check() {
    IndexStatus status = index.get();
    return switch (status.state()) {
      case STARTING -> Result.healthy("the index is being read");
      case RUNNING ->
          Result.healthy(
              "%d letters, %d marks, %d records skipped, %d letters forgotten (too many)",
              status.letters(), status.marks(), status.skipped(), status.evicted());
      case DOWN -> Result.unhealthy("the index is down, delivery continues: %s", status.problem());
    };
  }
}
