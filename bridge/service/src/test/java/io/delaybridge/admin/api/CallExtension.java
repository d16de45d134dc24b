package io.delaybridge.admin.api;

import com.fasterxml.jackson.annotation.JsonView;
import io.dropwizard.auth.Auth;
import io.swagger.v3.jaxrs2.ResolvedParameter;
import io.swagger.v3.jaxrs2.ext.AbstractOpenAPIExtension;
import io.swagger.v3.jaxrs2.ext.OpenAPIExtension;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.Path;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The common parts of all calls of this API: the permitted callers, and the errors. */
final class CallExtension extends AbstractOpenAPIExtension {

  static final String PROBLEM = "Problem";

  @Override
  public ResolvedParameter extractParameters(
      List<Annotation> annotations,
      Type type,
      Set<Type> typesToSkip,
      Components components,
      Consumes classConsumes,
      Consumes methodConsumes,
      boolean includeRequestBody,
      JsonView jsonViewAnnotation,
      Iterator<OpenAPIExtension> chain) {
    // The caller is derived from the token, not sent.
    return annotations.stream().anyMatch(Auth.class::isInstance)
        ? new ResolvedParameter()
        : super.extractParameters(
            annotations,
            type,
            typesToSkip,
            components,
            classConsumes,
            methodConsumes,
            includeRequestBody,
            jsonViewAnnotation,
            chain);
  }

  @Override
  public void decorateOperation(
      Operation operation, Method method, Iterator<OpenAPIExtension> chain) {
    super.decorateOperation(operation, method, chain);
    Class<?> resource = method.getDeclaringClass();
    RolesAllowed roles = method.getAnnotation(RolesAllowed.class);
    roles = roles == null ? resource.getAnnotation(RolesAllowed.class) : roles;
    operation.addExtension("x-role", roles == null ? "any" : String.join(",", roles.value()));
    operation.addSecurityItem(new SecurityRequirement().addList(Api.SECURITY_SCHEME));
    if (operation.getTags() == null) {
      operation.addTagsItem(subject(resource, method.getAnnotation(Path.class)));
    }
    ApiResponses responses = operation.getResponses();
    ApiResponse success = responses.remove(ApiResponses.DEFAULT);
    if (success != null) {
      boolean empty = method.getReturnType() == void.class;
      success.setContent(empty ? null : success.getContent());
      responses.addApiResponse(
          empty ? "204" : "200", success.description(empty ? "Done" : "The answer"));
    }
    for (String status : List.of("401", "403", ApiResponses.DEFAULT)) {
      responses.addApiResponse(status, new ApiResponse().$ref(PROBLEM));
    }
  }

  /** Returns the text between /v1/ and the next slash. */
  private static String subject(Class<?> resource, @Nullable Path method) {
    String path = resource.getAnnotation(Path.class).value();
    String whole = method == null ? path : path + "/" + method.value();
    return whole.replaceFirst("/*v1/+", "").replaceFirst("/.*", "");
  }
}
