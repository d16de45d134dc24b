package io.delaybridge.bench.faults;

import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.stack.BridgeProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;

/**
 * An additional bridge with its own intake, target, group and keys, for states that a bridge must
 * not continue from. The load of the row runs beside it.
 */
final class Side implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(90);

  private final World<?> world;
  private final Admin admin;
  private final String name;
  private final BridgeProcess bridge;
  private final Map<String, String> settings = new HashMap<>();
  private final Map<Integer, Integer> arrivals = new HashMap<>();
  private final KafkaConsumer<byte[], byte[]> consumer;
  private int sent;

  Side(World<?> world, int number) {
    this.world = world;
    this.admin = world.admin();
    this.name = "side-" + number;
    this.bridge = world.fleet().spare(name);
    createTopic(name, Map.of("retention.ms", "-1"));
    createTopic(target(), Map.of());
    settings.put("kafka.groupId", name);
    settings.put("intake.topics", "[" + name + "]");
    settings.put("delivery.deadLetterTopic", name + "-dead");
    settings.put("redis.prefix", name);
    settings.put("topics.partitions", "1");
    consumer = Arrivals.consumer(world.servers().kafka(), Intake.partitions(target(), 1));
  }

  BridgeProcess bridge() {
    return bridge;
  }

  TopicPartition intake() {
    return new TopicPartition(name, 0);
  }

  /** Starts the bridge with this additional setting. */
  void start(String key, String value) {
    settings.put(key, value);
    bridge.config(world.config(bridge.dir(), settings));
    bridge.start();
  }

  /**
   * Does the same and waits until the bridge has found its intake empty: it refuses records that
   * are there before.
   */
  void startHealthy(String key, String value) {
    start(key, value);
    bridge.awaitHealthy(LIMIT);
  }

  private String target() {
    return name + "-target";
  }

  private void createTopic(String topic, Map<String, String> config) {
    NewTopic created = new NewTopic(topic, Optional.of(1), Optional.empty()).configs(config);
    World.await(admin.createTopics(List.of(created)).all());
  }

  /** Sets the retention time of the intake, in milliseconds. */
  void retain(String millis) {
    ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, name);
    AlterConfigOp set =
        new AlterConfigOp(new ConfigEntry("retention.ms", millis), AlterConfigOp.OpType.SET);
    World.await(admin.incrementalAlterConfigs(Map.of(topic, List.of(set))).all());
  }

  /** Deletes the intake and creates it anew. */
  void recreate() {
    World.await(admin.deleteTopics(List.of(name)).all());
    Wait.until("the intake to be created anew", LIMIT, this::created);
  }

  /** Tries to create the intake; a topic that was just deleted blocks that for a moment. */
  private boolean created() {
    try {
      createTopic(name, Map.of("retention.ms", "-1"));
      return true;
    } catch (FaultsException e) {
      return false;
    }
  }

  /** Writes this many messages that are due at once. */
  void send(int count) {
    world.send(IntStream.range(sent, sent + count).mapToObj(this::request));
    sent += count;
  }

  private ProducerRecord<byte[], byte[]> request(int number) {
    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(name, Load.bytes(number));
    record.headers().add(DelayHeaders.TARGET_TOPIC, Load.bytes(target()));
    record.headers().add(DelayHeaders.DELAY_MS, Load.bytes(0));
    return record;
  }

  /** Waits until this many different messages have arrived. */
  void awaitArrivals(int count) {
    Wait.upTo(LIMIT, () -> arrived() >= count);
    expectArrivals(count);
  }

  /** Reports a violation if more or fewer messages have arrived, or one of them more than once. */
  void expectArrivals(int count) {
    int arrived = arrived();
    if (arrived != count) {
      Violation kind = arrived < count ? Violation.LOST : Violation.STRANGE;
      world.found(kind, "%s: %d of %d messages arrived".formatted(name, arrived, count));
    }
    arrivals.forEach(
        (number, times) -> {
          if (times > 1) {
            world.found(
                Violation.DUPLICATED, "%s: message %d, %d times".formatted(name, number, times));
          }
        });
  }

  private int arrived() {
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
      String value = new String(record.value(), StandardCharsets.UTF_8);
      arrivals.merge(Integer.valueOf(value), 1, Integer::sum);
    }
    return arrivals.size();
  }

  /** Reports a violation if the health check does not contain this text in time. */
  void expectHealth(String text) {
    if (!Wait.upTo(LIMIT, () -> bridge.health().body().contains(text))) {
      world.found(
          Violation.UNTOLD,
          "%s: the health check has not said '%s' but %s".formatted(name, text, bridge.health()));
    }
  }

  /** Reports a violation if the bridge does not end by itself with this text in its log. */
  void expectEnd(String text) {
    boolean ended = Wait.upTo(LIMIT, () -> !bridge.isAlive());
    if (!ended || !read(bridge.log()).contains(text)) {
      world.found(
          Violation.UNTOLD,
          "%s: the bridge has %sended and has not said '%s'"
              .formatted(name, ended ? "" : "not ", text));
    }
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Follows the steps of docs/operations.md for an intake that was created anew on purpose. */
  void forget() {
    Wait.until("the group to be empty", LIMIT, this::offsetsDeleted);
    world.servers().redis("DEL", key("pending"), key("ids"), key("meta"));
  }

  private boolean offsetsDeleted() {
    try {
      World.await(admin.deleteConsumerGroupOffsets(name, java.util.Set.of(intake())).all());
      return true;
    } catch (FaultsException e) {
      return false;
    }
  }

  private String key(String part) {
    return "{%s:%s:0}:%s".formatted(name, name, part);
  }

  @Override
  public void close() {
    consumer.close();
    bridge.kill();
  }
}
