package io.delaybridge.client.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.client.Arrival;
import io.delaybridge.client.DelayedRecords;
import io.delaybridge.client.Missed;
import io.delaybridge.client.Source;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.AppInfoParser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Schedule, repeat, cancel and replace, with and without transactions. To show that a message does
 * not arrive, the tests wait for one with the same key that is due later: their order is promised.
 */
@ExtendWith(WithBridge.class)
@SuppressWarnings("FutureReturnValueIgnored") // A commit checks them, and what arrives.
class DelayedRecordsIT {

  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Duration LATER = Duration.ofSeconds(3);

  private Bridge bridge;
  private String target;

  @BeforeEach
  void createTarget(Bridge shared, TestInfo test) {
    bridge = shared;
    target = test.getTestMethod().orElseThrow().getName();
    bridge.create(target);
  }

  private List<String> arrivedBefore(String last) {
    List<ConsumerRecord<String, String>> all = bridge.await(target, 1, r -> last.equals(r.value()));
    assertThat(all).hasSize(1);
    return bridge.await(target, 1).stream().map(ConsumerRecord::value).toList();
  }

  @Test
  void theBrokerIsAskedWithTheVersionThatTheTestsSay() {
    assertThat(AppInfoParser.getVersion()).isEqualTo(System.getProperty("kafka.clients"));
  }

  @Test
  void whatArrivesTellsWhereItCameFromAndHowLateItIs() {
    RecordMetadata sent;
    try (KafkaProducer<String, String> producer = bridge.producer()) {
      sent = Bridge.get(producer.send(DelayedRecords.to(target).after(SOON).id("a-1").record("v")));
    }

    ConsumerRecord<String, String> record = bridge.await(target, 1).get(0);
    Arrival arrival = Arrival.of(record).orElseThrow();

    assertThat(record.key()).isEqualTo("a-1");
    assertThat(record.value()).isEqualTo("v");
    assertThat(arrival.source())
        .hasToString(sent.topic() + "/" + sent.partition() + "/" + sent.offset());
    assertThat(arrival.dueAt()).isEqualTo(Instant.ofEpochMilli(sent.timestamp()).plus(SOON));
    assertThat(arrival.lateness()).isGreaterThanOrEqualTo(Duration.ZERO);
    assertThat(arrival.attempt()).isEqualTo(1);
    assertThat(arrival.consumerAttempt()).isEqualTo(1);
    assertThat(arrival.id()).isEqualTo("a-1");
  }

  @Test
  void anInstantIsKeptWithAnySerializer() {
    Instant due = Instant.ofEpochMilli(System.currentTimeMillis()).plus(SOON);
    Map<String, Object> config = Map.of("bootstrap.servers", bridge.bootstrapServers());
    try (var producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      byte[] key = {1, 2};
      Bridge.get(
          producer.send(
              DelayedRecords.to(target)
                  .at(due)
                  .ttl(Duration.ofMinutes(1))
                  .maxAttempts(2)
                  .record(key, new byte[] {'v'})));
    }

    ConsumerRecord<String, String> record = bridge.await(target, 1).get(0);

    assertThat(record.key()).isEqualTo("\u0001\u0002");
    assertThat(Arrival.of(record).orElseThrow().dueAt()).isEqualTo(due);
  }

  @Test
  void aMessageIsDelayedIfAndOnlyIfTheTransactionIsCommitted() {
    try (KafkaProducer<String, String> producer = bridge.producer(target)) {
      producer.beginTransaction();
      producer.send(DelayedRecords.to(target).after(SOON).record("k", "aborted"));
      producer.flush();
      producer.abortTransaction();

      producer.beginTransaction();
      producer.send(DelayedRecords.to(target).after(LATER).record("k", "committed"));
      producer.commitTransaction();
    }

    assertThat(arrivedBefore("committed")).containsExactly("committed");
  }

  @Test
  void aCancelCountsIfAndOnlyIfTheTransactionIsCommitted() {
    try (KafkaProducer<String, String> producer = bridge.producer(target)) {
      producer.beginTransaction();
      for (String id : List.of("taken back", "kept")) {
        producer.send(DelayedRecords.to(target).after(SOON).id(id).record("k", id));
      }
      producer.send(DelayedRecords.to(target).after(LATER).record("k", "last"));
      producer.commitTransaction();

      producer.beginTransaction();
      producer.send(DelayedRecords.cancel("taken back").record("k"));
      producer.commitTransaction();

      producer.beginTransaction();
      producer.send(DelayedRecords.cancel("kept").record("k"));
      producer.flush();
      producer.abortTransaction();
    }

    assertThat(arrivedBefore("last")).containsExactly("kept", "last");
  }

