package io.delaybridge.admin.access;

import io.delaybridge.admin.errors.ProblemJson;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses calls that a page of another site makes a browser send. Who can reach the port does not
 * tell who calls: a browser on this machine reaches it too, for any page that is open.
 *
 * <p>A call that changes something must not come from another site. {@code Sec-Fetch-Site} tells,
 * which every current browser sends to a trustworthy address; without it, {@code Origin} tells,
 * which all send with every call but a GET. A call with neither is not from a browser. This is the
 * method of Filippo Valsorda's <a href="https://words.filippo.io/csrf/">Cross-Site Request
 * Forgery</a>.
 */
public final class BrowserGuard extends HttpFilter {

  private static final long serialVersionUID = 1;
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");
  private static final Set<String> OWN = Set.of("same-origin", "none");

  private final HostRule hosts;
  private final transient Refusals refusals;

  /** Takes the rule for {@code Host}, and what counts refusals. */
  public BrowserGuard(HostRule hosts, Refusals refusals) {
    this.hosts = hosts;
    this.refusals = refusals;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (!hosts.passes(request.getHeader("Host"))) {
      refuse(
          Refusal.HOST,
          request,
          response,
          "the header Host must be "
              + hosts.allowed()
              + "; to allow others, set api.tokens, or on the admin port api.adminOpen and an"
              + " address that is not a loopback address");
    } else if (!SAFE.contains(request.getMethod()) && crossSite(request)) {
      refuse(Refusal.CROSS_SITE, request, response, "a page of another site cannot make this call");
    } else {
      chain.doFilter(request, response);
    }
  }

  private static boolean crossSite(HttpServletRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null) {
      return !OWN.contains(site);
    }
    String origin = request.getHeader("Origin");
    return origin != null && !sameHost(origin, request.getHeader("Host"));
  }

  private static boolean sameHost(String origin, @Nullable String host) {
    try {
      String authority = new URI(origin).getRawAuthority();
      return authority != null && authority.equalsIgnoreCase(host);
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private void refuse(
      Refusal refusal, HttpServletRequest request, HttpServletResponse response, String detail)
      throws IOException {
    refusals.add(
        refusal,
        new Refusals.Call(
            request.getRemoteAddr(), request.getMethod(), request.getRequestURI(), null));
    ProblemJson.write(response, HttpServletResponse.SC_FORBIDDEN, detail);
  }
}
