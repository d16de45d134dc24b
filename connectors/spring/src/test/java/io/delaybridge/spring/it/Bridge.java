package io.delaybridge.spring.it;

import io.delaybridge.stack.BridgeProcess;
import io.delaybridge.stack.Stack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A broker, a Redis and a bridge with its default topics, shared by all tests of the run. */
public final class Bridge implements AutoCloseable {

  public static final Duration LIMIT = Duration.ofSeconds(40);
  private static final Duration START = Duration.ofSeconds(60);

  private final Stack stack;
  private final BridgeProcess bridge;
  private final Admin admin;
  private final KafkaProducer<byte[], byte[]> producer;

  private Bridge(Path dir) throws IOException {
    stack = Stack.start(dir);
    Map<String, Object> config = Map.of("bootstrap.servers", stack.bootstrapServers());
    admin = Admin.create(config);
    producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    bridge =
        BridgeProcess.of(Path.of(System.getProperty("bridge.jar")), dir.resolve("bridge"))
            .jvm("-Xmx400m", "-XX:TieredStopAtLevel=1")
            .config(config(dir))
            .start()
            .awaitHealthy(START);
  }

  static Bridge start() {
    try {
      // Under target, so that logs can be read after a failure and are gone with the next clean.
      Path parent = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
      return new Bridge(Files.createTempDirectory(parent, "bridge"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path config(Path dir) throws IOException {
    return Files.writeString(
        dir.resolve("config.yml"),
        """
        kafka:
          bootstrapServers: %s
        redis:
          uri: %s
        server:
          applicationConnectors: [{type: http, bindHost: 127.0.0.1, port: "${HTTP_PORT}"}]
          adminConnectors: [{type: http, bindHost: 127.0.0.1, port: "${ADMIN_PORT}"}]
          requestLog: {appenders: []}
        logging:
          loggers: {org.apache.kafka: WARN, org.eclipse.jetty: WARN, io.dropwizard: WARN}
        """
            .formatted(stack.bootstrapServers(), stack.redisUri()));
  }

  public String bootstrapServers() {
    return stack.bootstrapServers();
  }

  /**
   * Starts an application that reads committed records from the beginning, with retries after 200
   * ms.
   *
   * @param properties each as {@code name=value}; they take precedence over the common ones
   */
  public ConfigurableApplicationContext run(Class<?> application, String... properties) {
    Map<String, Object> all = new HashMap<>();
    all.put("spring.kafka.bootstrap-servers", bootstrapServers());
    all.put("spring.kafka.consumer.auto-offset-reset", "earliest");
    all.put("spring.kafka.consumer.isolation-level", "read_committed");
    all.put("spring.kafka.consumer.group-id", application.getSimpleName());
    all.put("delay-bridge.retry.enabled", true);
    all.put("delay-bridge.retry.first-delay", "200ms");
    all.put("delay-bridge.retry.longest-delay", "200ms");
    for (String property : properties) {
      String[] parts = property.split("=", 2);
      all.put(parts[0], parts[1]);
    }
    return new SpringApplicationBuilder(application)
        .web(WebApplicationType.NONE)
        .bannerMode(Banner.Mode.OFF)
        .logStartupInfo(false)
        .registerShutdownHook(false)
        .properties(all)
        .run();
  }

  /** Creates topics with one partition each. */
  public void create(String... topics) {
    List<NewTopic> all = new ArrayList<>();
    for (String topic : topics) {
      all.add(new NewTopic(topic, Optional.of(1), Optional.empty()));
    }
    get(admin.createTopics(all).all().toCompletionStage().toCompletableFuture());
  }

  /** Creates a topic with this number of partitions, which takes records of up to so many bytes. */
  public void create(String topic, int partitions, int largest) {
    NewTopic one =
        new NewTopic(topic, Optional.of(partitions), Optional.empty())
            .configs(Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(largest)));
    get(admin.createTopics(List.of(one)).all().toCompletionStage().toCompletableFuture());
  }

  /** Makes a topic take records of up to so many bytes. */
  public void take(String topic, int largest) {
    AlterConfigOp limit =
        new AlterConfigOp(
            new ConfigEntry(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(largest)),
            AlterConfigOp.OpType.SET);
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    get(
        admin
            .incrementalAlterConfigs(Map.of(resource, List.of(limit)))
            .all()
            .toCompletionStage()
            .toCompletableFuture());
  }

  /** Writes a record, and waits until it is acknowledged. */
  public void send(ProducerRecord<byte[], byte[]> record) {
    get(producer.send(record));
  }

  /** Returns the offset that a group has committed for the one partition of a topic; 0 if none. */
  public long committed(String group, String topic) {
    var offsets =
        get(
            admin
                .listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .toCompletionStage()
                .toCompletableFuture());
    var committed = offsets.get(new TopicPartition(topic, 0));
    return committed == null ? 0 : committed.offset();
  }

  /** Waits until this many matching records are committed to the topic, and returns all of them. */
  public List<ConsumerRecord<byte[], byte[]>> await(
      String topic, int count, Predicate<ConsumerRecord<byte[], byte[]>> such) {
    List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
    Map<String, Object> reading =
        Map.of(
            "bootstrap.servers",
            bootstrapServers(),
            "isolation.level",
            "read_committed",
            "enable.auto.commit",
            false);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(reading, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> all =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(all);
      consumer.seekToBeginning(all);
      Awaitility.await("records on " + topic)
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(10))
          .until(
              () -> {
                for (ConsumerRecord<byte[], byte[]> record :
                    consumer.poll(Duration.ofMillis(100))) {
                  if (such.test(record)) {
                    found.add(record);
                  }
                }
                return found.size() >= count;
              });
    }
    return found;
  }

  private static <T> T get(Future<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    bridge.stop();
    producer.close();
    admin.close();
    stack.close();
  }
}
