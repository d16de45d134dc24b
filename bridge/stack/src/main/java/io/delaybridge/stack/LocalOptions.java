package io.delaybridge.stack;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options of the local run, given as system properties.
 *
 * @param root the root of the checkout
 * @param data the directory for all data and logs ({@code data.dir})
 * @param kafkaPort {@code kafka.port}
 * @param redisPort {@code redis.port}
 * @param httpPort {@code http.port}
 * @param adminPort {@code admin.port}
 */
record LocalOptions(
    Path root, Path data, int kafkaPort, int redisPort, int httpPort, int adminPort) {

  static final int KAFKA_PORT = 9092;

  private static final int HIGHEST_PORT = 65_535;

  /**
   * Reads the system properties.
   *
   * @throws StackException if one is not a port, with a message of one line
   */
  static LocalOptions read(Path root) {
    String data = System.getProperty("data.dir");
    return new LocalOptions(
        root,
        data == null ? root.resolve("local-data") : Path.of(data).toAbsolutePath(),
        port("kafka.port", KAFKA_PORT),
        port("redis.port", 6379),
        port("http.port", 8080),
        port("admin.port", 8081));
  }

  /** Throws a StackException of one line for the first port that is taken, or given twice. */
  void requireFreePorts() {
    List<Integer> ports = List.of(kafkaPort, redisPort, httpPort, adminPort);
    if (Set.copyOf(ports).size() < ports.size()) {
      throw new StackException(
          "-Dkafka.port, -Dredis.port, -Dhttp.port and -Dadmin.port are %s: they must differ."
              .formatted(ports));
    }
    Ports.requireFree(kafkaPort, "Kafka", "-Dkafka.port=<port>");
    Ports.requireFree(redisPort, "Redis", "-Dredis.port=<port>");
    Ports.requireFree(httpPort, "the bridge's API", "-Dhttp.port=<port>");
    Ports.requireFree(adminPort, "the bridge's health and metrics", "-Dadmin.port=<port>");
  }

  /** Throws a StackException of one line if the bridge is not built. */
  void requireJar() {
    if (!Files.exists(jar())) {
      throw new StackException(
          "%s is not there: run mvn -q -Plocal in the root of the checkout."
              .formatted(shown(jar())));
    }
  }

  Path jar() {
    return root.resolve("bridge/service/target/delay-bridge/delay-bridge.jar");
  }

  Path config() {
    return root.resolve("bridge/service/config.yml");
  }

  /** Returns a path relative to the current directory, if it is below that directory. */
  static Path shown(Path path) {
    Path here = Path.of("").toAbsolutePath();
    return path.startsWith(here) ? here.relativize(path) : path;
  }

  private static int port(String property, int otherwise) {
    String value = System.getProperty(property, Integer.toString(otherwise));
    try {
      int port = Integer.parseInt(value);
      if (port > 0 && port <= HIGHEST_PORT) {
        return port;
      }
    } catch (NumberFormatException e) {
      throw notAPort(property, value, e);
    }
    throw notAPort(property, value, null);
  }

  private static StackException notAPort(
      String property, String value, @Nullable NumberFormatException cause) {
    return new StackException(
        "-D%s=%s is not a port: allowed are 1 to %d.".formatted(property, value, HIGHEST_PORT),
        cause);
  }
}
