package io.delaybridge.admin.api;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * Serves the description of this API from the module {@code schemas}. It needs no token: every copy
 * of the bridge has it, and it says nothing of this one.
 */
@Hidden
@Path("/openapi.json")
@Produces(MediaType.APPLICATION_JSON)
public final class OpenApiResource {

  private static final String DOCUMENT = "/delay-bridge.openapi.json";

  private final byte[] document;

  /** Reads the document. */
  public OpenApiResource() {
    try (InputStream in = OpenApiResource.class.getResourceAsStream(DOCUMENT)) {
      document = Objects.requireNonNull(in, DOCUMENT).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The OpenAPI document. */
  @GET
  public byte[] document() {
    return document.clone();
  }
}
