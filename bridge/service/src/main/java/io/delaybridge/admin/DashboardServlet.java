package io.delaybridge.admin;

import io.dropwizard.jetty.setup.ServletEnvironment;
import io.dropwizard.servlets.assets.AssetServlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The files of the dashboard, from the class path. The page is at {@code /} and nothing else there,
 * so that the API keeps the rest; what the page loads is under {@code /dashboard/}. Who may see
 * what is decided where the page asks: the files are the same for everyone.
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

  /** A new version of the bridge shows at once: browsers ask each time, mostly to hear 304. */
  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    response.setHeader("Cache-Control", "no-cache");
    super.doGet(request, response);
  }
}
