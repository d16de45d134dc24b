package io.delaybridge.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * A real Kafka Connect worker, standalone, in its own JVM, with its REST interface on 127.0.0.1. It
 * uses the class path of the module {@code delay-bridge-stack-worker}, which must be on the class
 * path of the caller. Its directory holds {@code worker.properties}, one file for each connector,
 * {@code worker.log} and, while it runs, {@code worker.pid}.
 *
 * <pre>{@code
 * try (ConnectWorker worker =
 *     ConnectWorker.at(dir, bootstrapServers).plugins(path).connector("sink", config).start()) {
 *   worker.get("/connectors/sink/status");
 * }
 * }</pre>
 */
public final class ConnectWorker extends ProcessServer {

  private static final String CLASS_PATH = "worker.classpath";
  private static final String LOGGING = "worker-log4j2.properties";
  private static final String CONVERTER = "org.apache.kafka.connect.converters.ByteArrayConverter";
  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(15);
  private static final int HTTP_MS = 10_000;

  private final Path dir;
  private final Map<String, String> settings = new HashMap<>();
  private final Map<String, Map<String, String>> connectors = new LinkedHashMap<>();
  private List<String> jvmArgs = List.of("-Xmx512m", "-XX:TieredStopAtLevel=1");
  private int port;

  private ConnectWorker(Path dir, String bootstrapServers) {
    super(new ManagedProcess("worker", dir), STOP_LIMIT);
    this.dir = dir.toAbsolutePath();
    settings.put("bootstrap.servers", bootstrapServers);
    settings.put("key.converter", CONVERTER);
    settings.put("value.converter", CONVERTER);
    settings.put("offset.storage.file.filename", this.dir.resolve("offsets").toString());
  }

  /** Returns a worker that uses this directory, which is created if necessary. */
  public static ConnectWorker at(Path dir, String bootstrapServers) {
    return new ConnectWorker(dir, bootstrapServers);
  }

  /** Sets the directory with one subdirectory for each plugin. Plugins are found as services. */
  public ConnectWorker plugins(Path path) {
    return with("plugin.path", path.toAbsolutePath().toString())
        .with("plugin.discovery", "service_load");
  }

  /** Sets a property of {@code worker.properties}, from the next start on. */
  public ConnectWorker with(String key, String value) {
    settings.put(key, value);
    return this;
  }

  /** Adds a connector that the worker runs from its next start on. */
  public ConnectWorker connector(String name, Map<String, String> config) {
    Map<String, String> named = new HashMap<>(config);
    named.put("name", name);
    connectors.put(name, named);
    return this;
  }

  /** Sets the port of the REST interface; the default is a free port. It survives restarts. */
  public ConnectWorker port(int chosen) {
    port = chosen;
    return this;
  }

  /** Replaces the JVM arguments; the default is 512 MiB and only the first compiler. */
  public ConnectWorker jvm(String... arguments) {
    jvmArgs = List.of(arguments);
    return this;
  }

  /** Starts the process and returns when its REST interface lists all connectors. */
  @Override
  public ConnectWorker start() {
    process().claim();
    port = Ports.chosen(port, "the Connect worker", "ConnectWorker.port");
    settings.put("listeners", "http://127.0.0.1:" + port);
    List<String> command = new ArrayList<>(List.of(Java.command()));
    command.addAll(jvmArgs);
    Path logging = dir.resolve("log4j2.properties");
    try {
      Files.write(logging, resource(LOGGING));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }

    command.add("-Dlog4j2.configurationFile=" + logging);
    command.addAll(List.of("-cp", new String(resource(CLASS_PATH), StandardCharsets.UTF_8)));
    command.add("org.apache.kafka.connect.cli.ConnectStandalone");
    command.add(properties("worker", settings).toString());
    connectors.forEach((name, config) -> command.add(properties(name, config).toString()));
    process().start(command, Map.of());
    process().awaitReady(START_LIMIT, this::answers);
    return this;
  }

  /** Returns the address of the REST interface, once started: {@code http://127.0.0.1:<port>}. */
  public String uri() {
    return "http://127.0.0.1:" + port;
  }

  /**
   * Returns the answer of the REST interface to a GET request.
   *
   * @param path the path, as in {@code /connector-plugins}
   * @return the body as JSON, also for an error
   * @throws UncheckedIOException if nothing answers
   */
  public String get(String path) {
    return call("GET", path, "");
  }

  /** Returns the answer of the REST interface to a PUT request with a JSON body. */
  public String put(String path, String body) {
    return call("PUT", path, body);
  }

  private boolean answers() {
    try {
      String all = get("/connectors");
      return connectors.keySet().stream().allMatch(name -> all.contains('"' + name + '"'));
    } catch (UncheckedIOException e) {
      // The worker does not answer yet.
      return false;
    }
  }

  private String call(String method, String path, String body) {
    try {
      HttpURLConnection connection = (HttpURLConnection) new URL(uri() + path).openConnection();
      connection.setRequestMethod(method);
      connection.setConnectTimeout(HTTP_MS);
      connection.setReadTimeout(HTTP_MS);
      if (!body.isEmpty()) {
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        try (OutputStream out = connection.getOutputStream()) {
          out.write(body.getBytes(StandardCharsets.UTF_8));
        }
      }
      boolean good = connection.getResponseCode() < HttpURLConnection.HTTP_BAD_REQUEST;
      InputStream answer = good ? connection.getInputStream() : connection.getErrorStream();
      try (InputStream in = answer == null ? InputStream.nullInputStream() : answer) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path properties(String name, Map<String, String> values) {
    Properties properties = new Properties();
    properties.putAll(values);
    Path file = dir.resolve(name + ".properties");
    try (OutputStream out = Files.newOutputStream(file)) {
      properties.store(out, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file;
  }

  private static byte[] resource(String name) {
    return Resources.read(
        ConnectWorker.class, name, "delay-bridge-stack-worker is not on the class path.");
  }
}
