package io.delaybridge.client.it;

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
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** A broker, a Redis and a bridge with its default topics, shared by all tests of the run. */
public final class Bridge implements AutoCloseable {

  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration LIMIT = Duration.ofSeconds(40);

  private final Stack stack;
  private final BridgeProcess bridge;
  private final Admin admin;

  private Bridge(Path dir) throws IOException {
    stack = Stack.start(dir);
    admin = Admin.create(Map.of("bootstrap.servers", stack.bootstrapServers()));
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

  /** Creates topics with one partition each. */
  public void create(String... topics) {
    create(1, topics);
  }

  /** Creates topics with this number of partitions each. */
  public void create(int partitions, String... topics) {
    List<NewTopic> all = new ArrayList<>();
    for (String topic : topics) {
      all.add(new NewTopic(topic, Optional.of(partitions), Optional.empty()));
    }
    get(admin.createTopics(all).all().toCompletionStage().toCompletableFuture());
  }

  /** A producer of texts, transactional if there is an id. */
  public KafkaProducer<String, String> producer(String... transactionalId) {
    Map<String, Object> config = new HashMap<>();
    config.put("bootstrap.servers", stack.bootstrapServers());
    if (transactionalId.length > 0) {
      config.put("transactional.id", transactionalId[0]);
    }
    KafkaProducer<String, String> producer =
        new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
    if (transactionalId.length > 0) {
      producer.initTransactions();
    }
    return producer;
  }

  /** Returns a member of a group that reads committed records from the beginning. */
  public KafkaConsumer<String, String> consumer(String group, String... topics) {
    Map<String, Object> config = new HashMap<>(reading());
    config.put("group.id", group);
    config.put("auto.offset.reset", "earliest");
    config.put("session.timeout.ms", 6_000);
    config.put("heartbeat.interval.ms", 1_000);
    KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
    consumer.subscribe(List.of(topics));
    return consumer;
  }

  private Map<String, Object> reading() {
    return Map.of(
        "bootstrap.servers",
        stack.bootstrapServers(),
        "isolation.level",
        "read_committed",
        "enable.auto.commit",
        false);
  }

  /** Waits until this many records are committed to the topic, and returns all that are. */
  public List<ConsumerRecord<String, String>> await(String topic, int count) {
    return await(topic, count, record -> true);
  }

  /** Waits until this many matching records are committed to the topic, and returns all of them. */
  public List<ConsumerRecord<String, String>> await(
      String topic, int count, Predicate<ConsumerRecord<String, String>> such) {
    List<ConsumerRecord<String, String>> found = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(reading(), new StringDeserializer(), new StringDeserializer())) {
      List<TopicPartition> all =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(all);
      consumer.seekToBeginning(all);
      await("records on " + topic)
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(10))
          .until(
              () -> {
                for (ConsumerRecord<String, String> record :
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

  private static ConditionFactory await(String what) {
    return Awaitility.await(what);
  }

  /** Returns the result, without the checked exceptions. */
  public static <T> T get(Future<T> future) {
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
    admin.close();
    stack.close();
  }
}
