package io.delaybridge.admin.errors;

import io.delaybridge.admin.Problem;
import io.dropwizard.jersey.errors.ErrorMessage;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.MediaType;
import java.lang.annotation.Annotation;

/** Catches answers that pass by the mappers, brought by an exception or a resource. */
final class ProblemFilter implements ContainerResponseFilter {

  private static final MediaType TYPE = MediaType.valueOf(Problem.MEDIA_TYPE);

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (response.getStatus() >= 400 && !(response.getEntity() instanceof Problem.Body)) {
      String detail =
          response.getEntity() instanceof ErrorMessage message ? message.getMessage() : null;
      response.setEntity(Errors.body(response.getStatus(), detail), new Annotation[0], TYPE);
    }
  }
}
