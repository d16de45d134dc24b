package io.delaybridge.admin.errors;

import io.delaybridge.admin.Allowed;
import io.delaybridge.admin.Problem;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import org.glassfish.jersey.server.ParamException;
import org.jspecify.annotations.Nullable;

/**
 * Maps a parameter that cannot be read: to 400 in the query, to 404 in the path, since nothing can
 * be there.
 */
final class ParameterErrorMapper implements ExceptionMapper<ParamException> {

  /** Jersey's stand-ins for what belongs to the current thread. */
  @Context private @Nullable UriInfo uri;

  @Context private @Nullable ResourceInfo resource;

  @Override
  public Response toResponse(ParamException failure) {
    String name = failure.getParameterName();
    boolean path = failure.getParameterType() == PathParam.class;
    Class<?> type = type(name);
    return Problem.response(
        Errors.body(
            path ? 404 : 400,
            "%s is '%s'%s"
                .formatted(
                    name,
                    value(name, path),
                    type == null ? "" : ", allowed: " + Allowed.of(type))));
  }

  private @Nullable String value(String name, boolean path) {
    if (uri == null) {
      return null;
    }
    return (path ? uri.getPathParameters() : uri.getQueryParameters()).getFirst(name);
  }

  private @Nullable Class<?> type(String name) {
    Method method = resource == null ? null : resource.getResourceMethod();
    if (method == null) {
      return null;
    }
    for (Parameter parameter : method.getParameters()) {
      QueryParam query = parameter.getAnnotation(QueryParam.class);
      PathParam path = parameter.getAnnotation(PathParam.class);
      if ((query != null && query.value().equals(name))
          || (path != null && path.value().equals(name))) {
        return parameter.getType();
      }
    }
    return null;
  }
}
