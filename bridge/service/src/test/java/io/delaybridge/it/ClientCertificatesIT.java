package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.stack.BridgeProcess;
import io.delaybridge.stack.Certificates;
import io.delaybridge.stack.LocalBroker;
import io.delaybridge.stack.LocalRedis;
import io.delaybridge.store.StoreException;
import io.delaybridge.store.redis.RedisAddress;
import io.delaybridge.store.redis.RedisConnection;
import io.delaybridge.store.redis.RedisTls;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Kafka and a Redis that admit nobody without a certificate. */
@Tag("topology")
class ClientCertificatesIT {

  private static final Duration SOON = Duration.ofSeconds(60);

  private static World world;
  private static Certificates servers;
  private static Certificates bridge;
  private static int kafkaPort;
  private static int redisPort;

  @BeforeAll
  static void start() {
    Path dir = World.directory();
    servers = Certificates.in(dir.resolve("servers"));
    bridge = Certificates.in(dir.resolve("bridge"), "delay-bridge");
    LocalBroker kafka = LocalBroker.at(dir.resolve("kafka"));
    kafkaPort = kafka.admitting(bridge, servers);
    LocalRedis redis = LocalRedis.at(dir.resolve("redis"));
    redisPort = redis.secured(servers, bridge.certificate());
    redis.start();
    kafka.start();
    world =
        World.over(
            dir, new Servers(kafka.bootstrapServers(), redis.uri(), kafka, redis, kafka, redis));
  }

  @AfterAll
  static void stop() {
    world.close();
  }

  /** Consumers, producers, the admin client and Kafka Streams. */
  @ParameterizedTest
  @ValueSource(strings = {"PEM", "PKCS12", "JKS"})
  void all_clients_show_the_certificate(String type) throws Exception {
    String properties =
        kafka(type).entrySet().stream()
            .map(each -> "%s: '%s'".formatted(each.getKey(), each.getValue()))
            .collect(Collectors.joining(", ", "{", "}"));
    try (Scenario scenario =
        world
            .scenario()
            .withTarget()
            .kafka("bootstrapServers", "127.0.0.1:" + kafkaPort)
            .kafka("properties", properties)
            .redis("uri", "rediss://127.0.0.1:" + redisPort)
            .redis(
                "tls",
                "{trust: '%s', certificate: '%s', key: '%s'}"
                    .formatted(servers.certificate(), bridge.certificate(), bridge.key()))) {
      BridgeProcess started = scenario.bridge();
      Inbox inbox = scenario.inbox(scenario.target);

      scenario.sendTo(0, "value");
      ProducerRecord<byte[], byte[]> wrong = scenario.record("k", "v", DelayHeaders.DELAY_MS, "x");
      RecordMetadata sent = scenario.send(wrong);

      inbox.awaitCount(1, SOON);
      Api api = new Api(started);
      await()
          .atMost(SOON)
          .until(() -> api.get("deadletters/" + Scenario.source(sent)).status() == 200);
    }
  }

  private static Map<String, String> kafka(String type) throws Exception {
    Map<String, String> properties = new HashMap<>(trusting());
    properties.put("ssl.keystore.type", type);
    properties.put("ssl.keystore.location", store(type).toString());
    if (!type.equals("PEM")) {
      properties.put("ssl.keystore.password", Certificates.PASSWORD);
    }
    return properties;
  }

  private static Map<String, String> trusting() {
    return Map.of(
        "security.protocol",
        "SSL",
        "ssl.truststore.type",
        "PEM",
        "ssl.truststore.location",
        servers.certificate().toString());
  }

  private static Path store(String type) throws Exception {
    return switch (type) {
      case "PEM" ->
          Files.writeString(
              world.dir.resolve("bridge.pem"),
              Files.readString(bridge.key()) + Files.readString(bridge.certificate()));
      case "JKS" -> jks();
      default -> bridge.store();
    };
  }

  private static Path jks() throws Exception {
    char[] password = Certificates.PASSWORD.toCharArray();
    KeyStore from = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(bridge.store())) {
      from.load(in, password);
    }
    String alias = from.aliases().nextElement();
    KeyStore to = KeyStore.getInstance("JKS");
    to.load(null, password);
    to.setKeyEntry(alias, from.getKey(alias, password), password, from.getCertificateChain(alias));
    Path file = world.dir.resolve("bridge.jks");
    try (OutputStream out = Files.newOutputStream(file)) {
      to.store(out, password);
    }
    return file;
  }

  @Test
  void neither_server_admits_anybody_without_a_certificate() throws IOException {
    Map<String, Object> properties = new HashMap<>(trusting());
    properties.put("bootstrap.servers", "127.0.0.1:" + kafkaPort);
    properties.put("request.timeout.ms", "20000");
    properties.put("default.api.timeout.ms", "20000");
    try (Admin admin = Admin.create(properties)) {
      assertThatThrownBy(() -> admin.describeCluster().nodes().get())
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(KafkaException.class)
          .hasStackTraceContaining("SSL");
    }
    RedisTls trusting = new RedisTls(servers.certificate(), null, null);
    String uri = "rediss://127.0.0.1:" + redisPort;
    try (RedisConnection redis =
        new RedisConnection(new RedisAddress(uri, false, Duration.ofSeconds(5), trusting))) {
      assertThatThrownBy(redis::memory).isInstanceOf(StoreException.class);
    }
    RedisTls showing = new RedisTls(servers.certificate(), bridge.certificate(), bridge.key());
    try (RedisConnection redis =
        new RedisConnection(new RedisAddress(uri, false, Duration.ofSeconds(5), showing))) {
      assertThat(redis.memory()).isNotNull();
    }
  }
}
