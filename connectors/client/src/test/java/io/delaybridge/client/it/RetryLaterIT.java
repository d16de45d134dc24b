package io.delaybridge.client.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delaybridge.client.Arrival;
import io.delaybridge.client.Backoff;
import io.delaybridge.client.DelayedRecords;
import io.delaybridge.client.Missed;
import io.delaybridge.client.RetryLater;
import io.delaybridge.client.RetryLoop;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** A consumer that fails, on a real broker with a real bridge in between. */
@ExtendWith(WithBridge.class)
class RetryLaterIT {

  private static final Duration LIMIT = Duration.ofSeconds(40);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final RetryLater LATER =
      RetryLater.with(new Backoff(3, Duration.ofMillis(300), Duration.ofMillis(600)));

  private Bridge bridge;
  private String orders;
  private String answers;
  private String name;

  /** Simulates the death of the process in the middle of its work. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  @BeforeEach
  void createTopics(Bridge shared, TestInfo test) {
    bridge = shared;
    name = test.getTestMethod().orElseThrow().getName();
    orders = name + ".orders";
    answers = name + ".answers";
    bridge.create(orders, answers);
  }

  private void send(String... values) {
    try (KafkaProducer<String, String> producer = bridge.producer()) {
      for (String value : values) {
        ProducerRecord<String, String> record = new ProducerRecord<>(orders, "key", value);
        record.headers().add("trace", value.getBytes(StandardCharsets.UTF_8));
        Bridge.get(producer.send(record));
      }
    }
  }

  private List<ConsumerRecord<String, String>> deadLetters(int count) {
    return bridge.await(
        "delay-deadletter", count, record -> orders.equals(header(record, "delay-target-topic")));
  }

  private static @Nullable String header(ConsumerRecord<?, ?> record, String name) {
    var header = record.headers().lastHeader(name);
    return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
  }

  private static void turnUntil(RetryLoop<?, ?> loop, BooleanSupplier done) {
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(1))
        .pollInSameThread()
        .until(
            () -> {
              loop.turn(POLL);
              return done.getAsBoolean();
            });
  }

  @Test
  void aRecordThatAlwaysFailsIsTriedAndGivenUpWhileOthersPass() {
    send("good", "bad", "also good");
    List<String> handled = new ArrayList<>();

    try (Consumer<String, String> consumer = bridge.consumer(name, orders);
        Producer<String, String> producer = bridge.producer()) {
      RetryLoop<String, String> loop =
          RetryLoop.atLeastOnce(
              consumer,
              producer,
              LATER,
              record -> {
                handled.add(record.value() + " " + Arrival.consumerAttempt(record.headers()));
                if (record.value().equals("bad")) {
                  throw new IllegalStateException("as it was told");
                }
                return List.of();
              });
      turnUntil(loop, () -> handled.contains("bad 3"));
    }

    assertThat(handled).containsExactly("good 1", "bad 1", "also good 1", "bad 2", "bad 3");
    ConsumerRecord<String, String> dead = deadLetters(1).get(0);
    assertThat(dead.key()).isEqualTo("key");
    assertThat(dead.value()).isEqualTo("bad");
    assertThat(header(dead, "trace")).isEqualTo("bad");
    assertThat(header(dead, "delay-dead-reason")).isEqualTo("CONSUMER_FAILED");
    assertThat(header(dead, "delay-dead-detail")).contains("3 of at most 3", "as it was told");
    assertThat(header(dead, "delay-attempt")).isEqualTo("3");
    assertThat(header(dead, "delay-source")).startsWith("delay-intake/");
    assertThat(header(dead, "delay-consumer-source")).isEqualTo(orders + "/0/1");
  }

  /** Its key would send it to partition 1. */
  @Test
  void everyAttemptIsInThePartitionAndHasTheTimestampOfTheFirst() {
    String topic = orders + ".many";
    bridge.create(3, topic);
    long written = System.currentTimeMillis() - 1_000_000;
    try (KafkaProducer<String, String> producer = bridge.producer()) {
      Bridge.get(producer.send(new ProducerRecord<>(topic, 2, written, "key", "bad")));
    }
    List<ConsumerRecord<String, String>> handled = new ArrayList<>();
    try (Consumer<String, String> consumer = bridge.consumer(name, topic);
        Producer<String, String> producer = bridge.producer()) {
      RetryLoop<String, String> loop =
          RetryLoop.atLeastOnce(
              consumer,
              producer,
              LATER,
              record -> {
                handled.add(record);
                throw new IllegalStateException("as it was told");
              });
      turnUntil(loop, () -> handled.size() == 3);
    }

    assertThat(handled).extracting(ConsumerRecord::partition).containsExactly(2, 2, 2);
    assertThat(handled).extracting(Arrival::originalTimestamp).containsOnly(written);
    assertThat(handled.get(2).timestamp()).isGreaterThan(written);
    assertThat(Arrival.of(handled.get(2)).orElseThrow().firstTimestamp())
        .isEqualTo(Instant.ofEpochMilli(written));
    ConsumerRecord<String, String> dead =
        bridge
            .await(
                "delay-deadletter", 1, record -> topic.equals(header(record, "delay-target-topic")))
            .get(0);
    assertThat(header(dead, "delay-target-partition")).isEqualTo("2");
    assertThat(header(dead, "delay-consumer-timestamp")).isEqualTo(Long.toString(written));
  }

