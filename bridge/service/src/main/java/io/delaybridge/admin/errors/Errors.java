package io.delaybridge.admin.errors;

import io.delaybridge.admin.Problem;
import io.dropwizard.jersey.errors.EarlyEofExceptionMapper;
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What makes an answer of a failure, for registration with Jersey in the place of Dropwizard's. */
public final class Errors {

  private Errors() {}

  /** All of it. */
  public static List<Object> mappers() {
    return List.of(
        new AnyErrorMapper(),
        new JsonErrorMapper(),
        new ParameterErrorMapper(),
        new ViolationMapper(),
        // The caller has gone: nobody reads the answer.
        new EarlyEofExceptionMapper(),
        new ProblemFilter());
  }

  /** The body for a status that may be none of those that have a name. */
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
