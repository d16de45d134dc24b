package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Reading;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.store.ShardStore;
import io.delaybridge.store.SimStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/**
 * An intake of one partition, a target, a store, and as many bridges as a test wants. Due times are
 * milliseconds after the time at which the test begins; the wall clock only moves by {@link #at}.
 */
abstract class RuleTest {

  static final TopicPartition P0 = new TopicPartition(SimKafka.INTAKE, 0);
  static final TopicPartition P1 = new TopicPartition(SimKafka.INTAKE, 1);
  static final String TARGET = "orders";
  static final long START = 1_800_000_000_000L;
  static final long HOUR = 3_600_000;

  /** So long that only the tests about it see a checkpoint without a delivery. */
  static final Duration CHECKPOINT_EVERY = Duration.ofMinutes(1);

  private static final int PLENTY = 30;
  private static final Duration PAUSE = Duration.ofMillis(100);

  final SimClock clock = new SimClock(START);
  final SimKafka kafka = new SimKafka(clock);
  final SimStore store = new SimStore();

  int maxTakeCount = 100;

  // For bridges that are started from now on.
  boolean exactlyOnce = true;
  long longestDelay = HOUR;
  int level = Reading.LATEST;
  boolean passesUnknown;
  IntakeStart start = IntakeStart.EARLIEST;
  boolean skipDeleted;
  LoopSettings.Far far = LoopSettings.Far.OFF;
  double memoryHighWater = 0.8;
  long tolerance;

  /** With limits, everything is stored before it goes out, since no message waits in memory. */
  boolean limited = true;

  RuleTest() {
    kafka.createTopic(SimKafka.INTAKE, 1);
    kafka.createTopic(SimKafka.DEAD, 1);
    kafka.createTopic(TARGET, 1);
  }

  @AfterEach
  void whatHoldsInEveryTest() {
    assertThat(kafka.group().unfenced()).as("offsets sent with empty group metadata").isZero();
    assertThat(kafka.group().history(P0))
        .extracting(OffsetAndMetadata::offset)
        .as("committed offsets, never lowered")
        .isSorted();
    for (ConsumerRecord<byte[], byte[]> arrival : kafka.records(TARGET)) {
      assertThat(arrival.timestamp())
          .as("time of arrival of %s", text(arrival.value()))
          .isGreaterThanOrEqualTo(Long.parseLong(header(arrival, DelayHeaders.DUE_AT)));
    }
  }

  /** Lets messages be far, for bridges that are started from now on. */
  void horizon(long horizon, long lap) {
    far = new LoopSettings.Far(horizon, lap);
    kafka.createTopic(SimLater.TOPIC, 1);
  }

  // Actions of others.

  /** Appends a message to the intake and returns its offset. */
  long schedule(String value, long due) {
    return schedule(value, due, null);
  }

  long schedule(String value, long due, @Nullable String id) {
    return scheduleTo(TARGET, value, due, id);
  }

  long scheduleTo(String target, String value, long due, @Nullable String id) {
    return kafka.append(request(P0, target, value, due, id), false).offset();
  }

  static ProducerRecord<byte[], byte[]> request(
      TopicPartition partition, String target, String value, long due, @Nullable String id) {
    List<Header> headers = new ArrayList<>();
    headers.add(header(DelayHeaders.TARGET_TOPIC, target));
    headers.add(header(DelayHeaders.DELIVER_AT, Long.toString(START + due)));
    if (id != null) {
      headers.add(header(DelayHeaders.ID, id));
    }
    return record(partition, utf8(value), headers);
  }

  private static ProducerRecord<byte[], byte[]> record(
      TopicPartition partition, byte @Nullable [] value, List<Header> headers) {
    return new ProducerRecord<byte[], byte[]>(
        partition.topic(), partition.partition(), (byte[]) null, value, headers);
  }

  long cancel(String id) {
    List<Header> headers =
        List.of(header(DelayHeaders.OP, DelayHeaders.OP_CANCEL), header(DelayHeaders.ID, id));
    return kafka.append(record(P0, null, headers), false).offset();
  }

