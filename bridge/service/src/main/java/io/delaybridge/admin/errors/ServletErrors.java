package io.delaybridge.admin.errors;

import io.delaybridge.admin.Problem;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Answers with a problem where a servlet or filter would have the container make a page, or throws
 * one.
 */
public final class ServletErrors extends HttpFilter {

  private static final long serialVersionUID = 1;

  /** No state. */
  public ServletErrors() {}

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    try {
      chain.doFilter(request, new Answer(response));
    } catch (Problem e) {
      ProblemJson.write(response, (Problem.Body) e.getResponse().getEntity());
    }
  }

  private static final class Answer extends HttpServletResponseWrapper {

    Answer(HttpServletResponse response) {
      super(response);
    }

    @Override
    public void sendError(int status) throws IOException {
      sendError(status, null);
    }

    @Override
    public void sendError(int status, @Nullable String message) throws IOException {
      resetBuffer();
      ProblemJson.write((HttpServletResponse) getResponse(), status, message);
    }
  }
}
