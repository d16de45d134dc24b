package io.delaybridge.admin.api;

import io.delaybridge.admin.Caller;
import io.delaybridge.admin.Problem;
import io.delaybridge.admin.Role;
import io.delaybridge.admin.desk.Desk;
import io.delaybridge.admin.desk.Pauses;
import io.delaybridge.admin.desk.Waiting;
import io.delaybridge.admin.history.History;
import io.delaybridge.admin.history.Instances;
import io.delaybridge.admin.history.Instances.Report;
import io.delaybridge.admin.history.Tally;
import io.delaybridge.admin.history.Totals;
import io.delaybridge.message.ShardId;
import io.delaybridge.store.PendingView.Summary;
import io.dropwizard.auth.Auth;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response.Status;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Returns the counters of all instances since they started, and over the last hour. */
@Path("/v1")
@Produces(MediaType.APPLICATION_JSON)
public final class StatsResource {

  private final Instances instances;
  private final History history;
  private final Desk desk;
  private final Waiting waiting;
  private final Pauses pauses;

  /** Takes what counts and what remembers. */
  public StatsResource(
      Instances instances, History history, Desk desk, Waiting waiting, Pauses pauses) {
    this.instances = instances;
    this.history = history;
    this.desk = desk;
    this.waiting = waiting;
    this.pauses = pauses;
  }

  /** An instance that is alive; startedAt is epoch milliseconds. */
  public record Instance(String id, String host, long startedAt) {}

  /**
   * @param bounds milliseconds; bucket i counts what was late by more than bound i - 1 and at most
   *     bound i, the last bucket what was later than all bounds
   */
  public record Lateness(List<Long> bounds, List<Long> counts) {}

  /**
   * Counters cover the intakes that the caller may see, since the instances started.
   *
   * @param pending messages that wait, far ones included
   * @param paused whether a shard is paused
   */
  public record Stats(
      List<Instance> instances,
      long ingested,
      long delivered,
      long retried,
      long deadLettered,
      long pending,
      long overdue,
      boolean paused,
      Lateness lateness) {}

  /** Milliseconds. */
  public record Percentiles(long p50, long p99, long p999, long max) {}

  /** The counters of one target. */
  public record Target(String target, long delivered, long failed, Percentiles lateness) {}

  /** Sums over all instances. */
  @GET
  @Path("/stats")
  @RolesAllowed(Role.READ)
  @Operation(operationId = "stats", summary = "Counters of all instances since they started")
  public Stats stats(@Auth Caller caller) {
    List<Report> reports = instances.reports();
    Totals totals = Totals.of(reports, caller::sees);
    List<ShardId> shards = desk.shards(caller);
    List<Summary> summaries = waiting.summaries(shards);
    return new Stats(
        reports.stream().map(r -> new Instance(r.id(), r.host(), r.startedAt())).toList(),
        totals.ingested(),
        totals.deliveredCount(),
        totals.retried(),
        totals.deadLettered(),
        summaries.stream().mapToLong(Summary::pending).sum(),
        summaries.stream().mapToLong(Summary::overdue).sum(),
        !pauses.paused(shards).isEmpty(),
        new Lateness(Totals.BOUNDS, Totals.buckets(totals.lateness())));
  }

  /** Returns the deliveries and failures of each target. */
  @GET
  @Path("/targets")
  @RolesAllowed(Role.READ)
  @Operation(operationId = "targets", summary = "Deliveries and failures of each target")
  public List<Target> targets(@Auth Caller caller) {
    Totals totals = Totals.of(instances.reports(), caller::sees);
    return totals.delivered().keySet().stream()
        .sorted()
        .map(topic -> target(topic, totals))
        .toList();
  }

  private static Target target(String topic, Totals totals) {
    Histogram lateness = totals.delivered().getOrDefault(topic, new Histogram(Tally.DIGITS));
    return new Target(
        topic,
        lateness.getTotalCount(),
        totals.failed().getOrDefault(topic, 0L),
        new Percentiles(
            lateness.getValueAtPercentile(50),
            lateness.getValueAtPercentile(99),
            lateness.getValueAtPercentile(99.9),
            lateness.getMaxValue()));
  }

  /** The last hour, oldest first. */
  @GET
  @Path("/history")
  @RolesAllowed(Role.READ)
  @Operation(operationId = "history", summary = "History of the last hour, oldest first")
  public History.Hour history(@Auth Caller caller) {
    if (caller.intakes() != null) {
      throw Problem.of(
          Status.FORBIDDEN,
          Caller.OUT_OF_SCOPE,
          "the history covers all intakes, but this token is only for %s"
              .formatted(caller.intakes()));
    }
    return history.hour();
  }
}
