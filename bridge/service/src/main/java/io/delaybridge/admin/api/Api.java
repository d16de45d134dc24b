package io.delaybridge.admin.api;

import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.enums.SecuritySchemeType;
import io.swagger.v3.oas.annotations.info.Info;
import io.swagger.v3.oas.annotations.info.License;
import io.swagger.v3.oas.annotations.security.SecurityScheme;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Lists the resource classes of the API, once for what runs, what is documented and what is tested.
 */
@OpenAPIDefinition(
    info =
        @Info(
            title = "Delay bridge",
            version = "1",
            description =
                "Schedules, looks up, moves and cancels delayed messages, and operates the bridge."
                    + " Instants are epoch milliseconds in answers. Every error is a problem of RFC"
                    + " 9457. x-role says which role a call needs; operate includes the others.",
            license =
                @License(name = "Apache-2.0", url = "https://www.apache.org/licenses/LICENSE-2.0")))
@SecurityScheme(
    name = Api.SECURITY_SCHEME,
    type = SecuritySchemeType.HTTP,
    scheme = "bearer",
    description = "A token of the file that api.tokens names. Without that file, none is needed.")
public final class Api {

  /** Name of the security scheme in the OpenAPI document. */
  public static final String SECURITY_SCHEME = "token";

  /** Every resource class. Add a new one here and to the wiring. */
  public static final List<Class<?>> RESOURCES =
      List.of(
          WhoamiResource.class,
          HealthResource.class,
          MessagesResource.class,
          ForecastResource.class,
          ShardsResource.class,
          WatermarkResource.class,
          PauseResource.class,
          StatsResource.class,
          DeadLettersResource.class,
          ReplaysResource.class,
          OpenApiResource.class);

  // Absent if dead letters are not indexed.
  private static final Set<Class<?>> OPTIONAL =
      Set.of(DeadLettersResource.class, ReplaysResource.class);

  private Api() {}

  /**
   * Returns the resources as they are.
   *
   * @throws IllegalStateException if they are not one of each of {@link #RESOURCES}; those of dead
   *     letters may all be absent
   */
  public static List<Object> complete(List<Object> resources) {
    Set<Class<?>> wired = resources.stream().map(Object::getClass).collect(Collectors.toSet());
    Set<Class<?>> expected = new HashSet<>(RESOURCES);
    if (Collections.disjoint(wired, OPTIONAL)) {
      expected.removeAll(OPTIONAL);
    }
    if (!wired.equals(expected) || resources.size() != expected.size()) {
      throw new IllegalStateException("Wired: " + wired + ", listed: " + RESOURCES);
    }
    return List.copyOf(resources);
  }
}
