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
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response.Status;
import java.util.List;

/**
 * Stops and starts delivery. A pause is part of the checkpoint of each shard: it outlives instances
 * and Redis. Everything else goes on: messages are taken in, moved and cancelled.
 */
@Path("/v1")
@Produces(MediaType.APPLICATION_JSON)
public final class PauseResource {

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
  @Operation(operationId = "paused", summary = "Which shards are paused")
  public Paused paused(@Auth Caller caller) {
    return names(pauses.of(caller));
  }

  private static Paused names(List<ShardId> shards) {
    return new Paused(shards.stream().map(ShardId::toString).sorted().toList());
  }

  /** Pauses every shard. */
  @PUT
  @Path("/pause")
  @RolesAllowed(Role.OPERATE)
  @Operation(operationId = "pause", summary = "Pauses every shard")
  public Paused pause(@Auth Caller caller) {
    return names(pauses.tell(caller, pauses.shards(caller), DelayHeaders.OP_PAUSE));
  }

  /** Resumes every shard. */
  @DELETE
  @Path("/pause")
  @RolesAllowed(Role.OPERATE)
  @Operation(operationId = "resume", summary = "Resumes every shard")
  public Paused resume(@Auth Caller caller) {
    return names(pauses.tell(caller, pauses.shards(caller), DelayHeaders.OP_RESUME));
  }

  /** Pauses one shard. */
  @PUT
  @Path("/shards/{topic}/{partition}/pause")
  @RolesAllowed(Role.OPERATE)
  @Operation(operationId = "pauseShard", summary = "Pauses one shard")
  public Paused pauseOne(
      @Auth Caller caller,
      @PathParam("topic") String topic,
      @PathParam("partition") int partition) {
    return names(
        pauses.tell(caller, List.of(shard(caller, topic, partition)), DelayHeaders.OP_PAUSE));
  }

  /** Resumes one shard. */
  @DELETE
  @Path("/shards/{topic}/{partition}/pause")
  @RolesAllowed(Role.OPERATE)
  @Operation(operationId = "resumeShard", summary = "Resumes one shard")
  public Paused resumeOne(
      @Auth Caller caller,
      @PathParam("topic") String topic,
      @PathParam("partition") int partition) {
    return names(
        pauses.tell(caller, List.of(shard(caller, topic, partition)), DelayHeaders.OP_RESUME));
  }

  private ShardId shard(Caller caller, String topic, int partition) {
    caller.mustSee(topic);
    ShardId shard = new ShardId(topic, partition);
    if (!pauses.shards(caller).contains(shard)) {
      throw Problem.of(Status.NOT_FOUND, shard + " is not a shard of this bridge");
    }
    return shard;
  }
}
