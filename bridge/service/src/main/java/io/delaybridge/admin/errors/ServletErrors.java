package io.delaybridge.admin.errors;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Answers with a problem where a servlet or filter would have the container make a page. */
public final class ServletErrors extends HttpFilter {

  private static final long serialVersionUID = 1;

  /** No state. */
  public ServletErrors() {}

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    chain.doFilter(
        request,
        new HttpServletResponseWrapper(response) {
          @Override
          public void sendError(int status) throws IOException {
            sendError(status, null);
          }

          @Override
          public void sendError(int status, @Nullable String message) throws IOException {
            resetBuffer();
            ProblemJson.write(response, status, message);
          }
        });
  }
}
