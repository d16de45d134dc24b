package io.delaybridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delaybridge.config.TopicsConfig;
import io.delaybridge.shard.NewShards;
import io.delaybridge.shard.ShardDirectory;
import io.delaybridge.stack.LocalBroker;
import io.dropwizard.util.Duration;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListTopicsResult;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The topics that a bridge needs, on a broker that has none of them. */
class TopicSetupIT {

  private static final java.time.Duration SOON = java.time.Duration.ofSeconds(30);

  @TempDir private Path dir;
  private LocalBroker broker;
  private Admin admin;

  @BeforeEach
  void start() {
    broker = LocalBroker.at(dir).start();
    admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()));
  }

  @AfterEach
  void stop() {
    admin.close();
    broker.close();
  }

  @Test
  void knowsWhatItHasCreatedAndSeesWhatIsGone() throws Exception {
    TopicSetup first = setup();
    first.run();
    assertThat(first.wereMissing()).containsExactlyInAnyOrder("intake", "dead");
    assertThat(setup().faultsSince()).isEmpty();

    TopicSetup second = setup();
    second.run();
    assertThat(second.wereMissing()).isEmpty();

    admin.deleteTopics(List.of("intake")).all().get();
    await().atMost(SOON).until(() -> second.faultsSince().equals(List.of("topic intake is gone")));
  }

  /**
   * Otherwise, far messages would take no laps, and shards that producers write to at once would
   * stop and ask, until it is restarted.
   */
  @Test
  void topicsThatAnotherBridgeHasCreatedMeanwhileAreThereAndNew() throws Exception {
    AtomicBoolean alone = new AtomicBoolean(true);
    Admin overtaken =
        (Admin)
            Proxy.newProxyInstance(
                Admin.class.getClassLoader(),
                new Class<?>[] {Admin.class},
                (proxy, method, arguments) -> {
                  Object answer = method.invoke(admin, arguments);
                  if (answer instanceof ListTopicsResult topics && alone.getAndSet(false)) {
                    assertThat(topics.names().get()).isEmpty();
                    far(admin, true).run();
                  }
                  return answer;
                });
    TopicSetup setup = far(overtaken, true);
    setup.run();

    assertThat(setup.wereMissing()).containsExactlyInAnyOrder("intake", "intake-later", "dead");
    assertThat(setup.withLater(List.of("intake"))).containsExactly("intake");

    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>("intake", 1, null, new byte[1])).get();
    }
    ShardDirectory directory = new ShardDirectory(admin, "group", List.of("intake"), SOON);
    NewShards fresh = NewShards.look(directory, setup.wereMissing());
    assertThat(directory.keys())
        .hasSize(2)
        .allMatch(shard -> fresh.begin(shard).equals(OptionalLong.of(0)));
  }

  @Test
  void aLaterTopicGrowsWithItsIntakeWhileTheBridgeRunsOrThatItDoesNotIsAFault() throws Exception {
    TopicSetup setup = far(admin, true);
    setup.run();
    assertThat(setup.wereMissing()).containsExactlyInAnyOrder("intake", "intake-later", "dead");
    await().atMost(SOON).until(() -> far(admin, true).faultsSince().isEmpty());
    admin.createPartitions(Map.of("intake", NewPartitions.increaseTo(5))).all().get();

    await()
        .atMost(SOON)
        .until(
            () ->
                far(admin, false)
                    .faultsSince()
                    .equals(
                        List.of(
                            "topic intake-later has 2 partitions, needed: 5, as many as intake"
                                + " has")));
    assertThat(setup.faultsSince()).isEmpty();
    await().atMost(SOON).until(() -> far(admin, false).faultsSince().isEmpty());

    // With the horizon off the topic is no longer needed, but may still contain messages.
    admin.createPartitions(Map.of("intake", NewPartitions.increaseTo(6))).all().get();
    await().atMost(SOON).until(() -> setup().faultsSince().isEmpty() && partitions() == 6);

    admin.deleteTopics(List.of("intake-later")).all().get();
    await().atMost(SOON).until(() -> !admin.listTopics().names().get().contains("intake-later"));
    far(admin, true).run();
    await().ignoreExceptions().atMost(SOON).until(() -> partitions() == 6);
  }

  @Test
  void aTopicThatIsNotNeededToDeliverDoesNotPreventTheStart() throws Exception {
    new TopicSetup(admin, config(true, -1), "dead", Set.of("not/legal"), Map.of("intake", stay()))
        .run();
    assertThat(admin.listTopics().names().get()).containsExactlyInAnyOrder("intake", "dead");
  }

  @Test
  void thereMayBeMoreBrokersLater() {
    TopicSetup setup =
        new TopicSetup(admin, config(true, 3), "dead", Set.of(), Map.of("intake", stay()));
    assertThatThrownBy(setup::run)
        .isInstanceOfSatisfying(
            ExecutionException.class, e -> assertThat(TopicSetup.isPassing(e)).isTrue());
  }

  private int partitions() throws Exception {
    return Objects.requireNonNull(
            admin.describeTopics(List.of("intake-later")).allTopicNames().get().get("intake-later"))
        .partitions()
        .size();
  }

  private TopicSetup setup() {
    return setup(admin, true, Map.of("intake", stay()));
  }

  private static TopicSetup far(Admin admin, boolean create) {
    return setup(
        admin, create, Map.of("intake", stay(), "intake-later", java.time.Duration.ofHours(1)));
  }

  private static TopicSetup setup(
      Admin admin, boolean create, Map<String, java.time.Duration> stays) {
    return new TopicSetup(admin, config(create, -1), "dead", Set.of(), stays);
  }

  private static TopicsConfig config(boolean create, int replicas) {
    return new TopicsConfig(create, 2, replicas, Duration.days(1), true);
  }

  private static java.time.Duration stay() {
    return java.time.Duration.ofDays(7);
  }
}
