package io.delaybridge.admin.api;

import io.dropwizard.jetty.setup.ServletEnvironment;
import io.dropwizard.servlets.assets.AssetServlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Serves the files of the dashboard from the class path. Only the page is at {@code /}, so that the
 * API keeps the rest; the files that the page loads are under {@code /dashboard/}. The files are
 * the same for everyone; the API decides who may see what.
 */
public final class DashboardServlet extends AssetServlet {

  private static final long serialVersionUID = 1;
  private static final String FILES = "/dashboard";

  private DashboardServlet(String path, @Nullable String index) {
    super(FILES, path, index, "text/plain", StandardCharsets.UTF_8);
  }

  /** Puts the dashboard on the application port. */
  public static void register(ServletEnvironment servlets) {
    // The empty pattern of the servlet specification: the root itself, not what is below it.
    servlets.addServlet("dashboard", new DashboardServlet("/", "index.html")).addMapping("");
    servlets
        .addServlet("dashboard-files", new DashboardServlet(FILES, null))
        .addMapping(FILES + "/*");
  }

  /** Browsers ask each time, mostly to get a 304, so a new version of the bridge shows at once. */
  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    response.setHeader("Cache-Control", "no-cache");
    super.doGet(request, response);
  }
}
