package io.delaybridge.admin.errors;

import io.delaybridge.admin.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.core.Response;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports a fault of the bridge: it goes into the log, and the caller gets the id to find it by.
 */
final class Unexpected {

  private static final Logger LOG = LoggerFactory.getLogger(Unexpected.class);

  private Unexpected() {}

  static Response response(Throwable failure, @Nullable HttpServletRequest request) {
    String id = UUID.randomUUID().toString();
    LOG.error(
        "Unexpected error {} in {}",
        id,
        request == null ? "a call" : request.getMethod() + " " + request.getRequestURI(),
        failure);
    return Problem.response(
        Errors.body(500, "unexpected error " + id + ", see the log of the bridge"));
  }
}
