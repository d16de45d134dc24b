package io.delaybridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.config.KafkaConfig;
import io.delaybridge.stack.LocalBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members of a group whose partitions move, on a real broker. */
class FollowUpAssignorIT {

  private static final String TOPIC = "moves";
  private static final int PARTITIONS = 6;

  /** Far longer than any test waits. */
  private static final int SELDOM = 120_000;

  private static final int OFTEN = 300;

  @TempDir private static Path dir;
  private static LocalBroker broker;

  @BeforeAll
  static void start() throws Exception {
    broker = LocalBroker.at(dir).start();
    try (Admin admin =
        Admin.create(Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()))) {
      admin.createTopics(Set.of(new NewTopic(TOPIC, PARTITIONS, (short) 1))).all().get();
    }
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void whoJoinsGetsItsPartitionsWithoutWaitingForItsHeartbeat() {
    try (Consumer<byte[], byte[]> owner = member("joins", "owner", OFTEN);
        Consumer<byte[], byte[]> joins = member("joins", "new", SELDOM)) {
      awaitShares(List.of(owner));
      awaitShares(List.of(owner, joins));
    }
  }

  private static void awaitShares(List<Consumer<byte[], byte[]>> members) {
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInSameThread()
        .until(
            () -> {
              members.forEach(each -> each.poll(Duration.ofMillis(20)));
              return members.stream()
                  .allMatch(each -> each.assignment().size() == PARTITIONS / members.size());
            });
    assertThat(members.stream().flatMap(each -> each.assignment().stream()).distinct())
        .hasSize(PARTITIONS);
  }

  private static Consumer<byte[], byte[]> member(String group, String name, int heartbeatMs) {
    KafkaConfig config =
        KafkaConfig.of(
            broker.bootstrapServers(),
            group,
            null,
            null,
            Map.of(
                ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
                String.valueOf(heartbeatMs),
                ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                String.valueOf(2 * SELDOM)),
            null,
            null);
    Consumer<byte[], byte[]> member =
        new KafkaClients(config).consumer(name, group + "-" + name, Duration.ofMinutes(5));
    member.subscribe(
        List.of(TOPIC),
        new ConsumerRebalanceListener() {
          @Override
          public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            partitions.forEach(each -> member.seek(each, 0));
          }

          @Override
          public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}
        });
    return member;
  }
}
