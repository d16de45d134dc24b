package io.delaybridge.spring.example;

import io.delaybridge.client.Arrival;
import io.delaybridge.spring.DelayOperations;
import java.time.Duration;
import org.apache.kafka.clients.admin.NewTopic;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaAdmin.NewTopics;
import org.springframework.kafka.core.KafkaTemplate;

/** Three orders: one that is shipped at the third attempt, one that is none, one that is not paid. */
@SpringBootApplication
public class Shop {

  private static final Logger LOG = LoggerFactory.getLogger(Shop.class);

  private final KafkaTemplate<Object, Object> template;
  private final DelayOperations later;

  Shop(KafkaTemplate<Object, Object> template, DelayOperations later) {
    this.template = template;
    this.later = later;
  }

  /** Runs until it is stopped. */
  public static void main(String[] arguments) {
    SpringApplication.run(Shop.class, arguments);
  }

  @Bean
  NewTopics topics() {
    return new NewTopics(
        new NewTopic("shop.orders", 1, (short) 1),
        new NewTopic("shop.orders-dlt", 1, (short) 1),
        new NewTopic("shop.shipped", 1, (short) 1),
        new NewTopic("shop.reminders", 1, (short) 1));
  }

  @Bean
  ApplicationRunner orders() {
    return arguments -> {
      template.send("shop.orders", "customer-1", "4711").join();
      template.send("shop.orders", "customer-1", "no number").join();
      placed("4712");
      placed("4713");
      paid("4713");
    };
  }

  // snippet: reminder
  void placed(String order) {
    later.after(Duration.ofSeconds(5), "shop.reminders", "order-" + order, order).join();
  }

  void paid(String order) {
    later.cancel("order-" + order).join();
  }

  // end

  // snippet: listener
  @KafkaListener(topics = "shop.orders")
  void ship(String order, @Nullable Arrival arrival) {
    int attempt = arrival == null ? 1 : arrival.consumerAttempt();
    LOG.info("Order {}, attempt {}", order, attempt);
    int number = Integer.parseInt(order);
    if (attempt < 3) {
      throw new IllegalStateException("The warehouse does not answer");
    }
    template.send("shop.shipped", String.valueOf(number), order).join();
    LOG.info("Order {} is shipped", order);
  }

  // end

  @KafkaListener(topics = "shop.orders-dlt")
  void lost(String order) {
    LOG.info("Order {} is given up", order);
  }

  @KafkaListener(topics = "shop.reminders")
  void remind(String order) {
    LOG.info("Order {} is not paid", order);
  }
}
