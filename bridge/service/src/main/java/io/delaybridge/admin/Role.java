package io.delaybridge.admin;

/** The roles of callers of the API, by the names that {@code @RolesAllowed} and token files use. */
public final class Role {

  /** Look at everything but the content of messages. */
  public static final String READ = "read";

  /** Schedule, move and cancel messages. */
  public static final String SCHEDULE = "schedule";

  /** Everything else: pause and resume, replay, see the content of messages. */
  public static final String OPERATE = "operate";

  private Role() {}
}
