package io.delaybridge.admin.errors;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.delaybridge.admin.Problem;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Problems for calls that never get as far as Jersey. */
public final class ProblemJson {

  private static final JsonMapper MAPPER = new JsonMapper();

  private ProblemJson() {}

  /** The answer as bytes. */
  static byte[] bytes(int status, @Nullable String detail) {
    return bytes(Errors.body(status, detail));
  }

  private static byte[] bytes(Problem.Body body) {
    try {
      return MAPPER.writeValueAsBytes(body);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a problem is always JSON", e);
    }
  }

  /** Answers with it. */
  public static void write(HttpServletResponse response, int status, @Nullable String detail)
      throws IOException {
    write(response, Errors.body(status, detail));
  }

  static void write(HttpServletResponse response, Problem.Body body) throws IOException {
    response.setStatus(body.status());
    response.setContentType(Problem.MEDIA_TYPE);
    response.getOutputStream().write(bytes(body));
  }
}
