package io.delaybridge.admin;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/**
 * Whether this process is worth keeping, for those who restart it: 200, or 503 with a line for each
 * loop that is beyond help. It asks neither Kafka nor Redis; a new process would not bring them
 * back. Whether the bridge does its work is told by the health checks.
 */
public final class LivenessServlet extends HttpServlet {

  /** Where it is on the admin port. */
  public static final String PATH = "/live";

  private static final long serialVersionUID = 1;

  private final transient Supplier<List<String>> problems;

  /** Takes what tells why the process must be replaced, one line each; empty if it must not. */
  public LivenessServlet(Supplier<List<String>> problems) {
    this.problems = problems;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    List<String> all = problems.get();
    response.setStatus(
        all.isEmpty() ? HttpServletResponse.SC_OK : HttpServletResponse.SC_SERVICE_UNAVAILABLE);
    response.setContentType("text/plain;charset=utf-8");
    response.setHeader("Cache-Control", "no-store");
    response.getWriter().println(all.isEmpty() ? "alive" : String.join("\n", all));
  }
}