  @Test
  void aDeadLetterThatIsPutBackAsItIsBeginsWithTheFirstAttempt() {
    send("bad");
    try (Consumer<String, String> consumer = bridge.consumer(name, orders);
        Producer<String, String> producer = bridge.producer()) {
      RetryLater atOnce = LATER.hopeless(IllegalStateException.class);
      RetryLoop<String, String> loop =
          RetryLoop.atLeastOnce(
              consumer,
              producer,
              atOnce,
              record -> {
                throw new IllegalStateException("as it was told");
              });
      turnUntil(
          loop,
          () ->
              consumer.committed(consumer.assignment()).values().stream()
                  .anyMatch(offset -> offset != null && offset.offset() == 1));
    }
    ConsumerRecord<String, String> dead = deadLetters(1).get(0);
    assertThat(header(dead, "delay-dead-reason")).isEqualTo("CONSUMER_REJECTED");
    assertThat(header(dead, "delay-source")).isEqualTo(orders + "/0/0");

    try (Producer<String, String> producer = bridge.producer()) {
      Bridge.get(
          producer.send(
              new ProducerRecord<>("delay-intake", null, dead.key(), "mended", dead.headers())));
    }

    ConsumerRecord<String, String> again = bridge.await(orders, 2).get(1);
    assertThat(again.value()).isEqualTo("mended");
    assertThat(header(again, "trace")).isEqualTo("bad");
    assertThat(Arrival.of(again).orElseThrow().consumerAttempt()).isEqualTo(1);
  }

  @Test
  void anOccurrenceThatFailsIsTriedAgainAsThatOccurrenceAndTheOthersComeOnce() {
    try (KafkaProducer<String, String> producer = bridge.producer()) {
      Bridge.get(
          producer.send(
              DelayedRecords.to(orders)
                  .after(Duration.ZERO)
                  .every(Duration.ofSeconds(1))
                  .count(3)
                  .missed(Missed.ALL)
                  .id("r")
                  .record("key", "bad")));
    }
    List<String> handled = new ArrayList<>();
    try (Consumer<String, String> consumer = bridge.consumer(name, orders);
        Producer<String, String> producer = bridge.producer()) {
      RetryLoop<String, String> loop =
          RetryLoop.atLeastOnce(
              consumer,
              producer,
              LATER,
              record -> {
                Arrival arrival = Arrival.of(record).orElseThrow();
                assertThat(arrival.schedule()).isEqualTo("r");
                assertThat(arrival.scheduledAt()).isNotNull();
                handled.add(arrival.occurrence() + "/" + arrival.consumerAttempt());
                if (Long.valueOf(2).equals(arrival.occurrence())) {
                  throw new IllegalStateException("as it was told");
                }
                return List.of();
              });
      turnUntil(loop, () -> handled.contains("2/3") && handled.contains("3/1"));
    }

    assertThat(handled).containsExactlyInAnyOrder("1/1", "2/1", "2/2", "2/3", "3/1");
    ConsumerRecord<String, String> dead = deadLetters(1).get(0);
    assertThat(header(dead, "delay-schedule")).isEqualTo("r");
    assertThat(header(dead, "delay-occurrence")).isEqualTo("2");
    assertThat(header(dead, "delay-scheduled-at")).isNotNull();
    assertThat(header(dead, "delay-id")).isNull();
    assertThat(header(dead, "delay-every")).isNull();

    try (Producer<String, String> producer = bridge.producer()) {
      Bridge.get(
          producer.send(
              new ProducerRecord<>("delay-intake", null, dead.key(), "mended", dead.headers())));
    }
    ConsumerRecord<String, String> again =
        bridge.await(orders, 1, record -> record.value().equals("mended")).get(0);
    assertThat(Arrival.of(again).orElseThrow().occurrence()).isEqualTo(2);
  }

