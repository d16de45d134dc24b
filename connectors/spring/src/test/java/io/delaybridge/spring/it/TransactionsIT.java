package io.delaybridge.spring.it;

import static io.delaybridge.spring.it.Records.header;
import static io.delaybridge.spring.it.Records.text;
import static io.delaybridge.spring.it.Records.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delaybridge.client.Arrival;
import io.delaybridge.spring.DelayOperations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ContainerCustomizer;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Listeners and senders with Kafka transactions. */
@ExtendWith(WithBridge.class)
class TransactionsIT {

  private static final Duration SOON = Duration.ofMillis(500);

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Bills {

    final List<String> seen = new CopyOnWriteArrayList<>();
    private final KafkaTemplate<Object, Object> template;

    Bills(KafkaTemplate<Object, Object> template) {
      this.template = template;
    }

    @KafkaListener(topics = "tx.orders")
    void bill(ConsumerRecord<String, String> order) {
      int attempt = Arrival.consumerAttempt(order.headers());
      seen.add(order.value() + " " + attempt);
      // A record that is sent before the failure is rolled back with it.
      var sent = template.send("tx.invoices", order.key(), order.value() + " " + attempt);
      if (order.value().equals("poor") || (order.value().equals("slow") && attempt == 1)) {
        throw new IllegalStateException("not now: " + sent);
      }
    }
  }

  @Test
  void whatAListenerSentIsRolledBackAndTheRetryAndTheOffsetAreOneTransaction(Bridge bridge) {
    bridge.create("tx.orders", "tx.orders-dlt", "tx.invoices");
    for (String order : List.of("slow", "poor", "good")) {
      bridge.send(text("tx.orders", "k", order));
    }

    try (ConfigurableApplicationContext context =
        bridge.run(
            Bills.class,
            "spring.kafka.producer.transaction-id-prefix=bills-",
            "delay-bridge.retry.max-attempts=2")) {
      List<ConsumerRecord<byte[], byte[]>> dead = bridge.await("tx.orders-dlt", 1, each -> true);
      List<ConsumerRecord<byte[], byte[]>> invoices = bridge.await("tx.invoices", 2, each -> true);
      // Three orders and two retries, and the ends of the bridge's transactions.
      await().atMost(Bridge.LIMIT).until(() -> bridge.committed("Bills", "tx.orders") >= 5);

      assertThat(values(dead)).containsExactly("poor");
      assertThat(header(dead.get(0), "delay-consumer-attempt")).isNull();
      assertThat(values(invoices)).containsExactly("good 1", "slow 2");
      assertThat(context.getBean(Bills.class).seen)
          .containsExactlyInAnyOrder("slow 1", "poor 1", "good 1", "slow 2", "poor 2");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class BillsInBatches {

    final List<String> seen = new CopyOnWriteArrayList<>();

    @Bean
    ContainerCustomizer<Object, Object, ConcurrentMessageListenerContainer<Object, Object>>
        recoversBatches() {
      return container -> container.getContainerProperties().setBatchRecoverAfterRollback(true);
    }

    @KafkaListener(topics = "tx.batches", batch = "true")
    void bill(List<ConsumerRecord<String, String>> orders) {
      for (ConsumerRecord<String, String> order : orders) {
        int attempt = Arrival.consumerAttempt(order.headers());
        seen.add(order.value() + " " + attempt);
        if (attempt == 1) {
          throw new IllegalStateException("not now");
        }
      }
    }
  }

  @Test
  void aBatchInATransactionIsTriedAgainAsAWholeIfTheContainerIsToldTo(Bridge bridge) {
    bridge.create("tx.batches");
    for (String order : List.of("1", "2")) {
      bridge.send(text("tx.batches", "k", order));
    }

    try (ConfigurableApplicationContext context =
        bridge.run(BillsInBatches.class, "spring.kafka.producer.transaction-id-prefix=batches-")) {
      List<String> seen = context.getBean(BillsInBatches.class).seen;
      await().atMost(Bridge.LIMIT).until(() -> seen.containsAll(List.of("1 2", "2 2")));

      assertThat(seen.stream().filter("1 1"::equals)).hasSize(1);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Reminds {}

  @Test
  void whatIsSentLaterIsPartOfTheTransactionAndCanBeTakenBackAndReplaced(Bridge bridge) {
    bridge.create("reminders");
    try (ConfigurableApplicationContext context =
        bridge.run(Reminds.class, "spring.kafka.producer.transaction-id-prefix=reminds-")) {
      DelayOperations later = context.getBean(DelayOperations.class);
      TransactionTemplate transaction =
          new TransactionTemplate(context.getBean(KafkaTransactionManager.class));

      assertThatThrownBy(
              () ->
                  transaction.executeWithoutResult(
                      status -> {
                        later.after(SOON, "reminders", "rolled back").join();
                        throw new IllegalStateException("as it was told");
                      }))
          .hasMessage("as it was told");
      transaction.executeWithoutResult(
          status -> {
            later.after(SOON, "reminders", "a", "cancelled").join();
            later.after(SOON, "reminders", "b", "first").join();
            later.at(Instant.now().plus(SOON), "reminders", "c", "at").join();
            later.cancel("a").join();
            later.replace("b", SOON, "reminders", "second").join();
            // Due after the message that must not arrive, in its partition.
            later.after(SOON.multipliedBy(2), "reminders", "a", "last").join();
          });

      List<ConsumerRecord<byte[], byte[]>> arrived = bridge.await("reminders", 3, each -> true);
      assertThat(values(arrived)).containsExactlyInAnyOrder("at", "second", "last");
    }
  }
}
