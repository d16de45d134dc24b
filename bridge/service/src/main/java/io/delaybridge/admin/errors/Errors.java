package io.delaybridge.admin.errors;

import io.delaybridge.admin.Problem;
import io.dropwizard.jersey.errors.EarlyEofExceptionMapper;
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes answers of failures, for registration with Jersey in the place of Dropwizard's mappers. */
public final class Errors {

  private Errors() {}

  /** All mappers. */
  public static List<Object> mappers() {
    return List.of(
        new AnyErrorMapper(),
        new JsonErrorMapper(),
        new ParameterErrorMapper(),
        new ViolationMapper(),
        new IndexUnavailableMapper(),
        // The caller has gone: nobody reads the answer.
        new EarlyEofExceptionMapper(),
        new ProblemFilter());
  }

  /** The body for a status, which may be one that has no name. */
  static Problem.Body body(int status, @Nullable String detail) {
    Response.Status known = Response.Status.fromStatusCode(status);
    return new Problem.Body(
        "about:blank",
        known == null ? "Status " + status : known.getReasonPhrase(),
        status,
        detail,
        null);
  }
}