  @Test
  void answersAndRetriesAreExactlyOnceThoughTheConsumerIsKilled() {
    Set<String> expected = new TreeSet<>();
    for (int i = 0; i < 20; i++) {
      send("order-" + i);
      expected.add("order-" + i);
    }
    KafkaProducer<String, String> producerOfDying = bridge.producer(name);
    try (Consumer<String, String> consumer = bridge.consumer(name, orders)) {
      RetryLoop<String, String> dying =
          RetryLoop.exactlyOnce(
              consumer,
              producerOfDying,
              LATER,
              record -> {
                if (record.value().equals("order-13")) {
                  producerOfDying.flush();
                  throw new Killed();
                }
                return answer(record);
              });
      assertThatThrownBy(() -> turnUntil(dying, () -> false)).isInstanceOf(Killed.class);
    }
    // Without a wait, close does not abort: its records are on the broker, in an open transaction.
    producerOfDying.close(Duration.ZERO);

    List<String> handled = new ArrayList<>();
    try (Consumer<String, String> consumer = bridge.consumer(name, orders);
        Producer<String, String> producer = bridge.producer(name)) {
      RetryLoop<String, String> loop =
          RetryLoop.exactlyOnce(
              consumer,
              producer,
              LATER,
              record -> {
                handled.add(record.value());
                return answer(record);
              });
      // Every third fails on its first attempt: 20 + 7.
      turnUntil(loop, () -> handled.size() >= 27);
      // Past the end of the transaction in which the bridge delivered the last retry.
      TopicPartition partition = new TopicPartition(orders, 0);
      OffsetAndMetadata committed = consumer.committed(Set.of(partition)).get(partition);
      assertThat(committed).isNotNull();
      assertThat(consumer.endOffsets(Set.of(partition)))
          .containsEntry(partition, committed.offset());
    }

    List<String> answered = bridge.await(answers, 20).stream().map(ConsumerRecord::value).toList();
    assertThat(answered).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(expected);
    assertThat(handled).hasSize(27);
    // An extra retry would be due before this one: same key, so in order.
    try (Producer<String, String> producer = bridge.producer()) {
      Bridge.get(
          producer.send(
              DelayedRecords.to(orders).after(Duration.ofSeconds(2)).record("key", "last")));
    }
    bridge.await(orders, 1, record -> record.value().equals("last"));
    // The originals, one retry of each third, the last: nothing of the killed transaction.
    assertThat(bridge.await(orders, 28)).hasSize(28);
  }

  /** Every third fails on its first attempt. */
  private List<ProducerRecord<String, String>> answer(ConsumerRecord<String, String> record) {
    int number = Integer.parseInt(record.value().substring("order-".length()));
    if (number % 3 == 0 && Arrival.consumerAttempt(record.headers()) == 1) {
      throw new IllegalStateException("as it was told");
    }
    return List.of(new ProducerRecord<>(answers, record.key(), record.value()));
  }
}
