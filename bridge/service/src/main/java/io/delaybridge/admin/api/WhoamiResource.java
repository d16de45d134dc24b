package io.delaybridge.admin.api;

import io.delaybridge.admin.Caller;
import io.delaybridge.admin.Role;
import io.dropwizard.auth.Auth;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.stream.Stream;

/** Tells a caller what it may do. */
@Path("/v1/whoami")
@Produces(MediaType.APPLICATION_JSON)
public final class WhoamiResource {

  private final List<String> intakes;
  private final boolean tokens;

  /**
   * Takes the configuration.
   *
   * @param tokens whether callers need one
   */
  public WhoamiResource(List<String> intakes, boolean tokens) {
    this.intakes = List.copyOf(intakes);
    this.tokens = tokens;
  }

  /**
   * The answer.
   *
   * @param roles all that it has, including those that another one includes
   * @param intakes those of this bridge that it may see
   * @param authentication {@code token}, or {@code none} if everyone may do everything
   */
  @Schema(name = "Whoami")
  public record Whoami(
      String name, List<String> roles, List<String> intakes, String authentication) {}

  /** Who calls. */
  @GET
  @PermitAll
  @Operation(operationId = "whoami", summary = "Who the caller is, and what it may do")
  public Whoami whoami(@Auth Caller caller) {
    return new Whoami(
        caller.name(),
        Stream.of(Role.READ, Role.SCHEDULE, Role.OPERATE).filter(caller::may).toList(),
        intakes.stream().filter(caller::sees).toList(),
        tokens ? "token" : "none");
  }
}
