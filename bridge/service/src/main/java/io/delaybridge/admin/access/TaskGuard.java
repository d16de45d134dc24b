package io.delaybridge.admin.access;

import io.delaybridge.admin.Caller;
import io.delaybridge.admin.Role;
import io.delaybridge.admin.errors.ProblemJson;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Guards the admin port: whoever reaches it may look, but a call that changes something
 * (Dropwizard's tasks) needs a token with {@link Role#OPERATE}, as it does on the application port.
 */
public final class TaskGuard extends HttpFilter {

  private static final long serialVersionUID = 1;

  private final transient @Nullable Tokens tokens;
  private final transient Refusals refusals;

  /** Takes the tokens, null if there are none, and what counts. */
  public TaskGuard(@Nullable Tokens tokens, Refusals refusals) {
    this.tokens = tokens;
    this.refusals = refusals;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request.getMethod().equals("GET") || request.getMethod().equals("HEAD")) {
      chain.doFilter(request, response);
      return;
    }
    String secret = BearerFilter.secret(request.getHeader("Authorization"));
    Tokens.Found found =
        secret == null || tokens == null ? new Tokens.Found.Unknown() : tokens.find(secret);
    if (found instanceof Tokens.Found.Good good && isOperator(good.caller())) {
      chain.doFilter(request, response);
      return;
    }
    // A task is about the whole bridge: a token for some intakes is not enough.
    boolean known = found instanceof Tokens.Found.Good;
    Refusal refusal =
        secret == null ? Refusal.NO_TOKEN : known ? Refusal.ROLE : Refusal.WRONG_TOKEN;
    refusals.add(
        refusal,
        new Refusals.Call(
            request.getRemoteAddr(),
            request.getMethod(),
            request.getRequestURI(),
            found instanceof Tokens.Found.Good good ? good.caller().name() : null));
    if (!known) {
      response.setHeader("WWW-Authenticate", BearerFilter.CHALLENGE);
    }
    ProblemJson.write(
        response,
        known ? 403 : 401,
        "this call needs a token for all intakes with the role "
            + Role.OPERATE
            + (tokens == null ? ", but api.tokens names no token file" : ""));
  }

  private static boolean isOperator(Caller caller) {
    return caller.may(Role.OPERATE) && caller.intakes() == null;
  }
}
