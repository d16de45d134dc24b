package io.delaybridge.admin.api;

import io.delaybridge.admin.Caller;
import io.delaybridge.admin.Role;
import io.delaybridge.admin.desk.Watermarks;
import io.delaybridge.admin.desk.Watermarks.Watermark;
import io.dropwizard.auth.Auth;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;

/** Returns the time up to which everything due is out. */
@Path("/v1/watermark")
@Produces(MediaType.APPLICATION_JSON)
public final class WatermarkResource {

  private final Watermarks watermarks;

  /** Takes what asks. */
  public WatermarkResource(Watermarks watermarks) {
    this.watermarks = watermarks;
  }

  /** The watermark of each partition of the intakes that the caller may see. */
  @GET
  @RolesAllowed(Role.READ)
  @Operation(
      operationId = "watermark",
      summary = "The time up to which everything due is out, for each intake partition")
  public List<Watermark> watermark(@Auth Caller caller) {
    return watermarks.of(shard -> caller.sees(shard.topic()));
  }
}
