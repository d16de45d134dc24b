package io.delaybridge.admin.health;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/**
 * Tells those who restart this process whether it is worth keeping: 200, or 503 with a line for
 * each loop that is beyond help. It asks neither Kafka nor Redis, since a new process would not
 * bring them back. The health checks tell whether the bridge does its work.
 */
public final class LivenessServlet extends HttpServlet {

  /** The path on the admin port. */
  public static final String PATH = "/live";

  private static final long serialVersionUID = 1;

  private final transient Supplier<List<String>> problems;

  /** Takes the reasons why the process must be replaced, one line each; empty if it need not be. */
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
