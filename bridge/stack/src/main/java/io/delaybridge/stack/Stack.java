package io.delaybridge.stack;

import java.nio.file.Path;

/**
 * A Kafka broker and a Redis, started together. The system property {@code stack} selects {@code
 * processes} on this machine (the default) or {@code containers}, which need a Docker engine.
 */
public interface Stack extends AutoCloseable {

  /** The address for {@code bootstrap.servers}. */
  String bootstrapServers();

  /** The address of Redis, {@code redis://host:port}. */
  String redisUri();

  /** The broker, to be killed, paused, restarted. */
  Server kafka();

  /** Redis, to be killed, paused, restarted. */
  Server redis();

  /** Stops both. */
  @Override
  void close();

  /** Starts these two servers, which are already configured. */
  static Stack start(LocalBroker kafka, LocalRedis redis) {
    return ProcessStack.start(kafka, redis);
  }

  /** Starts both with their default settings; see {@link #start(Path, StackSettings)}. */
  static Stack start(Path dir) {
    return start(dir, StackSettings.NONE);
  }

  /**
   * Starts both and returns when they answer.
   *
   * @param dir the directory for the data and logs of processes; containers do not use it
   * @throws StackException if they do not come up, if the property names something unknown, or if
   *     containers are chosen and no Docker engine answers
   */
  static Stack start(Path dir, StackSettings settings) {
    String kind = System.getProperty("stack", "processes");
    return switch (kind) {
      case "processes" -> ProcessStack.start(dir, settings);
      case "containers" -> ContainerStack.start(settings);
      default ->
          throw new StackException(
              "-Dstack=" + kind + " is not known: allowed are processes (default), containers.");
    };
  }
}
