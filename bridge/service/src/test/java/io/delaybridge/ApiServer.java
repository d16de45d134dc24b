package io.delaybridge;

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.health.HealthCheckRegistry;
import io.dropwizard.configuration.ConfigurationException;
import io.dropwizard.configuration.DefaultConfigurationFactoryFactory;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.jackson.Jackson;
import io.dropwizard.jersey.validation.Validators;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.eclipse.jetty.ee10.servlet.Holder;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.Server;

/** The shell around resources of a test, on real ports, without Kafka and Redis. */
final class ApiServer implements AutoCloseable {

  private static final String PORTS =
      """
      server:
        applicationConnectors: [{type: http, bindHost: 127.0.0.1, port: 0}]
        adminConnectors: [{type: http, bindHost: 127.0.0.1, port: 0}]
        requestLog: {appenders: []}
      """;

  final Environment environment;
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Server server;

  private ApiServer(String yaml, Consumer<Environment> more, List<Object> resources)
      throws Exception {
    BridgeConfiguration config = config(yaml);
    environment =
        new Environment(
            "test",
            Jackson.newObjectMapper(),
            Validators.newValidatorFactory(),
            new MetricRegistry(),
            ApiServer.class.getClassLoader(),
            new HealthCheckRegistry(),
            config);
    config.getServerFactory().configure(environment);
    new ApiShell(config.api(), config.getServerFactory(), environment, registry).install(resources);
    more.accept(environment);
    server = config.getServerFactory().build(environment);
  }

  /** Starts a server; the text is added to a configuration with free ports on the loopback. */
  static ApiServer start(String yaml, Object... resources) throws Exception {
    return start(yaml, environment -> {}, resources);
  }

  /** Starts a server that has more than resources. */
  static ApiServer start(String yaml, Consumer<Environment> more, Object... resources)
      throws Exception {
    ApiServer started = new ApiServer(PORTS + yaml, more, List.of(resources));
    started.server.start();
    return started;
  }

  /** Builds a server with this configuration that does not listen. */
  static ApiServer built(String yaml) throws Exception {
    return new ApiServer(yaml, environment -> {}, List.of());
  }

  /** Returns the names of the filters of the admin port. */
  List<String> adminFilters() {
    return Arrays.stream(environment.getAdminContext().getServletHandler().getFilters())
        .map(Holder::getName)
        .toList();
  }

  static BridgeConfiguration config(String yaml) throws IOException, ConfigurationException {
    return new DefaultConfigurationFactoryFactory<BridgeConfiguration>()
        .create(
            BridgeConfiguration.class,
            Validators.newValidator(),
            BridgeConfiguration.strict(Jackson.newObjectMapper()),
            "dw")
        .build(path -> new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)), "test.yml");
  }

  private int port(String name) {
    return Arrays.stream(server.getConnectors())
        .filter(connector -> name.equals(connector.getName()))
        .mapToInt(connector -> ((NetworkConnector) connector).getLocalPort())
        .findFirst()
        .orElseThrow();
  }

  /** Calls the API with these header lines. */
  Answer call(String method, String path, String body, String... headers) throws IOException {
    return send(port("application"), method, path, body, headers);
  }

  Answer get(String path, String... headers) throws IOException {
    return call("GET", path, "", headers);
  }

  Answer post(String path, String json, String... headers) throws IOException {
    return call("POST", path, json, with(headers, "Content-Type: application/json"));
  }

  /** Calls the admin port. */
  Answer admin(String method, String path, String... headers) throws IOException {
    return send(port("admin"), method, path, "", headers);
  }

  private static String[] with(String[] headers, String one) {
    String[] more = Arrays.copyOf(headers, headers.length + 1);
    more[headers.length] = one;
    return more;
  }

  /** Uses no HTTP client, because those refuse some requests of browsers and attackers. */
  private static Answer send(int port, String method, String path, String body, String... headers)
      throws IOException {
    Set<String> lines = new TreeSet<>(Arrays.asList(headers));
    if (lines.stream().noneMatch(line -> line.startsWith("Host:"))) {
      lines.add("Host: 127.0.0.1:" + port);
    }
    lines.add("Connection: close");
    boolean chunked = lines.contains("Transfer-Encoding: chunked");
    if (!chunked && lines.stream().noneMatch(line -> line.startsWith("Content-Length:"))) {
      lines.add("Content-Length: " + body.length());
    }
    String request =
        method + " " + path + " HTTP/1.1\r\n" + String.join("\r\n", lines) + "\r\n\r\n" + body;
    return raw(port, request);
  }

  /** Sends any bytes, one for each character, to the application port. */
  Answer raw(String request) throws IOException {
    return raw(port("application"), request);
  }

  private static Answer raw(int port, String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      InputStream in = socket.getInputStream();
      return Answer.parse(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1));
    }
  }

  /**
   * A response.
   *
   * @param headers by lower-case name
   */
  record Answer(int status, Map<String, String> headers, String body) {

    static Answer parse(String text) {
      String[] parts = text.split("\r\n\r\n", 2);
      String[] lines = parts[0].split("\r\n", -1);
      Map<String, String> headers =
          Arrays.stream(lines)
              .skip(1)
              .map(line -> line.split(": ", 2))
              .collect(
                  Collectors.toMap(
                      line -> line[0].toLowerCase(java.util.Locale.ROOT),
                      line -> line[1],
                      (first, second) -> first + ", " + second));
      return new Answer(Integer.parseInt(lines[0].split(" ", 3)[1]), headers, parts[1]);
    }

    String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  /** Returns the counter of refused calls with this reason. */
  double refused(String reason) {
    MetricSnapshots snapshots = registry.scrape(name -> name.startsWith("delay_api_refused"));
    return ((CounterSnapshot) snapshots.get(0))
        .getDataPoints().stream()
            .filter(point -> reason.equals(point.getLabels().get("reason")))
            .mapToDouble(CounterSnapshot.CounterDataPointSnapshot::getValue)
            .sum();
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
