package io.delaybridge.spring.it;

import static io.delaybridge.spring.it.Records.header;
import static io.delaybridge.spring.it.Records.noise;
import static io.delaybridge.spring.it.Records.text;
import static io.delaybridge.spring.it.Records.values;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.client.Arrival;
import io.delaybridge.client.RetryAfter;
import java.io.Serial;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.support.serializer.ErrorHandlingDeserializer;

/** Listeners of containers without transactions. */
@ExtendWith(WithBridge.class)
class RetryIT {

  private static final String BYTES = "org.apache.kafka.common.serialization.ByteArrayDeserializer";

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class ReadsBytes {

    final List<ConsumerRecord<byte[], byte[]>> seen = new CopyOnWriteArrayList<>();

    @KafkaListener(topics = "bytes.orders")
    void handle(ConsumerRecord<byte[], byte[]> order) {
      seen.add(order);
      if (seen.size() < 3) {
        throw new IllegalStateException("not now");
      }
    }
  }

  @Test
  void whatAListenerFailedOnComesBackByteForByteWithItsHeaders(Bridge bridge) {
    bridge.create("bytes.orders");
    ProducerRecord<byte[], byte[]> order =
        new ProducerRecord<>("bytes.orders", new byte[] {0, -1}, new byte[] {-128, 10, 0, -1});
    order.headers().add("trace", new byte[] {-2}).add("trace", null).add("a", new byte[0]);
    bridge.send(order);

    // Its producers write texts; bytes go out as bytes nevertheless.
    try (ConfigurableApplicationContext context =
        bridge.run(
            ReadsBytes.class,
            "spring.kafka.consumer.key-deserializer=" + BYTES,
            "spring.kafka.consumer.value-deserializer=" + BYTES)) {
      List<ConsumerRecord<byte[], byte[]>> seen = context.getBean(ReadsBytes.class).seen;
      await().atMost(Bridge.LIMIT).until(() -> seen.size() == 3);

      assertThat(seen)
          .allSatisfy(
              each -> {
                assertThat(each.key()).isEqualTo(order.key());
                assertThat(each.value()).isEqualTo(order.value());
                assertThat(Records.own(each)).containsExactlyElementsOf(order.headers());
              });
      assertThat(seen)
          .extracting(each -> Arrival.consumerAttempt(each.headers()))
          .containsExactly(1, 2, 3);
      assertThat(Arrival.of(seen.get(2)).orElseThrow().firstFailed())
          .hasToString("bytes.orders/0/0");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class GivesUp {

    final List<String> seen = new CopyOnWriteArrayList<>();

    @KafkaListener(topics = "orders")
    void handle(String order, @Nullable Arrival arrival) {
      seen.add(order + " " + (arrival == null ? 1 : arrival.consumerAttempt()));
      if (order.equals("hopeless")) {
        throw new IllegalStateException(new NumberFormatException("not a number"));
      }
      if (order.equals("poor")) {
        throw new IllegalStateException("not now");
      }
    }
  }

  @Test
  void afterTheLastAttemptAndAtOnceIfItIsFinalARecordIsADeadLetterAsSpringWritesThem(
      Bridge bridge) {
    bridge.create("orders", "orders-dlt");
    for (String order : List.of("poor", "hopeless", "good")) {
      bridge.send(text("orders", "k", order));
    }

    try (ConfigurableApplicationContext context =
        bridge.run(
            GivesUp.class,
            "delay-bridge.retry.max-attempts=2",
            "delay-bridge.retry.final-failures=java.lang.NumberFormatException")) {
      List<ConsumerRecord<byte[], byte[]>> dead = bridge.await("orders-dlt", 2, each -> true);

      assertThat(values(dead)).containsExactly("hopeless", "poor");
      assertThat(dead)
          .extracting(each -> header(each, "kafka_dlt-original-topic"))
          .containsExactly("orders", "orders");
      assertThat(context.getBean(GivesUp.class).seen)
          .containsExactlyInAnyOrder("poor 1", "hopeless 1", "good 1", "poor 2");
    }
  }

  static final class Busy extends RuntimeException implements RetryAfter {
    @Serial private static final long serialVersionUID = 1;

    @Override
    public Duration retryAfter() {
      return Duration.ofMillis(300);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class IsAdvised {

    final List<String> seen = new CopyOnWriteArrayList<>();

    @KafkaListener(topics = "advised")
    void handle(String order) {
      seen.add(order);
      if (seen.size() == 1) {
        throw new Busy();
      }
    }
  }

  @Test
  void aFailureThatKnowsWhenIsTriedThen(Bridge bridge) {
    bridge.create("advised");
    bridge.send(text("advised", "k", "1"));

    try (ConfigurableApplicationContext context =
        bridge.run(
            IsAdvised.class,
            "delay-bridge.retry.first-delay=1h",
            "delay-bridge.retry.longest-delay=1h")) {
      List<String> seen = context.getBean(IsAdvised.class).seen;

      await().atMost(Bridge.LIMIT).until(() -> seen.size() == 2);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class ReadsBatches {

    final List<String> seen = new CopyOnWriteArrayList<>();

    @KafkaListener(topics = "batches", batch = "true")
    void handle(List<ConsumerRecord<String, String>> orders) {
      for (ConsumerRecord<String, String> order : orders) {
        int attempt = Arrival.consumerAttempt(order.headers());
        seen.add(order.value() + " " + attempt);
        if (order.value().equals("2") && attempt == 1) {
          throw new BatchListenerFailedException(
              "not now", new IllegalStateException("not now"), order);
        }
      }
    }
  }

  @Test
  void ofABatchOnlyTheRecordThatFailedIsTriedAgain(Bridge bridge) {
    bridge.create("batches");
    for (String order : List.of("1", "2", "3")) {
      bridge.send(text("batches", "k", order));
    }

    try (ConfigurableApplicationContext context = bridge.run(ReadsBatches.class)) {
      List<String> seen = context.getBean(ReadsBatches.class).seen;
      await().atMost(Bridge.LIMIT).until(() -> seen.contains("2 2"));
      await().atMost(Bridge.LIMIT).until(() -> bridge.committed("ReadsBatches", "batches") >= 4);

      assertThat(seen).containsExactlyInAnyOrder("1 1", "2 1", "3 1", "2 2");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class HasItsOwnTopic {

    final List<String> failing = new CopyOnWriteArrayList<>();
    final List<String> other = new CopyOnWriteArrayList<>();

    @KafkaListener(
        topics = {"shared", "shared.billing.retry"},
        groupId = "billing")
    void bill(ConsumerRecord<String, String> order) {
      failing.add(order.topic() + " " + order.value());
      if (failing.size() < 3) {
        throw new IllegalStateException("not now");
      }
    }

    @KafkaListener(topics = "shared", groupId = "shipping")
    void ship(String order) {
      other.add(order);
    }
  }

  @Test
  void withATopicOfItsOwnTheOtherGroupsDoNotSeeTheRetry(Bridge bridge) {
    bridge.create("shared", "shared.billing.retry");
    bridge.send(text("shared", "k", "1"));

    try (ConfigurableApplicationContext context =
        bridge.run(HasItsOwnTopic.class, "delay-bridge.retry.topic-suffix=.billing.retry")) {
      HasItsOwnTopic application = context.getBean(HasItsOwnTopic.class);
      await().atMost(Bridge.LIMIT).until(() -> application.failing.size() == 3);
      bridge.send(text("shared", "k", "last"));
      await().atMost(Bridge.LIMIT).until(() -> application.other.contains("last"));

      assertThat(application.failing)
          .startsWith("shared 1", "shared.billing.retry 1", "shared.billing.retry 1");
      assertThat(application.other).containsExactly("1", "last");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class FailsAlways {

    final List<ConsumerRecord<String, String>> seen = new CopyOnWriteArrayList<>();

    @KafkaListener(topics = "refused.orders")
    void handle(ConsumerRecord<String, String> order) {
      seen.add(order);
      throw new IllegalStateException("not now");
    }
  }

  /** The intake takes the record only later; no bridge reads it. */
  @Test
  void aRetryThatKafkaRefusesIsNotLostThoughTheApplicationAwaitsNoAnswers(Bridge bridge) {
    bridge.create("refused.orders", 1, 1_000_000);
    bridge.create("refused.intake", 1, 500);
    bridge.send(text("refused.orders", "k", noise(2_000)));

    try (ConfigurableApplicationContext context =
        bridge.run(
            FailsAlways.class,
            "delay-bridge.intake=refused.intake",
            "spring.kafka.producer.acks=0")) {
      List<ConsumerRecord<String, String>> seen = context.getBean(FailsAlways.class).seen;
      await().atMost(Bridge.LIMIT).until(() -> seen.size() >= 2);
      assertThat(seen).extracting(ConsumerRecord::offset).containsOnly(0L);
      assertThat(bridge.committed("FailsAlways", "refused.orders")).isZero();

      bridge.take("refused.intake", 1_000_000);

      assertThat(bridge.await("refused.intake", 1, each -> true))
          .extracting(each -> header(each, "delay-consumer-source"))
          .containsExactly("refused.orders/0/0");
      await()
          .atMost(Bridge.LIMIT)
          .until(() -> bridge.committed("FailsAlways", "refused.orders") == 1);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class IsInPartitions {

    final List<ConsumerRecord<String, String>> seen = new CopyOnWriteArrayList<>();

    @KafkaListener(topics = "parted.orders")
    void handle(ConsumerRecord<String, String> order) {
      seen.add(order);
      if (seen.size() < 3) {
        throw new IllegalStateException("not now");
      }
    }
  }

  /** Its key would send it to partition 1. */
  @Test
  void everyAttemptIsInThePartitionAndHasTheTimestampOfTheFirst(Bridge bridge) {
    bridge.create("parted.orders", 3, 1_000_000);
    long written = System.currentTimeMillis() - 1_000_000;
    bridge.send(
        new ProducerRecord<>(
            "parted.orders", 2, written, "key".getBytes(UTF_8), "order".getBytes(UTF_8)));

    try (ConfigurableApplicationContext context = bridge.run(IsInPartitions.class)) {
      List<ConsumerRecord<String, String>> seen = context.getBean(IsInPartitions.class).seen;
      await().atMost(Bridge.LIMIT).until(() -> seen.size() == 3);

      assertThat(seen).extracting(ConsumerRecord::partition).containsExactly(2, 2, 2);
      assertThat(seen).extracting(Arrival::originalTimestamp).containsOnly(written);
      assertThat(seen.get(2).timestamp()).isGreaterThan(written);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class CanNotRead {

    @KafkaListener(topics = "numbers")
    void handle(Integer number) {
      throw new AssertionError("There is no number to read: " + number);
    }
  }

  @Test
  void aValueThatCanNotBeReadIsADeadLetterOfTheBridgeWithItsBytes(Bridge bridge) {
    bridge.create("numbers");
    bridge.send(text("numbers", "k", "seven"));

    try (ConfigurableApplicationContext context =
        bridge.run(
            CanNotRead.class,
            "spring.kafka.consumer.value-deserializer=" + ErrorHandlingDeserializer.class.getName(),
            "spring.kafka.consumer.properties[spring.deserializer.value.delegate.class]="
                + IntegerDeserializer.class.getName(),
            "delay-bridge.retry.dead-letter-topic=delay-deadletter")) {
      ConsumerRecord<byte[], byte[]> dead =
          bridge
              .await(
                  "delay-deadletter",
                  1,
                  each -> "numbers".equals(header(each, "delay-target-topic")))
              .get(0);

      assertThat(context.isRunning()).isTrue();
      assertThat(new String(dead.value(), UTF_8)).isEqualTo("seven");
      assertThat(header(dead, "delay-dead-reason")).isEqualTo("CONSUMER_REJECTED");
      assertThat(Records.own(dead)).isEmpty();
    }
  }
}
