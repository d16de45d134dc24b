package io.delaybridge.admin.errors;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import io.delaybridge.admin.Allowed;
import io.delaybridge.admin.Problem;
import io.delaybridge.admin.errors.WholeText.HalfPairException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Maps a body that is not JSON, or not the JSON that the call takes. Jackson's own messages are not
 * shown: they are made of names of classes.
 */
final class JsonErrorMapper implements ExceptionMapper<JsonProcessingException> {

  /** Jersey's stand-in for the request of the current thread. */
  @Context private @Nullable HttpServletRequest request;

  @Override
  public Response toResponse(JsonProcessingException failure) {
    if (failure instanceof InvalidDefinitionException
        || failure.getProcessor() instanceof JsonGenerator) {
      return Unexpected.response(failure, request);
    }
    // The response of one of our records to a value that it does not allow, or of the body itself
    // once it turns out to be too large.
    if (failure.getCause() instanceof WebApplicationException web) {
      return web.getResponse();
    }
    return Problem.response(Errors.body(400, where(failure.getLocation()) + what(failure)));
  }

  private static String what(JsonProcessingException failure) {
    if (failure instanceof UnrecognizedPropertyException unknown) {
      String known =
          unknown.getKnownPropertyIds().stream()
              .map(String::valueOf)
              .sorted()
              .collect(Collectors.joining(", "));
      return "unknown field '%s', allowed: %s".formatted(path(unknown), known);
    }
    if (failure instanceof ValueInstantiationException
        && failure.getCause() instanceof IllegalArgumentException refused
        && refused.getMessage() != null) {
      return refused.getMessage();
    }
    if (failure instanceof MismatchedInputException wrong) {
      return mismatch(wrong);
    }
    if (failure instanceof HalfPairException half) {
      return "'" + path(half) + "' " + half.getOriginalMessage();
    }
    if (failure instanceof JsonMappingException other) {
      return inside(other);
    }
    return failure instanceof JsonEOFException
        ? "the JSON ends too early"
        : "not JSON: " + failure.getOriginalMessage();
  }

  /** What Jackson met inside a value. */
  private static String inside(JsonMappingException failure) {
    if (failure.getCause() instanceof InputCoercionException tooLarge) {
      Class<?> type = tooLarge.getTargetType();
      return "'%s' is %s, allowed: %s up to %d"
          .formatted(
              path(failure),
              given(tooLarge.getProcessor()),
              Allowed.of(type),
              type == int.class ? Integer.MAX_VALUE : Long.MAX_VALUE);
    }
    return failure.getCause() instanceof JsonProcessingException notJson
        ? what(notJson)
        : "'" + path(failure) + "' cannot be read";
  }

  private static String mismatch(MismatchedInputException wrong) {
    if (wrong.getOriginalMessage().startsWith("Trailing token")) {
      return "more follows after the JSON, allowed: one object";
    }
    String field = path(wrong);
    Class<?> type = wrong.getTargetType();
    return "%s is %s%s"
        .formatted(
            field.isEmpty() ? "the body" : "'" + field + "'",
            wrong.getProcessor() instanceof JsonParser parser ? given(parser) : "wrong",
            type == null ? "" : ", allowed: " + Allowed.of(type));
  }

  /** The value that the parser is at, so that text can be told from a number. */
  private static String given(JsonParser parser) {
    JsonToken token = parser.currentToken();
    if (token == null || token.isStructEnd()) {
      return "missing";
    }
    if (!token.isScalarValue()) {
      return token == JsonToken.START_ARRAY ? "an array" : "an object";
    }
    try {
      String text = Problem.shown(parser.getText());
      return token == JsonToken.VALUE_STRING ? '"' + text + '"' : text;
    } catch (IOException e) {
      throw new UncheckedIOException("the token was read before", e);
    }
  }

  private static String where(@Nullable JsonLocation location) {
    return location == null || location.getLineNr() < 1
        ? ""
        : "line %d, column %d: ".formatted(location.getLineNr(), location.getColumnNr());
  }

  /** As in {@code headers.name} or {@code list[2].name}. */
  private static String path(JsonMappingException failure) {
    StringBuilder path = new StringBuilder();
    for (JsonMappingException.Reference step : failure.getPath()) {
      if (step.getFieldName() == null) {
        path.append('[').append(step.getIndex()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
      }
    }
    return path.toString();
  }
}
