package io.delaybridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.delaybridge.config.KafkaConfig;
import io.delaybridge.stack.LocalBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Members of a group whose partitions move, on a real broker. */
class FollowUpAssignorIT {

  private static final String TOPIC = "moves";
  private static final int PARTITIONS = 6;

  /** Far longer than any test waits. */
  private static final int SELDOM = 120_000;

  private static final int OFTEN = 300;

  @TempDir private static Path dir;
  private static LocalBroker broker;
  private static Admin admin;

  @BeforeAll
  static void start() throws Exception {
    broker = LocalBroker.at(dir).start();
    admin =
        Admin.create(Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()));
    admin.createTopics(Set.of(new NewTopic(TOPIC, PARTITIONS, (short) 1))).all().get();
  }

  @AfterAll
  static void stop() {
    admin.close();
    broker.close();
  }

  @Test
  void whoJoinsGetsItsPartitionsWithoutWaitingForItsHeartbeat() {
    try (Consumer<byte[], byte[]> owner = member(clients("joins", OFTEN), "joins-owner");
        Consumer<byte[], byte[]> joins = member(clients("joins", SELDOM), "joins-new")) {
      awaitShares(List.of(owner));
      awaitShares(List.of(owner, joins));
    }
  }

  /**
   * An owner that is not in a poll when the others rejoin. It is told again, and no member waits
   * for a heartbeat. The others wait longer for one whose turns are longer.
   */
  @ParameterizedTest
  @ValueSource(longs = {0, 150})
  void whoMissesADivisionReadsALaterOne(long turn) {
    String group = "misses-" + turn;
    try (Consumer<byte[], byte[]> reads = member(clients(group, SELDOM), "misses-reads");
        Consumer<byte[], byte[]> busy = member(clients(group, SELDOM), "misses-busy");
        Consumer<byte[], byte[]> joins = member(clients(group, SELDOM), "misses-joins")) {
      awaitShares(List.of(reads));
      awaitJoined(busy, group, 2);
      reads.enforceRebalance();
      awaitShares(List.of(reads, busy));
      int before = reads.groupMetadata().generationId();
      awaitJoined(joins, group, 3);
      reads.enforceRebalance();
      busy.enforceRebalance();

      AtomicLong polled = new AtomicLong(System.nanoTime());
      patiently()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(1))
          .until(
              () -> {
                if (System.nanoTime() - polled.get() >= TimeUnit.MILLISECONDS.toNanos(turn)) {
                  // Too short to get an answer.
                  busy.poll(Duration.ZERO);
                  polled.set(System.nanoTime());
                }
                reads.poll(Duration.ofMillis(10));
                joins.poll(Duration.ofMillis(10));
                return Stream.of(reads, busy, joins)
                    .allMatch(each -> each.assignment().size() == PARTITIONS / 3);
              });
      // It can miss the division, and those after 0.1, 0.2 and 0.4 s.
      assertThat(joins.groupMetadata().generationId()).isLessThanOrEqualTo(before + 6);
    }
  }

  /**
   * The leaving member hears of the second division from the leader, and keeps everything until the
   * first.
   */
  @Test
  void whoLeavesKeepsItsPartitionsUntilOthersCanHaveThem() {
    KafkaClients leaving = clients("leaves", SELDOM);
    try (Consumer<byte[], byte[]> stays = member(clients("leaves", OFTEN), "leaves-stays");
        Consumer<byte[], byte[]> leaves = member(leaving, "leaves-leaves")) {
      // The member with few heartbeats joins last: it would not notice another one joining.
      awaitShares(List.of(stays));
      awaitShares(List.of(stays, leaves));
      leaving.leave();
      leaves.enforceRebalance();

      leaves.poll(Duration.ofMillis(100));
      assertThat(leaves.assignment()).hasSize(PARTITIONS / 2);

      patiently()
          .until(
              () -> {
                stays.poll(Duration.ofMillis(20));
                leaves.poll(Duration.ofMillis(20));
                return stays.assignment().size() == PARTITIONS;
              });
      assertThat(leaves.assignment()).isEmpty();
    }
  }

  /**
   * The exception of the callback ends the poll before the member joins again. The second division
   * excludes the member, and no third one follows. Kafka's client does not take it for an error.
   */
  @Test
  void whoLeavesBetweenTheDivisionsMakesNoThirdOne() {
    Logger kafka = (Logger) LoggerFactory.getLogger("org.apache.kafka.clients.consumer");
    ListAppender<ILoggingEvent> logged = new ListAppender<>();
    logged.start();
    kafka.addAppender(logged);
    try {
      leaveBetweenTheDivisions();
    } finally {
      kafka.detachAppender(logged);
    }
    assertThat(logged.list)
        .filteredOn(event -> event.getLevel() == Level.ERROR)
        .extracting(ILoggingEvent::getFormattedMessage)
        .isEmpty();
  }

  private static void leaveBetweenTheDivisions() {
    KafkaClients leaving = clients("between", SELDOM);
    try (Consumer<byte[], byte[]> stays = member(clients("between", OFTEN), "between-stays")) {
      awaitShares(List.of(stays));
      try (Consumer<byte[], byte[]> leaves =
          member(
              leaving,
              "between-leaves",
              () -> {
                throw new HandedOver();
              })) {
        awaitShares(List.of(stays, leaves));
        leaving.leave();
        leaves.enforceRebalance();

        patiently()
            .until(
                () -> {
                  stays.poll(Duration.ofMillis(20));
                  return hasHandedOver(leaves);
                });
        int first = leaves.groupMetadata().generationId();
        leaves.close(CloseOptions.groupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP));
        awaitShares(List.of(stays));
        assertThat(stays.groupMetadata().generationId()).isEqualTo(first + 1);
      }
    }
  }

  private static final class HandedOver extends WakeupException {
    private static final long serialVersionUID = 1;
  }

  private static boolean hasHandedOver(Consumer<byte[], byte[]> leaves) {
    try {
      leaves.poll(Duration.ofMillis(20));
      return false;
    } catch (HandedOver e) {
      return leaves.assignment().isEmpty();
    }
  }

  /** The other members do not notice. */
  private static void awaitJoined(Consumer<byte[], byte[]> member, String group, int members) {
    patiently()
        .until(
            () -> {
              member.poll(Duration.ofMillis(20));
              return members(group) == members;
            });
  }

  private static int members(String group) throws Exception {
    Map<String, ConsumerGroupDescription> described =
        admin.describeConsumerGroups(List.of(group)).all().get();
    return Objects.requireNonNull(described.get(group)).members().size();
  }

  private static ConditionFactory patiently() {
    return await().atMost(Duration.ofSeconds(60)).pollInSameThread();
  }

  private static void awaitShares(List<Consumer<byte[], byte[]>> members) {
    patiently()
        .until(
            () -> {
              members.forEach(each -> each.poll(Duration.ofMillis(20)));
              return members.stream()
                  .allMatch(each -> each.assignment().size() == PARTITIONS / members.size());
            });
    assertThat(members.stream().flatMap(each -> each.assignment().stream()).distinct())
        .hasSize(PARTITIONS);
  }

  private static KafkaClients clients(String group, int heartbeatMs) {
    return new KafkaClients(
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
            null));
  }

  private static Consumer<byte[], byte[]> member(KafkaClients clients, String name) {
    return member(clients, name, () -> {});
  }

  /**
   * @param without what to do after a division that has left nothing to this member
   */
  private static Consumer<byte[], byte[]> member(
      KafkaClients clients, String name, Runnable without) {
    Consumer<byte[], byte[]> member = clients.consumer(name, name, Duration.ofMinutes(5));
    member.subscribe(
        List.of(TOPIC),
        new ConsumerRebalanceListener() {
          private boolean had;

          @Override
          public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            partitions.forEach(each -> member.seek(each, 0));
            if (had && member.assignment().isEmpty()) {
              without.run();
            }
            had |= !partitions.isEmpty();
          }

          @Override
          public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}
        });
    return member;
  }
}
