package io.delaybridge.admin.health;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/** Answers a probe: 200, or 503 with a line for each problem. */
public final class ProbeServlet extends HttpServlet {

  private static final long serialVersionUID = 1;

  private final String well;
  private final transient Supplier<List<String>> problems;

  /**
   * @param well what it says if there is no problem
   * @param problems one line each
   */
  public ProbeServlet(String well, Supplier<List<String>> problems) {
    this.well = well;
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
    response.getWriter().println(all.isEmpty() ? well : String.join("\n", all));
  }
}
