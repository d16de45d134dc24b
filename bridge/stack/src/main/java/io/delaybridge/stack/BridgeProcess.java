package io.delaybridge.stack;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bridge in its own JVM, started as {@code java @jvm.options -jar <jar> server <config>}. It
 * uses the options file next to the jar and the {@link ClassArchive}, if they exist. Its directory
 * holds {@code bridge.log} and, while it runs, {@code bridge.pid}.
 */
public final class BridgeProcess extends ProcessServer {

  private static final Duration STOP_LIMIT = Duration.ofSeconds(8);
  private static final int HTTP_MS = 5_000;

  private final Path jar;
  private final Path dir;
  private final Map<String, String> environment = new HashMap<>();
  private List<String> jvmArgs = List.of("-Xmx512m");
  private @Nullable Path config;
  private @Nullable Path entrypoint;
  private int httpPort;
  private int adminPort;

  private BridgeProcess(Path jar, Path dir) {
    super(new ManagedProcess("bridge", dir), STOP_LIMIT);
    this.jar = jar.toAbsolutePath();
    this.dir = dir;
  }

  /**
   * Returns a bridge that runs this jar and logs to this directory, which is created if necessary.
   */
  public static BridgeProcess of(Path jar, Path dir) {
    return new BridgeProcess(jar, dir);
  }

  /** Sets the configuration file, which is required. */
  public BridgeProcess config(Path yml) {
    config = yml.toAbsolutePath();
    return this;
  }

  /** Sets environment variables, from the next start on. */
  public BridgeProcess env(Map<String, String> variables) {
    environment.putAll(variables);
    return this;
  }

  /** Sets one environment variable, from the next start on. */
  public BridgeProcess env(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /**
   * Returns the JVM argument that reads the options file next to this jar; empty if there is none.
   */
  public static List<String> jvmOptions(Path jar) {
    Path file = jar.resolveSibling("jvm.options");
    return Files.exists(file) ? List.of("@" + file) : List.of();
  }

  /** Starts it by the script of the image, in the directory of the jar. */
  public BridgeProcess entrypoint(Path script) {
    entrypoint = script.toAbsolutePath();
    return this;
  }

  /** Replaces the JVM arguments that follow the options file; the default is {@code -Xmx512m}. */
  public BridgeProcess jvm(String... arguments) {
    jvmArgs = List.of(arguments);
    return this;
  }

  /** Sets the port of the HTTP API, passed as HTTP_PORT; the default is a free port. */
  public BridgeProcess httpPort(int chosen) {
    httpPort = chosen;
    return this;
  }

  /**
   * Sets the port of health checks and metrics, passed as ADMIN_PORT; the default is a free port.
   */
  public BridgeProcess adminPort(int chosen) {
    adminPort = chosen;
    return this;
  }

  /** Starts the process and returns at once; see {@link #awaitHealthy}. */
  @Override
  public BridgeProcess start() {
    Path yml = config;
    if (yml == null) {
      throw new StackException("The bridge has no configuration file: call config(path).");
    }
    if (!Files.exists(jar)) {
      throw new StackException(
          "The bridge's jar is not there (%s): build it with mvn -Dquick -DskipTests package"
              .formatted(jar));
    }
    process().claim();
    httpPort = Ports.chosen(httpPort, "the bridge's API", "BridgeProcess.httpPort");
    adminPort = Ports.chosen(adminPort, "the bridge's health checks", "BridgeProcess.adminPort");
    Map<String, String> variables = new HashMap<>(environment);
    variables.put("HTTP_PORT", Integer.toString(httpPort));
    variables.put("ADMIN_PORT", Integer.toString(adminPort));
    Path script = entrypoint;
    if (script == null) {
      process().start(command(yml), variables);
    } else {
      variables.put("JAVA_OPTS", String.join(" ", jvmArgs));
      variables.put("PATH", System.getProperty("java.home") + "/bin:" + System.getenv("PATH"));
      process().start(command(script, yml), variables);
    }
    return this;
  }

  private List<String> command(Path yml) {
    List<String> command = new ArrayList<>(List.of(Java.command()));
    command.addAll(jvmOptions(jar));
    command.addAll(ClassArchive.of(jar).arguments());
    command.addAll(jvmArgs);
    command.addAll(List.of("-jar", jar.toString(), "server", yml.toString()));
    return command;
  }

  private List<String> command(Path script, Path yml) {
    String home = jar.resolveSibling("").toString();
    return List.of("env", "-C", home, script.toString(), "server", yml.toString());
  }

  /**
   * Waits until every health check passes.
   *
   * @throws StackException if the process ends or the limit passes, with the end of the log; the
   *     process is killed at the limit
   */
  public BridgeProcess awaitHealthy(Duration limit) {
    process().awaitReady(limit, () -> health().status() == HttpURLConnection.HTTP_OK);
    return this;
  }

  /** Returns the current answer of {@code /healthcheck}. */
  public Health health() {
    try {
      URL url = new URL("http://127.0.0.1:" + adminPort + "/healthcheck");
      HttpURLConnection connection = (HttpURLConnection) url.openConnection();
      connection.setConnectTimeout(HTTP_MS);
      connection.setReadTimeout(HTTP_MS);
      int status = connection.getResponseCode();
      InputStream body =
          status < HttpURLConnection.HTTP_BAD_REQUEST
              ? connection.getInputStream()
              : connection.getErrorStream();
      try (InputStream in = body == null ? InputStream.nullInputStream() : body) {
        return new Health(status, new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      return new Health(0, String.valueOf(e.getMessage()));
    }
  }

  /**
   * An answer of the health check.
   *
   * @param status the HTTP status, 200 if all checks pass, 0 if nothing answered
   * @param body the answer as JSON; the error if nothing answered
   */
  public record Health(int status, String body) {}

  /** Returns the address of the HTTP API, once started: {@code http://127.0.0.1:<port>}. */
  public String httpUri() {
    return "http://127.0.0.1:" + httpPort;
  }

  /** Returns the health and metrics address, once started: {@code http://127.0.0.1:<port>}. */
  public String adminUri() {
    return "http://127.0.0.1:" + adminPort;
  }

  /** Returns the directory of the process. */
  public Path dir() {
    return dir;
  }
}
