package io.delaybridge.admin.access;

import jakarta.annotation.security.DenyAll;
import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.List;

/**
 * Keeps the bridge from starting if a call under {@code /v1} does not say who may make it. Jersey
 * lets everyone make a call for which it knows no role.
 */
public final class ClosedFeature implements DynamicFeature {

  private static final List<Class<? extends Annotation>> ANSWERS =
      List.of(RolesAllowed.class, PermitAll.class, DenyAll.class);

  /** No state. */
  public ClosedFeature() {}

  @Override
  public void configure(ResourceInfo call, FeatureContext context) {
    Class<?> type = call.getResourceClass();
    Method method = call.getResourceMethod();
    if (isOfTheApi(type) && !answers(type) && !answers(method)) {
      throw new IllegalStateException(
          "%s.%s says neither @RolesAllowed nor @PermitAll"
              .formatted(type.getName(), method.getName()));
    }
  }

  /** Whether the calls of this class are under {@code /v1}. */
  static boolean isOfTheApi(Class<?> type) {
    Path path = type.getAnnotation(Path.class);
    return path != null && path.value().matches("/?v1(/.*)?");
  }

  private static boolean answers(AnnotatedElement element) {
    return ANSWERS.stream().anyMatch(element::isAnnotationPresent);
  }
}
