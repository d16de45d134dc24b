package io.delaybridge.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.StatusType;
import org.jspecify.annotations.Nullable;

/**
 * An error of the API in the form of RFC 9457: the status, and one sentence that says what was
 * wrong and what is allowed.
 */
public final class Problem extends WebApplicationException {

  private static final long serialVersionUID = 1;

  /** The media type of the answer. */
  public static final String MEDIA_TYPE = "application/problem+json";

  /**
   * The body that the caller gets.
   *
   * @param type always {@code about:blank}: the status says what kind of problem it is
   * @param code a name that a program can go by where the status is not enough, or null
   */
  @Schema(name = "Problem")
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Body(
      String type, String title, int status, @Nullable String detail, @Nullable String code) {}

  private static final int SHOWN = 64;

  private Problem(Body body) {
    super(body.detail(), response(body));
  }

  private Problem(@Nullable String message, Response response) {
    super(message, response);
  }

  /** The answer with this body. */
  public static Response response(Body body) {
    return Response.status(body.status()).type(MEDIA_TYPE).entity(body).build();
  }

  /** The beginning of what a caller wrote, as an answer may show it. */
  public static String shown(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }

  /** The same problem with one more header. */
  public Problem with(String header, String value) {
    return new Problem(
        getMessage(), Response.fromResponse(getResponse()).header(header, value).build());
  }

  /** A problem that its status names well enough. */
  public static Problem of(StatusType status, String detail) {
    return new Problem(
        new Body("about:blank", status.getReasonPhrase(), status.getStatusCode(), detail, null));
  }

  /** A problem with a name, such as {@code TOO_LATE}. */
  public static Problem of(StatusType status, String code, String detail) {
    return new Problem(
        new Body("about:blank", status.getReasonPhrase(), status.getStatusCode(), detail, code));
  }
}
