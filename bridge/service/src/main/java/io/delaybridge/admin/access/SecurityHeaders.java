package io.delaybridge.admin.access;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;

/**
 * Tells browsers on every answer what they may do with it: nothing that comes from elsewhere, and
 * nothing for elsewhere. There are no CORS headers, so no page of another site can read an answer.
 */
public final class SecurityHeaders extends HttpFilter {

  private static final long serialVersionUID = 1;

  /** The headers of every answer of the application port. */
  public static final Map<String, String> ALWAYS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
              + " connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self';"
              + " frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Resource-Policy",
          "same-origin");

  /** No state. */
  public SecurityHeaders() {}

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    ALWAYS.forEach(response::setHeader);
    if (request.getRequestURI().startsWith("/v1")) {
      response.setHeader("Cache-Control", "no-store");
    }
    chain.doFilter(request, response);
  }
}
