package io.delaybridge.admin.api;

import com.codahale.metrics.health.HealthCheck;
import com.codahale.metrics.health.HealthCheckRegistry;
import io.delaybridge.admin.Caller;
import io.delaybridge.admin.Role;
import io.dropwizard.auth.Auth;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The health checks of this process, as on the admin port. */
@Path("/v1/health")
@Produces(MediaType.APPLICATION_JSON)
public final class HealthResource {

  /** A check asks Kafka and Redis; callers cannot make it ask more often than this. */
  private static final Duration KEEP = Duration.ofSeconds(1);

  private final HealthCheckRegistry checks;
  private final LongSupplier nanos;
  private @Nullable Health last;
  private long at;

  /** Takes all checks, and a monotonic clock. */
  public HealthResource(HealthCheckRegistry checks, LongSupplier nanos) {
    this.checks = checks;
    this.nanos = nanos;
  }

  /** The answer: healthy if every check is. */
  @Schema(name = "Health")
  public record Health(boolean healthy, List<Check> checks) {}

  /** One check; the message may be null. */
  @Schema(name = "HealthCheck")
  public record Check(String name, boolean healthy, @Nullable String message) {}

  /**
   * Returns the results of the checks, at most a second old. Messages name shards, so they are not
   * shown to a token that is limited to some intakes.
   */
  @GET
  @RolesAllowed(Role.READ)
  @Operation(operationId = "health", summary = "The health checks of this instance")
  public Health health(@Auth Caller caller) {
    Health all = latest();
    return caller.intakes() == null
        ? all
        : new Health(
            all.healthy(),
            all.checks().stream().map(c -> new Check(c.name(), c.healthy(), null)).toList());
  }

  private synchronized Health latest() {
    if (last == null || nanos.getAsLong() - at > KEEP.toNanos()) {
      List<Check> results =
          checks.runHealthChecks().entrySet().stream().map(HealthResource::check).toList();
      last = new Health(results.stream().allMatch(Check::healthy), results);
      // Those who have waited for a slow check get its result.
      at = nanos.getAsLong();
    }
    return last;
  }

  private static Check check(Map.Entry<String, HealthCheck.Result> result) {
    return new Check(
        result.getKey(), result.getValue().isHealthy(), result.getValue().getMessage());
  }
}
