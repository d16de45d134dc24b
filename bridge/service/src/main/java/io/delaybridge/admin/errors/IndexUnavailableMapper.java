package io.delaybridge.admin.errors;

import io.delaybridge.admin.Problem;
import io.delaybridge.deadletter.letters.IndexUnavailableException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.ext.ExceptionMapper;

/** Maps an index that cannot answer now to a problem with status 503. */
final class IndexUnavailableMapper implements ExceptionMapper<IndexUnavailableException> {

  @Override
  public Response toResponse(IndexUnavailableException exception) {
    return Problem.of(Status.SERVICE_UNAVAILABLE, String.valueOf(exception.getMessage()))
        .getResponse();
  }
}