  @Test
  void aReplacementCountsIfAndOnlyIfTheTransactionIsCommitted() {
    try (KafkaProducer<String, String> producer = bridge.producer(target)) {
      producer.beginTransaction();
      producer.send(DelayedRecords.to(target).after(SOON).id("x").record("k", "first"));
      producer.commitTransaction();

      producer.beginTransaction();
      producer.send(DelayedRecords.replace("x").to(target).after(SOON).record("k", "second"));
      producer.commitTransaction();

      producer.beginTransaction();
      producer.send(DelayedRecords.replace("x").to(target).after(SOON).record("k", "third"));
      producer.flush();
      producer.abortTransaction();

      producer.beginTransaction();
      producer.send(DelayedRecords.to(target).after(LATER).record("k", "last"));
      producer.commitTransaction();
    }

    assertThat(arrivedBefore("last")).containsExactly("second", "last");
  }

  @Test
  void withoutAKeyScheduleAndCancelMeetInOnePartition() {
    try (KafkaProducer<String, String> producer = bridge.producer()) {
      for (int i = 0; i < 20; i++) {
        producer.send(DelayedRecords.to(target).after(SOON).id("id-" + i).record("cancelled"));
        producer.send(DelayedRecords.cancel("id-" + i).record());
        producer.send(DelayedRecords.to(target).after(LATER).record("id-" + i, "last"));
      }
    }

    assertThat(bridge.await(target, 20)).extracting(ConsumerRecord::value).containsOnly("last");
  }

  @Test
  void whatRepeatsArrivesAsOftenAsItSaysEachForItsInstant() {
    Instant first = Instant.ofEpochMilli(System.currentTimeMillis()).plus(SOON);
    RecordMetadata sent;
    try (KafkaProducer<String, String> producer = bridge.producer()) {
      sent =
          Bridge.get(
              producer.send(
                  DelayedRecords.to(target)
                      .at(first)
                      .every(Duration.ofSeconds(1))
                      .count(3)
                      .missed(Missed.ALL)
                      .id("r")
                      .record("k", "v")));
      bridge.await(target, 3);
      // A fourth one would be due before it.
      Bridge.get(producer.send(DelayedRecords.to(target).after(SOON).record("k", "last")));
    }

    assertThat(arrivedBefore("last")).containsExactly("v", "v", "v", "last");
    List<Arrival> arrivals =
        bridge.await(target, 3, record -> "v".equals(record.value())).stream()
            .map(record -> Arrival.of(record).orElseThrow())
            .toList();
    assertThat(arrivals).extracting(Arrival::schedule).containsOnly("r");
    assertThat(arrivals).extracting(Arrival::id).containsOnlyNulls();
    assertThat(arrivals).extracting(Arrival::occurrence).containsExactly(1L, 2L, 3L);
    assertThat(arrivals)
        .extracting(Arrival::scheduledAt)
        .containsExactly(first, first.plusSeconds(1), first.plusSeconds(2));
    assertThat(arrivals)
        .extracting(Arrival::source)
        .containsOnly(new Source(sent.topic(), sent.partition(), sent.offset()));
  }

  @Test
  void anExpressionAloneBeginsWithItsNextMatchAndEndsWithACancel() {
    try (KafkaProducer<String, String> producer = bridge.producer()) {
      Bridge.get(
          producer.send(
              DelayedRecords.to(target)
                  .cron("* * * * * *", ZoneId.of("Europe/Berlin"))
                  .id("tick")
                  .record("v")));
      List<ConsumerRecord<String, String>> ticks = bridge.await(target, 2);
      assertThat(ticks)
          .allSatisfy(
              tick ->
                  assertThat(Arrival.of(tick).orElseThrow().scheduledAt())
                      .matches(instant -> instant != null && instant.toEpochMilli() % 1_000 == 0));

      Bridge.get(producer.send(DelayedRecords.cancel("tick").record()));
      // There are no more occurrences once the cancel is read, and this message is read after it.
      Bridge.get(
          producer.send(
              DelayedRecords.to(target).after(Duration.ZERO).record("tick", "cancelled")));
      bridge.await(target, 1, record -> "cancelled".equals(record.value()));
      Bridge.get(producer.send(DelayedRecords.to(target).after(LATER).record("tick", "last")));
    }

    List<String> all = arrivedBefore("last");
    assertThat(all.subList(all.indexOf("cancelled"), all.size()))
        .containsExactly("cancelled", "last");
  }
}