  /** Appends a record with these headers only. */
  long append(Map<String, String> named) {
    return append(P0, named);
  }

  long append(TopicPartition partition, Map<String, String> named) {
    List<Header> headers = new ArrayList<>();
    named.forEach((name, value) -> headers.add(header(name, value)));
    return kafka.append(record(partition, null, headers), false).offset();
  }

  /** Appends a malformed message: it has no due time. */
  long malformed(String value) {
    List<Header> headers = List.of(header(DelayHeaders.TARGET_TOPIC, TARGET));
    return kafka.append(record(P0, utf8(value), headers), false).offset();
  }

  /** Sets the wall clock to that many milliseconds after the beginning. */
  void at(long millis) {
    clock.set(START + millis);
  }

  // Bridges.

  SimBridge bridge(String name) {
    return new SimBridge(name, kafka, shards(), clock, settings(), exactlyOnce);
  }

  LoopSettings settings() {
    Reading reading = new Reading(longestDelay, far.horizon(), level, passesUnknown || level == 0);
    boolean isLimited = limited;
    LoopSettings.Far farAhead = far;
    long tolerated = tolerance;
    return new LoopSettings(
        topic -> maxTakeCount,
        1 << 20,
        CHECKPOINT_EVERY,
        topic -> reading,
        start,
        skipDeleted,
        memoryHighWater,
        topic -> isLimited,
        topic -> farAhead,
        topic -> tolerated);
  }

  /** Returns the store in which the bridges keep their messages. */
  ShardStore shards() {
    return store;
  }

  /** Starts a bridge and lets it read all that is there so far. */
  SimBridge running(String name) {
    SimBridge bridge = bridge(name);
    turns(bridge);
    return bridge;
  }

  /** Takes as many turns as any back-off needs, without moving the wall clock. */
  void turns(SimBridge bridge) {
    for (int i = 0; i < PLENTY; i++) {
      turn(bridge);
    }
  }

  void turn(SimBridge bridge) {
    bridge.step();
    clock.pass(PAUSE);
  }

  /** Takes turns at each second from one time to the other, as offsets from the start. */
  void secondBySecond(SimBridge bridge, long from, long to) {
    for (long time = from; time <= to; time += 1_000) {
      at(time);
      turns(bridge);
    }
  }

  // Observations.

  List<String> delivered() {
    return kafka.records(TARGET).stream().map(each -> text(each.value())).toList();
  }

  /** Returns value and reason of each dead letter. */
  List<String> dead() {
    return kafka.records(SimKafka.DEAD).stream()
        .map(each -> text(each.value()) + ' ' + header(each, DelayHeaders.DEAD_REASON))
        .toList();
  }

  ShardStore.Shard shard() {
    return new ShardStore.Shard(id(P0), kafka.facts(SimKafka.INTAKE).id());
  }

  static ShardId id(TopicPartition partition) {
    return new ShardId(partition.topic(), partition.partition());
  }

  /** Returns the intake offsets of the pending messages, in the order of delivery. */
  List<Long> pending() {
    return store.pending(shard()).stream().map(DelayedMessage::offset).toList();
  }

  /** Saves the current state of the shard; running the result restores it. */
  Runnable savepoint() {
    return store.savepoint(id(P0));
  }

  OffsetAndMetadata committed() {
    OffsetAndMetadata offset = kafka.group().committed(P0);
    assertThat(offset).as("committed offset").isNotNull();
    return offset;
  }

  Checkpoint checkpoint() {
    return Judge.parsed(committed().metadata());
  }

  ShardStatus status(SimBridge bridge) {
    return bridge.shard(P0).status(clock.millis());
  }

  private static Header header(String name, String value) {
    return new RecordHeader(name, utf8(value));
  }

  static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return text(record.headers().lastHeader(name).value());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte @Nullable [] bytes) {
    return bytes == null ? "-" : new String(bytes, StandardCharsets.UTF_8);
  }
}
