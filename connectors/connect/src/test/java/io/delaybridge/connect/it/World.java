package io.delaybridge.connect.it;

import io.delaybridge.stack.BridgeProcess;
import io.delaybridge.stack.ConnectWorker;
import io.delaybridge.stack.Stack;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** A broker, a Redis and a bridge, the unpacked plugin, and the clients that tests need. */
final class World implements AutoCloseable {

  private static final Duration START = Duration.ofMinutes(1);

  final Path dir;
  final Path plugins;
  final KafkaProducer<byte[], byte[]> producer;
  private final Stack stack;
  private final BridgeProcess bridge;

  private World(Path dir) {
    this.dir = dir;
    this.plugins = unzip(Path.of(System.getProperty("plugin.zip")), dir.resolve("plugins"));
    this.stack = Stack.start(dir);
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", stack.bootstrapServers(), "linger.ms", 2),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    this.bridge =
        BridgeProcess.of(Path.of(System.getProperty("bridge.jar")), dir.resolve("bridge"))
            .jvm("-Xmx400m", "-XX:TieredStopAtLevel=1")
            .config(config(dir))
            .start()
            .awaitHealthy(START);
  }

  static World start() {
    try {
      // Under target, so that logs can be read after a failure and are gone with the next clean.
      Path parent = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
      return new World(Files.createTempDirectory(parent, "world"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path config(Path where) {
    String yml =
        """
        kafka: {bootstrapServers: "%s"}
        redis: {uri: "%s"}
        server:
          applicationConnectors: [{type: http, bindHost: 127.0.0.1, port: "${HTTP_PORT}"}]
          adminConnectors: [{type: http, bindHost: 127.0.0.1, port: "${ADMIN_PORT}"}]
          requestLog: {appenders: []}
        logging:
          loggers: {org.apache.kafka: WARN, org.eclipse.jetty: WARN, io.dropwizard: WARN}
        """
            .formatted(stack.bootstrapServers(), stack.redisUri());
    try {
      return Files.writeString(where.resolve("bridge.yml"), yml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path unzip(Path zip, Path into) {
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        Path file = into.resolve(entry.getName());
        if (entry.isDirectory()) {
          Files.createDirectories(file);
        } else {
          Files.createDirectories(file.getParent());
          Files.copy((InputStream) in, file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return into;
  }

  /** Returns a worker that notices within seconds that its predecessor is gone. */
  ConnectWorker worker(String name) {
    return ConnectWorker.at(dir.resolve(name), stack.bootstrapServers())
        .plugins(plugins)
        .with("offset.flush.interval.ms", "1000")
        .with("consumer.session.timeout.ms", "6000")
        .with("consumer.heartbeat.interval.ms", "1000");
  }

  /** Returns the example of docs/connect.md, with other values for some options. */
  Map<String, String> sink(Map<String, String> other) {
    Map<String, String> config = new HashMap<>(Documentation.example("callback-sink"));
    config.put("callback.kafka.bootstrap.servers", stack.bootstrapServers());
    config.putAll(other);
    return config;
  }

  void createTopic(String name, int partitions) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", stack.bootstrapServers()))) {
      admin
          .createTopics(List.of(new NewTopic(name, Optional.of(partitions), Optional.empty())))
          .all()
          .get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Sends a record without waiting. */
  void send(String topic, @Nullable String key, String value, String... headers) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            topic,
            key == null ? null : key.getBytes(StandardCharsets.UTF_8),
            value.getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < headers.length; i += 2) {
      record.headers().add(headers[i], headers[i + 1].getBytes(StandardCharsets.UTF_8));
    }
    var unused = producer.send(record);
  }

  /** Returns all records that are committed in a topic now. */
  List<ConsumerRecord<String, String>> read(String topic) {
    Map<String, Object> config =
        Map.of("bootstrap.servers", stack.bootstrapServers(), "isolation.level", "read_committed");
    List<ConsumerRecord<String, String>> records = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
    }
    return records;
  }

  static @Nullable String header(ConsumerRecord<?, ?> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null || header.value() == null
        ? null
        : new String(header.value(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    try (stack;
        bridge) {
      producer.close();
    }
  }
}
