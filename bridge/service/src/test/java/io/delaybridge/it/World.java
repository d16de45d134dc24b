package io.delaybridge.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.delaybridge.stack.LocalRedis;
import io.delaybridge.stack.Stack;
import io.delaybridge.stack.StackSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A broker, a Redis and the clients that tests need. */
final class World implements AutoCloseable {

  private static final AtomicInteger SCENARIOS = new AtomicInteger();
  private static final Duration KNOWN = Duration.ofSeconds(30);

  final Path dir;
  final Stack stack;
  final Admin admin;
  final KafkaProducer<byte[], byte[]> producer;

  private World(Path dir, Stack stack) {
    this.dir = dir;
    this.stack = stack;
    this.admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, stack.bootstrapServers()));
    this.producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                stack.bootstrapServers(),
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                8 << 20,
                ProducerConfig.LINGER_MS_CONFIG,
                2),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /** Returns another producer, closed by the caller; its transactions are not initialized yet. */
  Producer<byte[], byte[]> transactional(String id) {
    return new KafkaProducer<>(
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            stack.bootstrapServers(),
            ProducerConfig.TRANSACTIONAL_ID_CONFIG,
            id),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  static World start() {
    return start(StackSettings.NONE);
  }

  /**
   * Returns the world that all test classes of this JVM share. Its servers end with the JVM, so it
   * is for harmless tests only, and is not closed.
   */
  static World shared() {
    return Shared.WORLD;
  }

  private static final class Shared {
    static final World WORLD = start();
  }

  static World start(StackSettings settings) {
    Path dir = directory();
    return over(dir, Stack.start(dir, settings));
  }

  /** Returns a world with other servers, which are already running. */
  static World over(Path dir, Stack servers) {
    return new World(dir, servers);
  }

  /**
   * Creates a directory for servers under target, so that logs are readable until the next clean.
   */
  static Path directory() {
    try {
      Path parent = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
      return Files.createTempDirectory(parent, "world");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Starts a world with the data of an earlier run, if this directory has any. */
  static World at(Path dir, StackSettings settings) {
    requireFiles();
    return new World(dir, Stack.start(dir, settings));
  }

  /**
   * Returns a scenario with its own topics, group and keys, so that tests can share the processes.
   */
  Scenario scenario() {
    return new Scenario(this, SCENARIOS.incrementAndGet());
  }

  /** Returns Redis as a process, whose files can be copied; skips the test if there is none. */
  LocalRedis localRedis() {
    requireFiles();
    return (LocalRedis) stack.redis();
  }

  /** Skips the test if broker and Redis are containers: their files are out of reach. */
  static void requireFiles() {
    assumeFalse("containers".equals(System.getProperty("stack")), "needs the servers' files");
  }

  /** Returns when the broker knows the topic, which is some time after the controller does. */
  void createTopic(String name, int partitions, Map<String, String> config) {
    NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.empty()).configs(config);
    Scenario.get(admin.createTopics(List.of(topic)).all());
    await().atMost(KNOWN).until(() -> knows(name));
  }

  int partitions(String topic) {
    return Scenario.get(admin.describeTopics(List.of(topic)).allTopicNames()).values().stream()
        .mapToInt(description -> description.partitions().size())
        .sum();
  }

  boolean knows(String topic) {
    return Scenario.get(admin.listTopics().names()).contains(topic);
  }

  @Override
  public void close() {
    producer.close();
    admin.close();
    stack.close();
  }
}
