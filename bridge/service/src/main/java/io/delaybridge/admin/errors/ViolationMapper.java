package io.delaybridge.admin.errors;

import io.delaybridge.admin.Problem;
import io.dropwizard.jersey.validation.ConstraintMessage;
import io.dropwizard.jersey.validation.JerseyViolationException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Maps a value that a constraint of a resource does not allow. All faults are named at once. */
final class ViolationMapper implements ExceptionMapper<JerseyViolationException> {

  /** Jersey's stand-in for the request of the current thread. */
  @Context private @Nullable HttpServletRequest request;

  @Override
  public Response toResponse(JerseyViolationException failure) {
    int status =
        ConstraintMessage.determineStatus(
            failure.getConstraintViolations(), failure.getInvocable());
    if (status >= 500) {
      return Unexpected.response(failure, request);
    }
    String detail =
        failure.getConstraintViolations().stream()
            .map(violation -> ConstraintMessage.getMessage(violation, failure.getInvocable()))
            .sorted()
            .collect(Collectors.joining("; "));
    return Problem.response(Errors.body(400, detail));
  }
}
