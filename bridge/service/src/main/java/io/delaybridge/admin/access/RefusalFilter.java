package io.delaybridge.admin.access;

import io.delaybridge.admin.Caller;
import io.delaybridge.admin.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.SecurityContext;
import org.jspecify.annotations.Nullable;

/** Recognises a refused call by its answer, whoever refused it, and passes it on. */
public final class RefusalFilter implements ContainerResponseFilter {

  private final Refusals refusals;

  /** Jersey's stand-in for the request of the current thread. */
  @Context private @Nullable HttpServletRequest servlet;

  /** Takes what counts. */
  public RefusalFilter(Refusals refusals) {
    this.refusals = refusals;
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    Refusal refusal = refusal(response);
    if (refusal != null) {
      refusals.add(
          refusal,
          new Refusals.Call(
              servlet == null ? "?" : servlet.getRemoteAddr(),
              request.getMethod(),
              request.getUriInfo().getRequestUri().getRawPath(),
              name(request)));
    }
  }

  private static @Nullable Refusal refusal(ContainerResponseContext response) {
    String code = response.getEntity() instanceof Problem.Body body ? body.code() : null;
    return switch (response.getStatus()) {
      case 401 -> BearerFilter.WRONG_TOKEN.equals(code) ? Refusal.WRONG_TOKEN : Refusal.NO_TOKEN;
      case 403 -> Caller.OUT_OF_SCOPE.equals(code) ? Refusal.SCOPE : Refusal.ROLE;
      case 413 -> Refusal.TOO_LARGE;
      case 429 -> Refusal.RATE;
      default -> null;
    };
  }

  private static @Nullable String name(ContainerRequestContext request) {
    if (request.getProperty(BearerFilter.EXPIRED) instanceof String expired) {
      return expired;
    }
    SecurityContext security = request.getSecurityContext();
    return security != null && security.getUserPrincipal() instanceof Caller caller
        ? caller.name()
        : null;
  }
}
