package io.delaybridge.admin;

/** What a caller of the API may do; the names that {@code @RolesAllowed} and token files use. */
public final class Role {

  /** Look at everything but the content of messages. */
  public static final String READ = "read";

  /** Schedule, move and cancel messages. */
  public static final String SCHEDULE = "schedule";

  /** Everything else: pause and resume, replay, see the content of messages. */
  public static final String OPERATE = "operate";

  private Role() {}
}
