package io.delaybridge.admin.api;

import io.delaybridge.admin.Caller;
import io.delaybridge.admin.Problem;
import io.delaybridge.admin.Role;
import io.delaybridge.admin.api.DeadLetterViews.Job;
import io.delaybridge.deadletter.DeadLetters;
import io.dropwizard.auth.Auth;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response.Status;

/** The replays of many dead letters. Every instance answers for all of them. */
@Path("/v1/replays")
@Produces(MediaType.APPLICATION_JSON)
public final class ReplaysResource {

  private final DeadLetters deadLetters;

  /** Takes the dead letters. */
  public ReplaysResource(DeadLetters deadLetters) {
    this.deadLetters = deadLetters;
  }

  /** How far a replay is, on whichever instance it runs. */
  @GET
  @Path("{job}")
  @RolesAllowed(Role.READ)
  @Operation(operationId = "replayJob", summary = "The progress of a replay of many")
  public Job job(@Auth Caller caller, @PathParam("job") String job) {
    return deadLetters
        .jobs()
        .status(job)
        .map(DeadLetterViews::job)
        .orElseThrow(() -> Problem.of(Status.NOT_FOUND, "there is no replay '" + job + "'"));
  }
}
