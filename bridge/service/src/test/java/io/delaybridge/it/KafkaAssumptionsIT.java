package io.delaybridge.it;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delaybridge.delivery.Outcome;
import io.delaybridge.delivery.Packing;
import io.delaybridge.delivery.TransactionalDelivery;
import io.delaybridge.delivery.TransactionalId;
import io.delaybridge.peers.KafkaClock;
import io.delaybridge.peers.KafkaGroup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.OffsetMetadataTooLarge;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The assumptions of the protocol about Kafka, checked on a real broker with Kafka's own clients
 * only. If one of these tests fails with a new release of Kafka, read docs/protocol.md first.
 */
class KafkaAssumptionsIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final AtomicInteger NAMES = new AtomicInteger();

  private static World world;

  private final String topic = "topic-" + NAMES.incrementAndGet();
  private final String group = "group-" + topic;
  private final String writer = "writer-of-" + topic;
  private final TopicPartition first = new TopicPartition(topic, 0);
  private final TopicPartition second = new TopicPartition(topic, 1);

  @BeforeAll
  static void start() {
    world = World.start();
  }

  @AfterAll
  static void stop() {
    world.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void committed_waits_for_a_pending_transaction_and_then_tells_offset_and_metadata(
      boolean commits) {
    createTopic();
    try (Consumer<byte[], byte[]> consumer = consumer();
        Consumer<byte[], byte[]> waiting = consumer();
        Producer<byte[], byte[]> producer = transactional()) {
      consumer.commitSync(Map.of(first, new OffsetAndMetadata(3, "before")));
      producer.beginTransaction();
      producer.sendOffsetsToTransaction(
          Map.of(first, new OffsetAndMetadata(7, "after")), stranger());
      CompletableFuture<OffsetAndMetadata> answer =
          CompletableFuture.supplyAsync(() -> waiting.committed(Set.of(first), SOON).get(first));

      assertThatThrownBy(() -> consumer.committed(Set.of(first), SHORT))
          .isInstanceOf(TimeoutException.class);
      assertThat(answer).isNotDone();
      assertThat(consumer.committed(Set.of(second), SOON).get(second)).isNull();

      if (commits) {
        producer.commitTransaction();
      } else {
        producer.abortTransaction();
      }
      assertThat(answer)
          .succeedsWithin(SOON)
          .isEqualTo(
              commits ? new OffsetAndMetadata(7, "after") : new OffsetAndMetadata(3, "before"));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void a_transaction_with_an_older_generation_is_refused_for_any_partition(int partition) {
    createTopic();
    TopicPartition any = new TopicPartition(topic, partition);
    try (Consumer<byte[], byte[]> one = consumer();
        Consumer<byte[], byte[]> other = consumer();
        Producer<byte[], byte[]> producer = transactional()) {
      join(one);
      ConsumerGroupMetadata stale = one.groupMetadata();
      join(one, other);

      producer.beginTransaction();
      assertThatThrownBy(
              () ->
                  producer.sendOffsetsToTransaction(
                      Map.of(any, new OffsetAndMetadata(1, "stale")), stale))
          .isInstanceOf(CommitFailedException.class);
      producer.abortTransaction();

      assertThat(committed(any)).isNull();
      OffsetAndMetadata offset = new OffsetAndMetadata(1, "the same producer again");
      await()
          .atMost(SOON)
          .pollInSameThread()
          .until(
              () -> {
                // The group may divide its partitions once more.
                join(one, other);
                return commits(producer, any, offset, one.groupMetadata());
              });
      assertThat(committed(any)).isEqualTo(offset);
    }
  }

  /** The treatment of a bridge without signs of life: safe even if it is alive. */
  @Test
  void the_description_of_the_quorum_has_the_time_of_the_controller() {
    long before = System.currentTimeMillis();
    OptionalLong time =
        new KafkaClock(world.admin, 10_000)
            .get()
            .toCompletableFuture()
            .orTimeout(60, SECONDS)
            .join();

    assertThat(time).isPresent();
    assertThat(time.getAsLong()).isBetween(before, System.currentTimeMillis());
  }

  @Test
  void whoever_is_taken_out_of_the_group_is_fenced_and_may_join_again() {
    createTopic();
    try (Consumer<byte[], byte[]> one = consumer("one");
        Consumer<byte[], byte[]> other = consumer("other");
        Producer<byte[], byte[]> producer = transactional()) {
      join(one, other);
      ConsumerGroupMetadata before = one.groupMetadata();

      Scenario.get(
          new KafkaGroup(world.admin, group)
              .remove(List.of("one", "gone before"))
              .toCompletableFuture());

      producer.beginTransaction();
      assertThatThrownBy(
              () ->
                  producer.sendOffsetsToTransaction(
                      Map.of(first, new OffsetAndMetadata(1, "stale")), before))
          .isInstanceOf(CommitFailedException.class);
      producer.abortTransaction();
      // Long before its session ends.
      join(other);
      // It joins again in a poll, which tells it what it has lost, and never behind its back.
      assertThatThrownBy(() -> one.commitSync(Map.of(first, new OffsetAndMetadata(1, "stale"))))
          .isInstanceOf(CommitFailedException.class);
      join(one, other);
      OffsetAndMetadata offset = new OffsetAndMetadata(1, "again");
      commit(producer, first, offset, one.groupMetadata());
      assertThat(committed(first)).isEqualTo(offset);
    }
  }

  @Test
  void whoever_is_fenced_has_nothing_open_any_more_and_may_begin_again() {
    createTopic();
    try (Producer<byte[], byte[]> producer = transactional();
        Consumer<byte[], byte[]> reader = consumer()) {
      write(producer, 1);
      assertThat(stableEnd(reader, first)).isZero();

      Scenario.get(new KafkaGroup(world.admin, group).fence(List.of(writer)).toCompletableFuture());

      await().atMost(SOON).until(() -> stableEnd(reader, first) == logEnd(first));
      assertThatThrownBy(producer::commitTransaction).isInstanceOf(KafkaException.class);
      try (Producer<byte[], byte[]> again = transactional()) {
        again.beginTransaction();
        again.commitTransaction();
      }
    }
  }

  /** This must be faster than one fence may take, because readers wait for the last of them. */
  @Test
  void all_that_a_process_has_open_is_fenced_at_once() {
    createTopic();
    List<String> ids = IntStream.range(0, 12).mapToObj(i -> topic + "-" + i).toList();
    List<Producer<byte[], byte[]>> producers = ids.stream().map(this::transactional).toList();
    try (Consumer<byte[], byte[]> reader = consumer()) {
      producers.forEach(producer -> write(producer, 1));
      assertThat(stableEnd(reader, first)).isZero();

      Scenario.get(new KafkaGroup(world.admin, group).fence(ids).toCompletableFuture());

      await().atMost(SOON).until(() -> stableEnd(reader, first) == logEnd(first));
    } finally {
      producers.forEach(producer -> producer.close(Duration.ZERO));
    }
  }

  @Test
  void a_static_member_leaves_at_once_if_it_is_told_to() {
    createTopic();
    try (Consumer<byte[], byte[]> other = consumer("other")) {
      try (Consumer<byte[], byte[]> one = consumer("one")) {
        join(one, other);
        one.close(CloseOptions.groupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP));
      }
      join(other);
    }
  }

  /**
   * The reason to read the metadata once per turn, before the take: newer metadata is not fenced.
   */
  @Test
  void a_transaction_with_the_current_generation_is_accepted_for_a_partition_of_another_member() {
    createTopic();
    try (Consumer<byte[], byte[]> one = consumer();
        Consumer<byte[], byte[]> other = consumer();
        Producer<byte[], byte[]> producer = transactional()) {
      join(one, other);
      TopicPartition foreign = other.assignment().iterator().next();
      OffsetAndMetadata offset = new OffsetAndMetadata(1, "of another");

      commit(producer, foreign, offset, one.groupMetadata());

      assertThat(committed(foreign)).isEqualTo(offset);
    }
  }

  @Test
  void empty_group_metadata_is_not_fenced_by_the_broker() {
    createTopic();
    try (Consumer<byte[], byte[]> owner = consumer();
        Producer<byte[], byte[]> producer = transactional()) {
      join(owner);
      OffsetAndMetadata offset = new OffsetAndMetadata(1, "of a stranger");

      commit(producer, first, offset, stranger());

      assertThat(committed(first)).isEqualTo(offset);
    }
  }

  @Test
  void the_bridge_never_sends_empty_group_metadata() {
    createTopic();
    try (Consumer<byte[], byte[]> owner = consumer();
        TransactionalDelivery delivery =
            new TransactionalDelivery(
                new TransactionalId("delivery"), (id, packing) -> producer())) {
      join(owner);
      Map<TopicPartition, OffsetAndMetadata> checkpoint =
          Map.of(first, new OffsetAndMetadata(1, "of a stranger"));

      Outcome refused =
          delivery.deliver(List.of(record(first)), Packing.PLAIN, checkpoint, stranger());

      assertThat(refused).isInstanceOf(Outcome.NotOut.class);
      assertThat(committed(first)).isNull();
      assertThat(logEnd(first)).isZero();
      assertThat(
              delivery.deliver(
                  List.of(record(first)), Packing.PLAIN, checkpoint, owner.groupMetadata()))
          .isInstanceOf(Outcome.Done.class);
    }
  }

  @Test
  void the_position_passes_markers_of_transactions_and_aborted_records() {
    createTopic();
    try (Consumer<byte[], byte[]> consumer = consumer();
        Producer<byte[], byte[]> producer = transactional()) {
      consumer.assign(List.of(first));
      consumer.seek(first, 0);
      write(producer, 3);
      producer.commitTransaction();
      List<ConsumerRecord<byte[], byte[]>> seen = new ArrayList<>();
      // Offsets 0 to 2 are records, 3 is the marker.
      pollUntilPosition(consumer, 4, seen);
      assertThat(seen).extracting(ConsumerRecord::offset).containsExactly(0L, 1L, 2L);

      seen.clear();
      write(producer, 2);
      producer.abortTransaction();
      pollUntilPosition(consumer, 7, seen);
      assertThat(seen).isEmpty();
    }
  }

  @Test
  void the_metadata_of_a_committed_offset_survives_a_broker_that_is_killed() {
    createTopic();
    OffsetAndMetadata checkpoint = new OffsetAndMetadata(42, "v1|id|7|42:1000:5|0:1000|2");
    try (Producer<byte[], byte[]> producer = transactional()) {
      commit(producer, first, checkpoint, stranger());
    }
    // The commit is reported before its marker is written. A broker that dies in between may never
    // write it (KAFKA-20734), which is another matter: wait until the offset is there.
    assertThat(committed(first)).isEqualTo(checkpoint);
    world.stack.kafka().kill();
    world.stack.kafka().start();

    assertThat(committed(first)).isEqualTo(checkpoint);
  }

  @Test
  void metadata_of_4096_bytes_is_accepted_and_longer_one_is_refused() {
    createTopic();
    OffsetAndMetadata longest = new OffsetAndMetadata(1, "x".repeat(4_096));
    OffsetAndMetadata tooLong = new OffsetAndMetadata(2, "x".repeat(4_097));
    try (Consumer<byte[], byte[]> consumer = consumer();
        Producer<byte[], byte[]> producer = transactional()) {
      commit(producer, first, longest, stranger());
      assertThat(committed(first)).isEqualTo(longest);

      assertThatThrownBy(() -> consumer.commitSync(Map.of(first, tooLong)))
          .isInstanceOf(OffsetMetadataTooLarge.class);
      assertThatThrownBy(() -> commit(producer, first, tooLong, stranger()))
          .isInstanceOf(KafkaException.class)
          .hasStackTraceContaining("metadata field of the offset request was too large");
    }
    assertThat(committed(first)).isEqualTo(longest);
  }

  @Test
  void a_producer_ends_the_open_transaction_of_its_predecessor_as_soon_as_it_starts() {
    createTopic();
    try (Consumer<byte[], byte[]> consumer = consumer();
        Producer<byte[], byte[]> predecessor = transactional();
        Producer<byte[], byte[]> successor = producer()) {
      write(predecessor, 1);
      predecessor.sendOffsetsToTransaction(
          Map.of(first, new OffsetAndMetadata(1, "lost")), stranger());
      assertThat(stableEnd(consumer, first)).isZero();

      // Much sooner than the ten minutes that the transaction may take.
      successor.initTransactions();

      await().atMost(SOON).until(() -> stableEnd(consumer, first) == 2);
      assertThat(committed(first)).isNull();
      assertThatThrownBy(predecessor::commitTransaction)
          .isInstanceOf(ProducerFencedException.class);
      assertThat(committed(first)).isNull();
    }
  }

  @Test
  void an_open_transaction_hides_what_follows_it_from_consumers_but_not_the_end_of_the_log() {
    createTopic();
    try (Consumer<byte[], byte[]> consumer = consumer();
        Producer<byte[], byte[]> producer = transactional()) {
      consumer.assign(List.of(first));
      consumer.seek(first, 0);
      write(producer, 1);
      Scenario.get(world.producer.send(record(first)));

      assertThat(consumer.poll(Duration.ofSeconds(1))).isEmpty();
      assertThat(consumer.position(first)).isZero();
      assertThat(stableEnd(consumer, first)).isZero();
      assertThat(logEnd(first)).isEqualTo(2);

      producer.commitTransaction();
      List<ConsumerRecord<byte[], byte[]>> seen = new ArrayList<>();
      pollUntilPosition(consumer, 3, seen);
      assertThat(seen).extracting(ConsumerRecord::offset).containsExactly(0L, 1L);
    }
  }

  /** A commit is reported before its markers are written, and they may come in any order. */
  @Test
  void of_two_transactions_the_checkpoint_that_was_written_last_stays() {
    createTopic();
    try (Producer<byte[], byte[]> even = producer("even-" + topic);
        Producer<byte[], byte[]> odd = producer("odd-" + topic)) {
      even.initTransactions();
      odd.initTransactions();
      ConsumerGroupMetadata stranger = stranger();
      even.beginTransaction();
      even.sendOffsetsToTransaction(Map.of(first, new OffsetAndMetadata(1, "even")), stranger);

      commit(odd, first, new OffsetAndMetadata(2, "odd"), stranger);
      even.commitTransaction();

      // The answer comes only when no transaction is open any more.
      assertThat(committed(first)).isEqualTo(new OffsetAndMetadata(2, "odd"));
    }
  }

  @Test
  void a_topic_that_is_deleted_and_created_anew_has_another_id() {
    createTopic();
    String before = topicId();
    assertThat(topicId()).isEqualTo(before);
    get(world.admin.deleteTopics(List.of(topic)).all());
    await().atMost(SOON).until(() -> !world.knows(topic));
    createTopic();

    assertThat(topicId()).isNotEqualTo(before);
  }

  private void createTopic() {
    world.createTopic(topic, 2, Map.of());
  }

  private String topicId() {
    return get(world.admin.describeTopics(List.of(topic)).topicNameValues().get(topic))
        .topicId()
        .toString();
  }

  /**
   * Returns a consumer like the bridge's: classic protocol, committed records only, no automatic
   * commits.
   */
  private Consumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(
        properties(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** A static member. */
  private Consumer<byte[], byte[]> consumer(String member) {
    Map<String, Object> properties = new HashMap<>(properties());
    properties.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, member);
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private Map<String, Object> properties() {
    return Map.of(
        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
        world.stack.bootstrapServers(),
        ConsumerConfig.GROUP_ID_CONFIG,
        group,
        ConsumerConfig.GROUP_PROTOCOL_CONFIG,
        "classic",
        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
        CooperativeStickyAssignor.class.getName(),
        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
        "read_committed",
        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
        "earliest",
        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
        false,
        ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
        200);
  }

  /** All producers of one test have the same transactional id, unless they are given one. */
  private Producer<byte[], byte[]> producer() {
    return producer(writer);
  }

  private Producer<byte[], byte[]> producer(String transactionalId) {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, world.stack.bootstrapServers());
    properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
    properties.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 600_000);
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private Producer<byte[], byte[]> transactional() {
    return transactional(writer);
  }

  private Producer<byte[], byte[]> transactional(String transactionalId) {
    Producer<byte[], byte[]> producer = producer(transactionalId);
    producer.initTransactions();
    return producer;
  }

  private static ProducerRecord<byte[], byte[]> record(TopicPartition partition) {
    return new ProducerRecord<>(
        partition.topic(), partition.partition(), null, "value".getBytes(StandardCharsets.UTF_8));
  }

  /** Begins a transaction and leaves it open. */
  private void write(Producer<byte[], byte[]> producer, int records) {
    producer.beginTransaction();
    for (int i = 0; i < records; i++) {
      Scenario.get(producer.send(record(first)));
    }
  }

  /** Returns false if the generation is over. */
  private static boolean commits(
      Producer<byte[], byte[]> producer,
      TopicPartition partition,
      OffsetAndMetadata offset,
      ConsumerGroupMetadata metadata) {
    try {
      commit(producer, partition, offset, metadata);
      return true;
    } catch (CommitFailedException e) {
      producer.abortTransaction();
      return false;
    }
  }

  private static void commit(
      Producer<byte[], byte[]> producer,
      TopicPartition partition,
      OffsetAndMetadata offset,
      ConsumerGroupMetadata metadata) {
    producer.beginTransaction();
    producer.sendOffsetsToTransaction(Map.of(partition, offset), metadata);
    producer.commitTransaction();
  }

  /** Lets the consumers poll until each is a member and has its share of the two partitions. */
  @SafeVarargs
  private void join(Consumer<byte[], byte[]>... members) {
    for (Consumer<byte[], byte[]> member : members) {
      if (member.subscription().isEmpty()) {
        member.subscribe(List.of(topic));
      }
    }
    await()
        .atMost(SOON)
        .pollInSameThread()
        .until(
            () -> {
              boolean settled = true;
              for (Consumer<byte[], byte[]> member : members) {
                member.poll(Duration.ofMillis(50));
                settled &= member.assignment().size() == 2 / members.length;
              }
              return settled;
            });
  }

  private static void pollUntilPosition(
      Consumer<byte[], byte[]> consumer, long position, List<ConsumerRecord<byte[], byte[]>> seen) {
    TopicPartition partition = consumer.assignment().iterator().next();
    await()
        .atMost(SOON)
        .pollInSameThread()
        .until(
            () -> {
              consumer.poll(Duration.ofMillis(100)).forEach(seen::add);
              return consumer.position(partition) == position;
            });
  }

  /** The empty metadata of a consumer that is not a member of the group. */
  private ConsumerGroupMetadata stranger() {
    try (Consumer<byte[], byte[]> consumer = consumer()) {
      return consumer.groupMetadata();
    }
  }

  private @Nullable OffsetAndMetadata committed(TopicPartition partition) {
    try (Consumer<byte[], byte[]> consumer = consumer()) {
      return consumer.committed(Set.of(partition), SOON).get(partition);
    }
  }

  /** Returns the end for a consumer of committed records: the last stable offset. */
  private static long stableEnd(Consumer<byte[], byte[]> consumer, TopicPartition partition) {
    Long end = consumer.endOffsets(List.of(partition), SOON).get(partition);
    return end == null ? -1 : end;
  }

  private static long logEnd(TopicPartition partition) {
    return get(world
            .admin
            .listOffsets(Map.of(partition, OffsetSpec.latest()))
            .partitionResult(partition))
        .offset();
  }

  private static <T> T get(@Nullable KafkaFuture<T> future) {
    return Scenario.get(Objects.requireNonNull(future));
  }
}
