package io.delaybridge.admin.api;

import io.delaybridge.admin.Caller;
import io.delaybridge.admin.Problem;
import io.delaybridge.admin.Role;
import io.delaybridge.admin.desk.Pauses;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayHeaders;
import io.dropwizard.auth.Auth;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response.Status;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stops and starts delivery. A pause is part of the checkpoint of each shard: it outlives instances
 * and Redis. Everything else goes on: messages are taken in, moved and cancelled.
 */
@Path("/v1")
@Produces(MediaType.APPLICATION_JSON)
public final class PauseResource {

  private static final String ONE = "/shards/{topic}/{partition: [0-9]{1,9}}/pause";

  private final Pauses pauses;

  /** Takes what pauses. */
  public PauseResource(Pauses pauses) {
    this.pauses = pauses;
  }

  /**
   * @param paused shards, as topic/partition
   */
  public record Paused(List<String> paused) {}

  /** The paused shards. */
  @GET
  @Path("/pause")
  @RolesAllowed(Role.READ)
  @Operation(operationId = "paused", summary = "Which shards are paused, of one intake or of all")
  public Paused paused(@Auth Caller caller, @QueryParam("intake") @Nullable String intake) {
    return names(pauses.paused(pauses.shards(caller, intake)));
  }

  private static Paused names(List<ShardId> shards) {
    return new Paused(shards.stream().map(ShardId::toString).sorted().toList());
  }

  /** Pauses every shard, or those of one intake. */
  @PUT
  @Path("/pause")
  @RolesAllowed(Role.OPERATE)
  @Operation(operationId = "pause", summary = "Pauses every shard of one intake or of all")
  public Paused pause(@Auth Caller caller, @QueryParam("intake") @Nullable String intake) {
    List<ShardId> shards = pauses.shards(caller, intake);
    return names(pauses.tell(shards, DelayHeaders.OP_PAUSE, shards));
  }

  /** Resumes every shard, or those of one intake. */
  @DELETE
  @Path("/pause")
  @RolesAllowed(Role.OPERATE)
  @Operation(operationId = "resume", summary = "Resumes every shard of one intake or of all")
  public Paused resume(@Auth Caller caller, @QueryParam("intake") @Nullable String intake) {
    List<ShardId> shards = pauses.shards(caller, intake);
    return names(pauses.tell(shards, DelayHeaders.OP_RESUME, shards));
  }

  /** Pauses one shard. */
  @PUT
  @Path(ONE)
  @RolesAllowed(Role.OPERATE)
  @Operation(operationId = "pauseShard", summary = "Pauses one shard")
  public Paused pauseOne(
      @Auth Caller caller,
      @PathParam("topic") String topic,
      @PathParam("partition") int partition) {
    return tell(caller, new ShardId(topic, partition), DelayHeaders.OP_PAUSE);
  }

  /** Resumes one shard. */
  @DELETE
  @Path(ONE)
  @RolesAllowed(Role.OPERATE)
  @Operation(operationId = "resumeShard", summary = "Resumes one shard")
  public Paused resumeOne(
      @Auth Caller caller,
      @PathParam("topic") String topic,
      @PathParam("partition") int partition) {
    return tell(caller, new ShardId(topic, partition), DelayHeaders.OP_RESUME);
  }

  private Paused tell(Caller caller, ShardId shard, String op) {
    caller.mustSee(shard.topic());
    List<ShardId> all = pauses.shards(caller, null);
    if (!all.contains(shard)) {
      throw Problem.of(Status.NOT_FOUND, shard + " is not a shard of this bridge");
    }
    return names(pauses.tell(List.of(shard), op, all));
  }
}
