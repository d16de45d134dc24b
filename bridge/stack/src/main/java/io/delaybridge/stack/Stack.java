package io.delaybridge.stack;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

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

  /**
   * Sends one command to Redis over a connection of its own.
   *
   * @return a String, a Long, a List of replies, or null
   * @throws StackException if Redis answers with an error or not at all
   */
  default @Nullable Object redisCommand(String... words) {
    return Resp.ask(URI.create(redisUri()).getPort(), words);
  }

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
