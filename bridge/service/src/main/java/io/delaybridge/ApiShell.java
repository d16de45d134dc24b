package io.delaybridge;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.delaybridge.admin.Caller;
import io.delaybridge.admin.access.BearerFilter;
import io.delaybridge.admin.access.BodyLimit;
import io.delaybridge.admin.access.BrowserGuard;
import io.delaybridge.admin.access.ClosedFeature;
import io.delaybridge.admin.access.RefusalFilter;
import io.delaybridge.admin.access.Refusals;
import io.delaybridge.admin.access.SecurityHeaders;
import io.delaybridge.admin.access.StrictFeature;
import io.delaybridge.admin.access.TaskGuard;
import io.delaybridge.admin.access.Tokens;
import io.delaybridge.admin.errors.Errors;
import io.delaybridge.admin.errors.JettyErrors;
import io.delaybridge.admin.errors.ServletErrors;
import io.delaybridge.admin.errors.WholeText;
import io.delaybridge.config.ApiConfig;
import io.dropwizard.auth.AuthDynamicFeature;
import io.dropwizard.auth.AuthValueFactoryProvider;
import io.dropwizard.core.server.AbstractServerFactory;
import io.dropwizard.core.server.ServerFactory;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.jersey.setup.JerseyEnvironment;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import jakarta.servlet.Filter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.glassfish.jersey.server.filter.RolesAllowedDynamicFeature;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets up what every call of the API passes on its way in and out. Only wires the parts together.
 */
final class ApiShell {

  private static final Logger LOG = LoggerFactory.getLogger(ApiShell.class);
  private static final String EVERYTHING = "/*";

  private final ApiConfig api;
  private final Exposure exposure;
  private final Environment environment;
  private final Refusals refusals;
  private final @Nullable Tokens tokens;

  /**
   * Reads the tokens.
   *
   * @throws IOException if the token file cannot be used; names the file and what is wrong with it
   */
  ApiShell(
      ApiConfig api, ServerFactory server, Environment environment, PrometheusRegistry registry)
      throws IOException {
    this.api = api;
    this.exposure = new Exposure(api, server);
    this.environment = environment;
    this.refusals = new Refusals(registry, System::nanoTime);
    this.tokens =
        api.tokens() == null
            ? null
            : new Tokens(Path.of(api.tokens()), InstantSource.system(), System::nanoTime);
    if (server instanceof AbstractServerFactory factory) {
      factory.setRegisterDefaultExceptionMappers(false);
      // The name would have the query of the call, and the log has the names of threads: somebody
      // may have put a token there.
      factory.setEnableThreadNameFilter(false);
    }
  }

  /** Registers everything, with these resources of the API. */
  void install(List<Object> resources) {
    JerseyEnvironment jersey = environment.jersey();
    jersey.register(new ClosedFeature());
    jersey.register(new AuthDynamicFeature(new BearerFilter(tokens)));
    jersey.register(RolesAllowedDynamicFeature.class);
    jersey.register(new AuthValueFactoryProvider.Binder<>(Caller.class));
    jersey.register(new BodyLimit(api.maxBodyBytes()));
    jersey.register(new StrictFeature());
    jersey.register(new RefusalFilter(refusals));
    Errors.mappers().forEach(jersey::register);
    resources.forEach(jersey::register);

    strict(environment.getObjectMapper());
    // GET /pprof would dump the stacks of all threads for as long as the caller likes, and needs no
    // token.
    environment.getAdminContext().setInitParameter("cpu-profile-enabled", "false");
    application("security-headers", new SecurityHeaders());
    application("errors", new ServletErrors());
    admin("errors", new ServletErrors());
    application("browser-guard", new BrowserGuard(exposure.applicationHosts(), refusals));
    admin("browser-guard", new BrowserGuard(exposure.adminHosts(), refusals));
    if (tokens != null) {
      environment.healthChecks().register("api-tokens", tokens);
    }
    if (exposure.adminChangesNeedToken()) {
      admin("task-guard", new TaskGuard(tokens, refusals));
    }
    environment
        .lifecycle()
        .addServerLifecycleListener(
            server -> server.setErrorHandler(new JettyErrors(SecurityHeaders.ALWAYS)));
    say();
  }

  /**
   * Refuses what Jackson would drop or change: unknown fields, which are slips of the pen, and
   * values of another type, of which it would take 2.9 for 2. One value may be as large as a body.
   */
  private void strict(ObjectMapper mapper) {
    for (CoercionInputShape shape : CoercionInputShape.values()) {
      mapper.coercionConfigDefaults().setCoercion(shape, CoercionAction.Fail);
    }
    mapper
        .coercionConfigFor(LogicalType.Float)
        .setCoercion(CoercionInputShape.Integer, CoercionAction.TryConvert);
    mapper.enable(
        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
        DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
    mapper.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
    mapper.registerModule(new WholeText());
    int longest = Math.max(StreamReadConstraints.DEFAULT_MAX_STRING_LEN, api.maxBodyBytes());
    mapper
        .getFactory()
        .setStreamReadConstraints(StreamReadConstraints.builder().maxStringLength(longest).build());
  }

  private void application(String name, Filter filter) {
    environment.servlets().addFilter(name, filter).addMappingForUrlPatterns(null, true, EVERYTHING);
  }

  private void admin(String name, Filter filter) {
    environment.admin().addFilter(name, filter).addMappingForUrlPatterns(null, true, EVERYTHING);
  }

  private void say() {
    if (tokens == null && exposure.applicationOpen()) {
      LOG.warn("The API needs no token, and other machines can reach it (api.insecure is true)");
    } else if (tokens == null) {
      LOG.info("The API needs no token, and only this machine can reach it (api.tokens is empty)");
    } else if (exposure.clear()) {
      LOG.warn(
          "The API needs one of the {} tokens in {}; clients send them unencrypted unless a proxy"
              + " in front of this port uses TLS, see docs/security.md",
          tokens.size(),
          api.tokens());
    } else {
      LOG.info("The API needs one of the {} tokens in {}", tokens.size(), api.tokens());
    }
  }
}
