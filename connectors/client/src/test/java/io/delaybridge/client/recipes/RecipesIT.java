package io.delaybridge.client.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.client.Arrival;
import io.delaybridge.client.Backoff;
import io.delaybridge.client.DelayedRecords;
import io.delaybridge.client.RetryLater;
import io.delaybridge.client.RetryLoop;
import io.delaybridge.client.it.Bridge;
import io.delaybridge.client.it.WithBridge;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The code of docs/recipes does what they say. */
@ExtendWith(WithBridge.class)
class RecipesIT {

  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Duration LIMIT = Duration.ofSeconds(40);

  private static List<String> values(List<ConsumerRecord<String, String>> records) {
    return records.stream().map(ConsumerRecord::value).toList();
  }

  private static KafkaProducer<String, byte[]> producerOfBytes(Bridge bridge) {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", bridge.bootstrapServers()),
        new StringSerializer(),
        new ByteArraySerializer());
  }

  @Test
  void onlyAnOrderThatWasNotPaidIsReminded(Bridge bridge) {
    bridge.create("orders.placed", "orders.paid", "orders.unpaid");
    try (KafkaProducer<String, String> producer = bridge.producer("shop")) {
      OrderNotPaid shop = new OrderNotPaid(producer, SOON);
      shop.placed("1", "paid");
      shop.placed("2", "unpaid");
      shop.paid("1", "paid");
    }

    ConsumerRecord<String, String> reminder = bridge.await("orders.unpaid", 1).get(0);

    assertThat(reminder.key()).isEqualTo("2");
    assertThat(reminder.value()).isEqualTo("unpaid");
    assertThat(Arrivals.isStale(reminder)).isFalse();
    assertThat(values(bridge.await("orders.placed", 2))).containsExactly("paid", "unpaid");
    assertThat(values(bridge.await("orders.paid", 1))).containsExactly("paid");
    // The other one was due before, on another partition of the intake perhaps.
    remindOnceMore(bridge, "1");
    assertThat(values(bridge.await("orders.unpaid", 2))).containsExactly("unpaid", "last");
  }

  private static void remindOnceMore(Bridge bridge, String key) {
    try (KafkaProducer<String, String> producer = bridge.producer()) {
      Bridge.get(
          producer.send(
              DelayedRecords.to("orders.unpaid").after(Duration.ZERO).record(key, "last")));
    }
  }

  @Test
  void theReminderOfTheReadmeIsTakenBackWhereItIs() {
    try (MockProducer<String, String> producer =
        new MockProducer<>(true, null, new StringSerializer(), new StringSerializer())) {
      Reminder.schedule(producer, "json");
      Reminder.cancel(producer);
      Reminder.nightly(producer, "json");

      assertThat(producer.history())
          .extracting(ProducerRecord::key)
          .containsExactly("reminder-4711", "reminder-4711", "nightly-sales");
      assertThat(producer.history()).extracting(ProducerRecord::topic).containsOnly("delay-intake");
    }
  }

  @Test
  void aReminderMovesWithItsAppointmentAndIsCalledOffWithIt(Bridge bridge) {
    bridge.create("appointments.reminders");
    ZonedDateTime now = ZonedDateTime.now(ZoneOffset.UTC);
    ZonedDateTime tomorrow = now.plusDays(1).plusSeconds(3);
    ZonedDateTime later = now.plusDays(4);
    try (KafkaProducer<String, String> producer = bridge.producer()) {
      for (ProducerRecord<String, String> record :
          List.of(
              Appointment.remind("a", tomorrow, now, "a"),
              Appointment.remind("b", tomorrow, now, "b"),
              Appointment.remind("c", later, now, "c"),
              Appointment.calledOff("a"),
              Appointment.moved("c", tomorrow.plusSeconds(1), now, "c, earlier"))) {
        Bridge.get(producer.send(record));
      }
    }

    List<ConsumerRecord<String, String>> reminders = bridge.await("appointments.reminders", 2);

    assertThat(values(reminders)).containsExactlyInAnyOrder("b", "c, earlier");
    assertThat(reminders)
        .allSatisfy(
            record ->
                assertThat(Arrival.of(record).orElseThrow().dueAt())
                    .isBetween(
                        tomorrow.minusDays(1).toInstant(),
                        tomorrow.minusDays(1).plusSeconds(2).toInstant()));
  }

  @Test
  void aFailedOrderComesBackOnTheRetryTopicInALoopOfTheLibraryAndInOnesOwn(Bridge bridge)
      throws Exception {
    bridge.create("orders", "orders.billing.retry", "invoices");
    RetryLater later =
        RetryLater.with(new Backoff(4, Duration.ofMillis(200), Duration.ofMillis(200)))
            .hopeless(NumberFormatException.class)
            .retryTopic("orders.billing.retry");
    List<String> handled = new ArrayList<>();
    Billing billing =
        new Billing(
            later,
            order -> {
              handled.add(order.topic() + " " + order.value());
              Integer.parseInt(order.value());
              if (Arrival.consumerAttempt(order.headers()) == 1) {
                throw new IllegalStateException("not now");
              }
              return List.of(new ProducerRecord<>("invoices", order.key(), order.value()));
            });
    try (Producer<String, String> producer = bridge.producer()) {
      Bridge.get(producer.send(new ProducerRecord<>("orders", "k", "1")));
      Bridge.get(producer.send(new ProducerRecord<>("orders", "k", "one")));
    }

    try (Consumer<String, String> consumer = bridge.consumer("billing", "orders");
        Producer<String, String> producer = bridge.producer("billing")) {
      RetryLoop<String, String> loop = billing.loop(consumer, producer);
      await()
          .atMost(LIMIT)
          .pollInSameThread()
          .until(
              () -> {
                loop.turn(Duration.ofMillis(200));
                return handled.size() >= 3;
              });
    }
    assertThat(handled).containsExactly("orders 1", "orders one", "orders.billing.retry 1");

    try (Producer<String, String> producer = bridge.producer()) {
      Bridge.get(producer.send(new ProducerRecord<>("orders", "k", "2")));
    }
    try (Consumer<String, String> consumer =
            bridge.consumer("billing", "orders", "orders.billing.retry");
        Producer<String, String> producer = bridge.producer()) {
      await()
          .atMost(LIMIT)
          .pollInSameThread()
          .until(
              () -> {
                billing.turn(consumer, producer);
                return handled.size() >= 5;
              });
    }
    assertThat(handled.subList(3, 5)).containsExactly("orders 2", "orders.billing.retry 2");
    assertThat(values(bridge.await("invoices", 2))).containsExactly("1", "2");
  }

  @Test
  void thePolicyOfTheRecipeKnowsWhatIsHopeless() {
    ConsumerRecord<String, String> order = new ConsumerRecord<>("orders", 0, 1, "k", "v");

    assertThat(Policies.billing().verdict(order, new NumberFormatException()).record().topic())
        .isEqualTo("delay-deadletter");
    assertThat(Policies.billing().verdict(order, new IllegalStateException()).record().topic())
        .isEqualTo("delay-intake");
  }

  @Test
  void whatWasADelayedExchangeIsATopic(Bridge bridge) {
    bridge.create("rabbit.queue");
    try (KafkaProducer<String, byte[]> producer = producerOfBytes(bridge)) {
      Bridge.get(
          producer.send(FromRabbitMq.publish("rabbit.queue", "k", 1_500, "body".getBytes(UTF_8))));
    }

    ConsumerRecord<String, String> arrived = bridge.await("rabbit.queue", 1).get(0);

    assertThat(arrived.key()).isEqualTo("k");
    assertThat(arrived.value()).isEqualTo("body");
  }

  @Test
  void whatWasAJobOfLmstfyIsARequest(Bridge bridge) {
    bridge.create("lmstfy.queue");
    byte[] data = "data".getBytes(UTF_8);
    try (KafkaProducer<String, byte[]> producer = producerOfBytes(bridge)) {
      for (ProducerRecord<String, byte[]> record :
          List.of(
              FromLmstfy.publish("lmstfy.queue", "job-1", 2, 0, data),
              FromLmstfy.publish("lmstfy.queue", "job-2", 2, 60, data),
              FromLmstfy.delete("job-1"),
              // Due after what must not arrive, in the same partition.
              DelayedRecords.to("lmstfy.queue")
                  .after(Duration.ofSeconds(3))
                  .record("job-1", data))) {
        Bridge.get(producer.send(record));
      }
    }

    assertThat(bridge.await("lmstfy.queue", 2))
        .extracting(ConsumerRecord::key)
        .containsExactly("job-2", "job-1");
  }

  @Test
  void triesOfLmstfyAreAttemptsOfTheConsumer() {
    ConsumerRecord<String, String> job = new ConsumerRecord<>("lmstfy.queue", 0, 1, "k", "v");

    assertThat(FromLmstfy.tries(1, 120).verdict(job, new IllegalStateException()).record().topic())
        .isEqualTo("delay-deadletter");
    assertThat(FromLmstfy.tries(2, 120).verdict(job, new IllegalStateException()).record().topic())
        .isEqualTo("delay-intake");
  }

  @Test
  void whatWaitsOnAnOldRetryTopicIsDueWhenItWouldHaveBeen(Bridge bridge) {
    bridge.create("old", "old.retry");
    long written = Instant.now().toEpochMilli();
    byte[] key = "k".getBytes(UTF_8);
    byte[] value = "v".getBytes(UTF_8);
    ConsumerRecord<byte[], byte[]> waiting =
        new ConsumerRecord<>(
            "old.retry",
            0,
            0,
            written,
            TimestampType.CREATE_TIME,
            1,
            1,
            key,
            value,
            new RecordHeaders()
                .add("trace", "1".getBytes(UTF_8))
                .add("delay-id", "k".getBytes(UTF_8)),
            Optional.empty());
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bridge.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      Bridge.get(producer.send(FromRetryTopics.drain(waiting, SOON, "old")));
    }

    ConsumerRecord<String, String> arrived = bridge.await("old", 1).get(0);

    assertThat(Arrival.of(arrived).orElseThrow().dueAt())
        .isEqualTo(Instant.ofEpochMilli(written).plus(SOON));
    assertThat(arrived.headers().lastHeader("trace").value()).isEqualTo("1".getBytes(UTF_8));
    assertThat(arrived.headers().lastHeader("delay-id")).isNull();
  }

  @Test
  void aNightlyJobComesForItsNightUntilItIsStopped(Bridge bridge) {
    bridge.create("reports.due");
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    NightlyJob everySecond = new NightlyJob("* * * * * *");
    try (KafkaProducer<String, String> producer = bridge.producer()) {
      LocalDate before = LocalDate.now(berlin);
      Bridge.get(producer.send(everySecond.nightly("sales")));
      List<ConsumerRecord<String, String>> due = bridge.await("reports.due", 2);
      LocalDate after = LocalDate.now(berlin);
      assertThat(values(due)).containsOnly("sales");
      assertThat(due)
          .allSatisfy(job -> assertThat(NightlyJob.night(job)).get().isIn(before, after));

      Bridge.get(producer.send(NightlyJob.stop("sales")));
      // The bridge has read it before this, and what is due later comes later.
      Duration now = Duration.ZERO;
      Bridge.get(
          producer.send(
              DelayedRecords.to("reports.due").after(now).record("nightly-sales", "stopped")));
      bridge.await("reports.due", 1, record -> record.value().equals("stopped"));
      Bridge.get(
          producer.send(
              DelayedRecords.to("reports.due").after(SOON).record("nightly-sales", "last")));
    }
    bridge.await("reports.due", 1, record -> record.value().equals("last"));
    List<String> all = values(bridge.await("reports.due", 4));
    assertThat(all.subList(all.indexOf("stopped"), all.size())).containsExactly("stopped", "last");
  }

  @Test
  void aDeviceThatIsSilentIsReportedAgainAndAgainUntilSomebodyAnswers(Bridge bridge) {
    bridge.create("devices.silent");
    DeadMansSwitch devices = new DeadMansSwitch(SOON, Duration.ofSeconds(1));
    try (KafkaProducer<String, String> producer = bridge.producer()) {
      Bridge.get(producer.send(devices.alive("pump")));
      Bridge.get(producer.send(devices.alive("fan")));
      Bridge.get(producer.send(DeadMansSwitch.answered("fan")));
      List<ConsumerRecord<String, String>> alarms = bridge.await("devices.silent", 2);
      assertThat(values(alarms)).containsOnly("pump");
      assertThat(alarms.subList(0, 2)).extracting(DeadMansSwitch::level).containsExactly(1L, 2L);

      Bridge.get(producer.send(devices.alive("pump")));
      ConsumerRecord<String, String> anew =
          bridge.await("devices.silent", 2, alarm -> DeadMansSwitch.level(alarm) == 1).get(1);
      assertThat(anew.value()).isEqualTo("pump");
      Bridge.get(producer.send(DeadMansSwitch.answered("pump")));
    }
  }

  @Test
  void whatWasACronTriggerIsARequestThatRepeats(Bridge bridge) {
    bridge.create("quartz.job");
    try (KafkaProducer<String, String> producer = bridge.producer()) {
      Bridge.get(
          producer.send(
              FromSchedulers.cron(
                  "quartz.job", "* * * * * SUN-SAT", ZoneId.of("Europe/Berlin"), "data")));
      assertThat(bridge.await("quartz.job", 2))
          .extracting(job -> Arrival.of(job).orElseThrow().schedule())
          .containsOnly("trigger-quartz.job");
      Bridge.get(producer.send(DelayedRecords.cancel("trigger-quartz.job").record()));
    }
  }

  @Test
  void whatWasAJobSchedulerOfBullMqIsARequestThatRepeats(Bridge bridge) {
    bridge.create("bullmq.queue");
    try (KafkaProducer<String, String> producer = bridge.producer()) {
      Bridge.get(producer.send(FromSchedulers.every("bullmq.queue", "poll", 1_000, 2, "data")));
      bridge.await("bullmq.queue", 2);
      // A third one would be due before it.
      Bridge.get(
          producer.send(DelayedRecords.to("bullmq.queue").after(SOON).record("poll", "last")));
    }

    assertThat(values(bridge.await("bullmq.queue", 3))).containsExactly("data", "data", "last");
  }

  @Test
  void whatHadAFixedDelayAsksForTheNextOneItself(Bridge bridge) {
    bridge.create("fixed.delay");
    try (KafkaProducer<String, String> producer = bridge.producer()) {
      Bridge.get(producer.send(new ProducerRecord<>("fixed.delay", "k", "work")));
      ConsumerRecord<String, String> first = bridge.await("fixed.delay", 1).get(0);
      Bridge.get(producer.send(FromSchedulers.fixedDelay(first, SOON)));
    }

    ConsumerRecord<String, String> second = bridge.await("fixed.delay", 2).get(1);
    assertThat(second.key()).isEqualTo("next-fixed.delay");
    assertThat(second.value()).isEqualTo("work");
  }
}
