package io.delaybridge.it;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.stack.BridgeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The topics and the configuration of one test. */
final class Scenario implements AutoCloseable {

  private static final Duration START = Duration.ofMinutes(2);

  /** The last section of the file that comes with the bridge. */
  private static final String LOGGING = shippedLogging();

  private static final Pattern ORDINARY = Pattern.compile("[0-9TZ:.-]+ (INFO|DEBUG) ");

  final World world;
  final String intake;
  final String target;
  final String deadLetters;
  final String group;
  final String prefix;

  private final Map<String, String> kafka = new LinkedHashMap<>();
  private final Map<String, String> redis = new LinkedHashMap<>();
  private final Map<String, String> delivery = new LinkedHashMap<>();
  private final Map<String, String> intakeConfig = new LinkedHashMap<>();
  private final List<String> intakes = new ArrayList<>();
  private final Map<String, String> tenants = new LinkedHashMap<>();
  private final Map<String, String> topicsConfig = new LinkedHashMap<>();
  private final Map<String, String> api = new LinkedHashMap<>();
  private final List<String> connectors =
      new ArrayList<>(List.of("{type: http, bindHost: 127.0.0.1, port: \"${HTTP_PORT}\"}"));
  private final Map<String, String> deadLettersConfig = new LinkedHashMap<>();
  private final Map<String, String> environment = new LinkedHashMap<>();
  private String targets = "[\".*\"]";
  private int partitions = 8;
  private final List<BridgeProcess> bridges = new ArrayList<>();
  private final List<Inbox> inboxes = new ArrayList<>();

  Scenario(World world, int number) {
    this.world = world;
    this.intake = "intake-" + number;
    this.target = "target-" + number;
    this.deadLetters = "dead-" + number;
    this.group = "bridge-" + number;
    this.prefix = "it" + number;
    kafka.put("bootstrapServers", world.stack.bootstrapServers());
    kafka.put("groupId", group);
    kafka.put("consumer", "{session.timeout.ms: 6000}");
    redis.put("uri", "'" + world.stack.redisUri() + "'");
    redis.put("prefix", prefix);
  }

  /** Sets a key of the section {@code kafka}, with its value as in the configuration file. */
  Scenario kafka(String key, String value) {
    kafka.put(key, value);
    return this;
  }

  Scenario redis(String key, String value) {
    redis.put(key, value);
    return this;
  }

  Scenario guarantee(String guarantee) {
    return delivery("guarantee", guarantee);
  }

  Scenario delivery(String key, String value) {
    delivery.put(key, value);
    return this;
  }

  Scenario intake(String key, String value) {
    intakeConfig.put(key, value);
    return this;
  }

  Scenario topics(String key, String value) {
    topicsConfig.put(key, value);
    return this;
  }

  Scenario api(String key, String value) {
    api.put(key, value);
    return this;
  }

  /** Adds variables to the environment of its bridges. */
  Scenario env(Map<String, String> variables) {
    environment.putAll(variables);
    return this;
  }

  /** Adds a connector of the application, as in the configuration file. */
  Scenario connector(String yaml) {
    connectors.add(yaml);
    return this;
  }

  Scenario deadLetters(String key, String value) {
    deadLettersConfig.put(key, value);
    return this;
  }

  /** Adds an intake, with its own settings as in the configuration file. */
  Scenario tenant(String name, String yaml) {
    if (!name.equals(intake)) {
      intakes.add(name);
    }
    tenants.put(name, yaml);
    return this;
  }

  Scenario allow(String pattern) {
    targets = "['" + pattern + "']";
    return this;
  }

  Scenario partitions(int number) {
    partitions = number;
    return this;
  }

  Scenario withTarget() {
    world.createTopic(target, 4, Map.of());
    return this;
  }

  /** Starts a bridge and waits until it is healthy. */
  BridgeProcess bridge() {
    return launch().awaitHealthy(START);
  }

  /** Starts a bridge without waiting. */
  BridgeProcess launch() {
    Path dir = world.dir.resolve(prefix + "-bridge-" + bridges.size());
    return launch(BridgeProcess.of(Path.of(System.getProperty("bridge.jar")), dir));
  }

  /** Starts this bridge, with the configuration of this scenario, without waiting. */
  BridgeProcess launch(BridgeProcess bridge) {
    bridge
        .jvm("-Xmx400m", "-XX:TieredStopAtLevel=1")
        .env(environment)
        .config(config(bridge.dir()))
        .start();
    bridges.add(bridge);
    return bridge;
  }

