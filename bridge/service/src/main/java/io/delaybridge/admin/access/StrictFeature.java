package io.delaybridge.admin.access;

import io.delaybridge.admin.Parameters;
import io.delaybridge.admin.Problem;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.PathSegment;
import jakarta.ws.rs.core.Response.Status;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Refuses a call under {@code /v1} that has more than the call understands: a parameter that it
 * does not know, or a body where it takes none. Jersey drops both, and a pause of one intake would
 * be a pause of all. What a call takes is what the annotations of its method say.
 */
public final class StrictFeature implements DynamicFeature {

  /** After the check of the role, and after {@link BodyLimit}. */
  private static final int LAST = Priorities.ENTITY_CODER + 1;

  /** Jersey drops these before anybody can see them. */
  private static final Pattern NAMELESS = Pattern.compile("(^|&)=");

  /** No state. */
  public StrictFeature() {}

  @Override
  public void configure(ResourceInfo call, FeatureContext context) {
    if (ClosedFeature.isOfTheApi(call.getResourceClass())) {
      context.register(new Check(call.getResourceMethod()), LAST);
    }
  }

  /** The check for one method. */
  private static final class Check implements ContainerRequestFilter {

    private final Parameters parameters;
    private final boolean takesBody;

    Check(Method method) {
      Map<String, Class<?>> known = new HashMap<>();
      for (Parameter parameter : method.getParameters()) {
        add(known, parameter, parameter.getType());
      }
      this.parameters = new Parameters(known);
      this.takesBody = Arrays.stream(method.getParameters()).anyMatch(Check::isBody);
    }

    private static void add(Map<String, Class<?>> known, AnnotatedElement element, Class<?> type) {
      QueryParam query = element.getAnnotation(QueryParam.class);
      if (query != null) {
        known.put(query.value(), type);
      }
      if (element.isAnnotationPresent(BeanParam.class)) {
        for (Field field : type.getDeclaredFields()) {
          add(known, field, field.getType());
        }
      }
    }

    /** Whatever Jersey does not take from elsewhere, it reads from the body. */
    private static boolean isBody(Parameter parameter) {
      return Arrays.stream(parameter.getAnnotations())
          .map(Annotation::annotationType)
          .map(Class::getPackageName)
          .noneMatch(name -> name.startsWith("jakarta.ws.rs") || name.equals("io.dropwizard.auth"));
    }

    @Override
    public void filter(ContainerRequestContext request) {
      String query = request.getUriInfo().getRequestUri().getRawQuery();
      if (query != null && NAMELESS.matcher(query).find()) {
        throw Problem.of(Status.BAD_REQUEST, "a parameter of the query has no name");
      }
      parameters.check(request.getUriInfo().getQueryParameters());
      if (request.getUriInfo().getPathSegments().stream().anyMatch(Check::hasParameters)) {
        throw Problem.of(Status.BAD_REQUEST, "the path has ';', allowed: %3B in an id");
      }
      if (!takesBody && request.hasEntity()) {
        throw Problem.of(Status.BAD_REQUEST, "this call takes no body");
      }
    }

    private static boolean hasParameters(PathSegment segment) {
      return !segment.getMatrixParameters().isEmpty();
    }
  }
}
