package io.delaybridge.admin.access;

import io.delaybridge.admin.Caller;
import io.delaybridge.admin.Problem;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who calls: by {@code Authorization: Bearer <token>} and nothing else (RFC 6750; not by
 * a parameter of the URL, which ends up in logs and histories). Without configured tokens everyone
 * is {@link Caller#ANYONE}.
 */
@Priority(Priorities.AUTHENTICATION)
public final class BearerFilter implements ContainerRequestFilter {

  static final String NO_TOKEN = "NO_TOKEN";
  static final String WRONG_TOKEN = "WRONG_TOKEN";

  /** The property of the request that has the name of an expired token. */
  static final String EXPIRED = BearerFilter.class.getName() + ".expired";

  private static final String SCHEME = "Bearer ";
  static final String CHALLENGE = "Bearer realm=\"delay-bridge\"";

  private final @Nullable Tokens tokens;

  /** Takes the tokens, or null if none are configured. */
  public BearerFilter(@Nullable Tokens tokens) {
    this.tokens = tokens;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    Caller caller = caller(request);
    request.setSecurityContext(new Context(caller, request.getSecurityContext().isSecure()));
  }

  private Caller caller(ContainerRequestContext request) {
    if (tokens == null) {
      return Caller.ANYONE;
    }
    String header = request.getHeaderString(HttpHeaders.AUTHORIZATION);
    String secret = secret(header);
    if (secret == null) {
      throw Problem.of(
              Status.UNAUTHORIZED, NO_TOKEN, "this call needs a header 'Authorization: Bearer ...'")
          .with(HttpHeaders.WWW_AUTHENTICATE, CHALLENGE);
    }
    Tokens.Found found = tokens.find(secret);
    if (found instanceof Tokens.Found.Good good) {
      return good.caller();
    }
    boolean expired = found instanceof Tokens.Found.Expired;
    if (found instanceof Tokens.Found.Expired old) {
      request.setProperty(EXPIRED, old.name());
    }
    throw Problem.of(
            Status.UNAUTHORIZED,
            WRONG_TOKEN,
            expired ? "this token has expired" : "this token is not known here")
        .with(HttpHeaders.WWW_AUTHENTICATE, CHALLENGE + ", error=\"invalid_token\"");
  }

  /** The token in the header, or null if it has none. */
  static @Nullable String secret(@Nullable String header) {
    return header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        ? header.substring(SCHEME.length()).strip()
        : null;
  }

  private record Context(Caller caller, boolean secure) implements SecurityContext {

    @Override
    public Principal getUserPrincipal() {
      return caller;
    }

    @Override
    public boolean isUserInRole(String role) {
      return caller.may(role);
    }

    @Override
    public boolean isSecure() {
      return secure;
    }

    @Override
    public String getAuthenticationScheme() {
      return "Bearer";
    }
  }
}
