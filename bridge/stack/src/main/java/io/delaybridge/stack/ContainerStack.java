package io.delaybridge.stack;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Broker and Redis as containers, with the same settings as the processes. The images can be chosen
 * with {@code -Dstack.kafka.image} (a build of apache/kafka) and {@code -Dstack.redis.image}.
 */
record ContainerStack(ContainerServer kafka, ContainerServer redis) implements Stack {

  private static final int KAFKA_PORT = 9092;
  private static final int REDIS_PORT = 6379;
  private static final int NODE_ID = 1;

  static ContainerStack start(StackSettings settings) {
    if (!DockerClientFactory.instance().isDockerAvailable()) {
      throw new StackException(
          "-Dstack=containers needs a Docker engine and none answers: start one, or leave the"
              + " option out to use processes of this machine.");
    }
    ContainerStack stack = new ContainerStack(kafka(settings), redis(settings));
    try {
      stack.redis.start();
      stack.kafka.start();
      return stack;
    } catch (StackException e) {
      stack.close();
      throw e;
    }
  }

  @Override
  public String bootstrapServers() {
    return "127.0.0.1:" + kafka.port();
  }

  @Override
  public String redisUri() {
    return "redis://127.0.0.1:" + redis.port();
  }

  @Override
  public void close() {
    try (redis) {
      kafka.close();
    }
  }

  // The container is held and closed by the ContainerServer.
  @SuppressWarnings("resource")
  private static ContainerServer kafka(StackSettings settings) {
    String image = "apache/kafka:" + BrokerClassPath.kafkaVersion();
    KafkaContainer container =
        new KafkaContainer(
            DockerImageName.parse(System.getProperty("stack.kafka.image", image))
                .asCompatibleSubstituteFor("apache/kafka"));
    Map<String, String> all = BrokerSettings.small(1);
    all.put("auto.create.topics.enable", "false");
    all.putAll(settings.kafka());
    all.forEach(
        (key, value) ->
            container.withEnv("KAFKA_" + key.replace('.', '_').toUpperCase(Locale.ROOT), value));
    return new ContainerServer("Kafka", container, KAFKA_PORT, port -> Probe.kafka(port, NODE_ID));
  }

  // The container is held and closed by the ContainerServer.
  @SuppressWarnings("resource")
  private static ContainerServer redis(StackSettings settings) {
    Map<String, String> all = LocalRedis.defaults();
    all.putAll(settings.redis());
    // Only builds of the official image answer others than the container itself by default.
    List<String> command = new ArrayList<>(List.of("redis-server", "--protected-mode", "no"));
    all.forEach((key, value) -> command.addAll(List.of("--" + key, value)));
    GenericContainer<?> container =
        new GenericContainer<>(
                DockerImageName.parse(System.getProperty("stack.redis.image", "redis:8")))
            .withExposedPorts(REDIS_PORT)
            .withCommand(command.toArray(String[]::new));
    return new ContainerServer("Redis", container, REDIS_PORT, Probe::redis);
  }
}