  Inbox inbox(String... topics) {
    Inbox inbox = new Inbox(world.stack.bootstrapServers(), List.of(topics));
    inboxes.add(inbox);
    return inbox;
  }

  /** Sends one record to the intake and returns its place. */
  RecordMetadata send(@Nullable String key, @Nullable String value, String... headers) {
    return send(record(key, value, headers));
  }

  RecordMetadata send(ProducerRecord<byte[], byte[]> record) {
    return get(world.producer.send(record));
  }

  /** Sends a record without a delay to a partition of the intake. */
  RecordMetadata sendTo(int partition, String value) {
    ProducerRecord<byte[], byte[]> any =
        record(null, value, DelayHeaders.TARGET_TOPIC, target, DelayHeaders.DELAY_MS, "0");
    return send(in(intake, partition, any));
  }

  /** Returns the record with this topic and partition. */
  static ProducerRecord<byte[], byte[]> in(
      String topic, int partition, ProducerRecord<byte[], byte[]> any) {
    return new ProducerRecord<>(
        topic, partition, any.timestamp(), any.key(), any.value(), any.headers());
  }

  /** Sends many records and waits for all of them. */
  void sendAll(int count, IntFunction<ProducerRecord<byte[], byte[]>> record) {
    List<Future<RecordMetadata>> sent = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      sent.add(world.producer.send(record.apply(i)));
    }
    sent.forEach(Scenario::get);
  }

  /** Returns the checkpoints of its group. */
  Map<TopicPartition, OffsetAndMetadata> committed() {
    return get(world.admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
  }

  static <T> T get(Future<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  ProducerRecord<byte[], byte[]> record(
      @Nullable String key, @Nullable String value, String... headers) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(intake, null, System.currentTimeMillis(), utf8(key), utf8(value));
    for (int i = 0; i < headers.length; i += 2) {
      record.headers().add(headers[i], headers[i + 1].getBytes(StandardCharsets.UTF_8));
    }
    return record;
  }

  /** Returns text that hardly compresses, always the same. */
  static String noise(int letters) {
    return new Random(1)
        .ints(letters, '!', '~')
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static byte @Nullable [] utf8(@Nullable String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  static String source(RecordMetadata sent) {
    return sent.topic() + "/" + sent.partition() + "/" + sent.offset();
  }

  private Path config(Path dir) {
    String yml =
        """
        kafka:
        %s
        intake:
          topics: [%s]
        %s
        intakes:
        %s
        targets:
          allowed: %s
        delivery:
          deadLetterTopic: %s
        %s
        redis:
        %s
        topics:
          partitions: %d
        %s
        deadLetters:
        %s
        api:
        %s
        server:
          applicationConnectors: %s
          adminConnectors: [{type: http, bindHost: 127.0.0.1, port: "${ADMIN_PORT}"}]
          requestLog: {appenders: []}
        %s
        """
            .formatted(
                section(kafka),
                String.join(", ", topics()),
                section(intakeConfig),
                section(tenants),
                targets,
                deadLetters,
                section(delivery),
                section(redis),
                partitions,
                section(topicsConfig),
                section(deadLettersConfig),
                section(api),
                connectors,
                LOGGING);
    try {
      Files.createDirectories(dir);
      return Files.writeString(dir.resolve("config.yml"), yml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String shippedLogging() {
    try {
      String shipped = Files.readString(Path.of("config.yml"));
      return shipped.substring(shipped.indexOf("\nlogging:") + 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns what its bridges have written that is neither information nor less. */
  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    for (BridgeProcess bridge : bridges) {
      try {
        Files.readAllLines(bridge.log()).stream()
            .filter(line -> !ORDINARY.matcher(line).lookingAt())
            .forEach(warnings::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return warnings;
  }

  private List<String> topics() {
    List<String> topics = new ArrayList<>(List.of(intake));
    topics.addAll(intakes);
    return topics;
  }

  private static String section(Map<String, String> values) {
    return values.entrySet().stream()
        .map(entry -> "  " + entry.getKey() + ": " + entry.getValue())
        .collect(Collectors.joining("\n"));
  }

  @Override
  public void close() {
    inboxes.forEach(Inbox::close);
    bridges.stream().filter(BridgeProcess::isAlive).forEach(BridgeProcess::stop);
  }
}
