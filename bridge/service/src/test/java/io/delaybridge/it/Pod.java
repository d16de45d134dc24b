package io.delaybridge.it;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.delaybridge.stack.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The container of a rendered Deployment as a process of this machine: the entry point of the image
 * in a directory like the image's, with the arguments, environment, mounted files and probes of the
 * Deployment. The paths of mounts and the numbers of ports are replaced by local ones, because
 * there is no separate file system and network.
 */
final class Pod implements AutoCloseable {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final Path dir;
  private final JsonNode spec;
  private final JsonNode container;

  /** Paths and ports within the container, and their local replacements. */
  private final Map<String, String> here = new HashMap<>();

  private final Map<String, Integer> ports = new HashMap<>();
  private @Nullable Process process;

  /**
   * @param files by kind of volume and name, such as {@code secret/tokens}: files and their content
   */
  Pod(Path dir, JsonNode deployment, Map<String, Map<String, String>> files) throws IOException {
    this.dir = Files.createDirectories(dir);
    this.spec = deployment.at("/spec/template/spec");
    this.container = spec.at("/containers/0");
    for (JsonNode port : container.path("ports")) {
      int free = Ports.free();
      ports.put(port.path("name").asText(), free);
      here.put("port: " + port.path("containerPort").asInt(), "port: " + free);
    }
    for (JsonNode volume : spec.path("volumes")) {
      if (volume.has("secret") || volume.has("configMap")) {
        String name = volume.path("name").asText();
        here.put(mountPath(name), mounted(name).toString());
      }
    }
    for (JsonNode volume : spec.path("volumes")) {
      for (var file : files.getOrDefault(source(volume), Map.of()).entrySet()) {
        write(volume.path("name").asText(), file.getKey(), file.getValue());
      }
    }
  }

  private String mountPath(String volume) {
    for (JsonNode mount : container.path("volumeMounts")) {
      if (mount.path("name").asText().equals(volume)) {
        return mount.path("mountPath").asText();
      }
    }
    throw new IllegalStateException("volume " + volume + " is mounted nowhere");
  }

  /** Returns the source of the volume, in the form in which tests name files. */
  private static String source(JsonNode volume) {
    return volume.has("secret")
        ? "secret/" + volume.at("/secret/secretName").asText()
        : "configmap/" + volume.at("/configMap/name").asText();
  }

  private Path mounted(String volume) throws IOException {
    return Files.createDirectories(dir.resolve("mounts").resolve(volume).toAbsolutePath());
  }

  /** Replaces a file of a volume in one move, as the kubelet does. */
  void write(String volume, String name, String content) throws IOException {
    Path file = mounted(volume).resolve(name);
    Path next = Files.writeString(dir.resolve("next"), translated(content));
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private String translated(String text) {
    String result = text;
    for (var each : here.entrySet()) {
      // Not "port: 80" in "port: 8080".
      result = result.replaceAll(each.getKey() + "(?![0-9a-z])", each.getValue());
    }
    return result;
  }

  /** Starts it, with only the environment of the Deployment. */
  void start() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Chart.ROOT.resolve("docker/entrypoint").toString());
    container.path("args").forEach(arg -> command.add(translated(arg.asText())));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(Path.of(System.getProperty("bridge.jar"), "..").normalize().toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log().toFile()));
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.put("PATH", Path.of(System.getProperty("java.home"), "bin") + ":/usr/bin:/bin");
    container
        .path("env")
        .forEach(each -> environment.put(each.path("name").asText(), each.path("value").asText()));
    process = builder.start();
  }

  Path log() {
    return dir.resolve("bridge.log");
  }

  /** Waits as the kubelet does, at the interval and for the time of the probe. */
  void awaitProbe(String name) {
    JsonNode probe = container.path(name);
    Duration every = Duration.ofSeconds(probe.path("periodSeconds").asInt());
    await(name)
        .pollInterval(every)
        .pollDelay(Duration.ZERO)
        .atMost(every.multipliedBy(probe.path("failureThreshold").asInt()))
        .until(() -> probe(name));
  }

  /** Returns true if this probe of the container succeeds now. */
  boolean probe(String name) {
    JsonNode probe = container.path(name);
    String url = uri(probe.at("/httpGet/port").asText()) + probe.at("/httpGet/path").asText();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(Duration.ofSeconds(probe.path("timeoutSeconds").asInt()))
            .build();
    try {
      return CLIENT.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Returns the local address of a port of the container. */
  String uri(String port) {
    return "http://127.0.0.1:" + ports.get(port);
  }

  private Process running() {
    Process now = process;
    if (now == null) {
      throw new IllegalStateException("it was never started");
    }
    return now;
  }

  void kill() throws InterruptedException {
    running().destroyForcibly().waitFor();
  }

  /**
   * Ends it as the kubelet does.
   *
   * @return whether it was gone before the kubelet would have killed it
   */
  boolean stop() throws InterruptedException {
    running().destroy();
    int grace = spec.path("terminationGracePeriodSeconds").asInt();
    int before = container.at("/lifecycle/preStop/sleep/seconds").asInt();
    return running().waitFor(grace - before, TimeUnit.SECONDS);
  }

  String said() {
    try {
      return Files.readString(log());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    Process now = process;
    if (now != null) {
      now.destroyForcibly();
    }
  }
}
