package io.delaybridge;

import io.delaybridge.admin.Caller;
import io.delaybridge.admin.Role;
import io.dropwizard.auth.Auth;
import jakarta.annotation.security.RolesAllowed;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One call of every kind, to test the outcome of each. */
@Path("/v1/probe")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public final class ProbeResource {

  /** A body that does not take everything. */
  public record Body(
      @NotNull String target,
      @Nullable Integer count,
      @Nullable Long most,
      @Nullable Boolean dryRun,
      @Nullable Order order,
      @Nullable Map<String, Integer> headers,
      @Nullable List<String> names,
      @Nullable Double share) {

    public Body {
      if (count != null && count < 0) {
        throw new IllegalArgumentException("count is " + count + ", allowed: 0 or more");
      }
    }
  }

  enum Order {
    ASCENDING,
    DESCENDING
  }

  @GET
  @RolesAllowed(Role.READ)
  public String read(
      @QueryParam("limit") int limit,
      @QueryParam("order") @Nullable Order order,
      @QueryParam("far") boolean far,
      @BeanParam Filter filter) {
    return "\"%d %s %s %s\"".formatted(limit, order, far, filter.intake);
  }

  /** A part of a query that several calls could share. */
  public static final class Filter {
    @QueryParam("intake")
    public @Nullable String intake;
  }

  @POST
  @RolesAllowed(Role.SCHEDULE)
  public Body write(@NotNull @Valid Body body) {
    return body;
  }

  @PUT
  @RolesAllowed(Role.OPERATE)
  public Response operate() {
    return Response.noContent().build();
  }

  @DELETE
  @RolesAllowed(Role.OPERATE)
  public void fail() {
    throw new IllegalStateException("a secret of the bridge");
  }

  @GET
  @Path("intakes/{intake}/{partition}")
  @RolesAllowed(Role.READ)
  public Response scope(
      @Auth Caller caller,
      @PathParam("intake") String intake,
      @PathParam("partition") int partition) {
    caller.mustSee(intake);
    return Response.status(429).build();
  }
}
