package io.delaybridge.admin.errors;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import io.delaybridge.admin.Problem;
import io.delaybridge.admin.errors.WholeText.HalfPairException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
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
      String field = path(wrong);
      Class<?> type = wrong.getTargetType();
      return (field.isEmpty() ? "the body" : "'" + field + "'")
          + " has the wrong type or value"
          + (type == null ? "" : ", allowed: " + Allowed.of(type));
    }
    if (failure instanceof HalfPairException half) {
      return "'" + path(half) + "' " + half.getOriginalMessage();
    }
    if (failure instanceof JsonMappingException other) {
      return "'" + path(other) + "' cannot be read";
    }
    return failure instanceof JsonEOFException
        ? "the JSON ends too early"
        : "not JSON: " + failure.getOriginalMessage();
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
