package io.delaybridge.admin.errors;

import io.delaybridge.admin.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import org.jspecify.annotations.Nullable;

/** Maps every failure that no other mapper knows. It explains to callers what they did wrong. */
final class AnyErrorMapper implements ExceptionMapper<Throwable> {

  /** Jersey's stand-in for the request of the current thread. */
  @Context private @Nullable HttpServletRequest request;

  @Override
  public Response toResponse(Throwable failure) {
    if (!(failure instanceof WebApplicationException web)) {
      return Unexpected.response(failure, request);
    }
    Response response = web.getResponse();
    int status = response.getStatus();
    if (status < 400 || response.hasEntity()) {
      return response;
    }
    if (status == 500) {
      return Unexpected.response(failure, request);
    }
    // Keeps the headers: Allow, Retry-After and the like.
    return Response.fromResponse(response)
        .type(Problem.MEDIA_TYPE)
        .entity(Errors.body(status, detail(status, response, web.getMessage())))
        .build();
  }

  private static @Nullable String detail(int status, Response response, @Nullable String message) {
    return switch (status) {
      case 404 -> "there is no such path; /openapi.json lists all paths";
      case 405 -> "this path allows " + response.getHeaderString(HttpHeaders.ALLOW);
      case 406 -> "the answer is application/json or application/problem+json";
      case 415 -> "the body must be JSON, with the header Content-Type: application/json";
      case 403 -> "this token does not have the role for this call";
      // Jersey's own messages only repeat the status.
      default -> message == null || message.startsWith("HTTP ") ? null : message;
    };
  }
}
