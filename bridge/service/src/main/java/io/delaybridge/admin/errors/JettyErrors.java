package io.delaybridge.admin.errors;

import io.delaybridge.admin.Problem;
import java.nio.ByteBuffer;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Makes problems of calls refused before a servlet sees them: those that are not HTTP, or too much.
 */
public final class JettyErrors extends ErrorHandler {

  private final Map<String, String> headers;

  /** Takes the headers of every answer. */
  public JettyErrors(Map<String, String> headers) {
    this.headers = Map.copyOf(headers);
  }

  @Override
  protected void generateResponse(
      Request request,
      Response response,
      int code,
      @Nullable String message,
      @Nullable Throwable cause,
      Callback callback) {
    headers.forEach(response.getHeaders()::put);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.MEDIA_TYPE);
    // The message of a failure of the bridge may be anything; that of a bad request is Jetty's.
    String detail = code < 500 ? message : null;
    response.write(true, ByteBuffer.wrap(ProblemJson.bytes(code, detail)), callback);
  }
}
