package io.delaybridge.spring.it;

import static io.delaybridge.spring.it.Records.text;
import static org.awaitility.Awaitility.await;

import io.delaybridge.client.Backoff;
import io.delaybridge.client.RetryLater;
import io.delaybridge.spring.DelayBridgeRecoverer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.KafkaTemplate;

/** A container factory of the application's own, without the property. */
@ExtendWith(WithBridge.class)
class ByHandIT {

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {

    final List<String> seen = new CopyOnWriteArrayList<>();

    // snippet: factory
    @Bean
    static ConcurrentKafkaListenerContainerFactory<Object, Object> retrying(
        ConsumerFactory<Object, Object> consumers, KafkaTemplate<Object, Object> template) {
      DelayBridgeRecoverer recoverer =
          DelayBridgeRecoverer.with(
                  template,
                  RetryLater.with(new Backoff(3, Duration.ofMillis(200), Duration.ofMillis(200))))
              .finalFailures(List.of(NumberFormatException.class))
              .retryTopics(topic -> "by-hand.retry");
      var factory = new ConcurrentKafkaListenerContainerFactory<Object, Object>();
      factory.setConsumerFactory(consumers);
      factory.setCommonErrorHandler(recoverer.errorHandler());
      return factory;
    }

    // end

    @KafkaListener(
        topics = {"by-hand", "by-hand.retry"},
        containerFactory = "retrying")
    void handle(String order) {
      seen.add(order);
      if (seen.size() < 3) {
        throw new IllegalStateException("not now");
      }
    }
  }

  @Test
  void aContainerFactoryCanBeGivenARecovererByHand(Bridge bridge) {
    bridge.create("by-hand", "by-hand.retry");
    bridge.send(text("by-hand", "k", "1"));

    try (ConfigurableApplicationContext context =
        bridge.run(Application.class, "delay-bridge.retry.enabled=false")) {
      List<String> seen = context.getBean(Application.class).seen;

      await().atMost(Bridge.LIMIT).until(() -> seen.size() == 3);
    }
  }
}
