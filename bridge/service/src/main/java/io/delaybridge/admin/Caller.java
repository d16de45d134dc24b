package io.delaybridge.admin;

import jakarta.ws.rs.core.Response.Status;
import java.security.Principal;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The caller of an API call.
 *
 * @param name as in the token file; goes into logs
 * @param roles see {@link Role}
 * @param intakes the intakes whose messages it may see and touch, null for all
 */
public record Caller(String name, Set<String> roles, @Nullable Set<String> intakes)
    implements Principal {

  /** The caller when no tokens are configured. */
  public static final Caller ANYONE =
      new Caller("anyone", Set.of(Role.READ, Role.SCHEDULE, Role.OPERATE), null);

  /** The code of the problem when a token is not for an intake. */
  public static final String OUT_OF_SCOPE = "OUT_OF_SCOPE";

  @Override
  public String getName() {
    return name;
  }

  /** Whether the caller may see and touch messages of this intake. */
  public boolean sees(String intake) {
    return intakes == null || intakes.contains(intake);
  }

  /**
   * Checks a call that names an intake.
   *
   * @throws Problem with status 403 if the caller may not see the intake
   */
  public void mustSee(String intake) {
    if (!sees(intake)) {
      throw Problem.of(
          Status.FORBIDDEN,
          OUT_OF_SCOPE,
          "intake '" + intake + "' is outside the scope of this token");
    }
  }

  /** Whether it has the role; {@link Role#OPERATE} includes the others. */
  public boolean may(String role) {
    return roles.contains(role) || roles.contains(Role.OPERATE);
  }
}
