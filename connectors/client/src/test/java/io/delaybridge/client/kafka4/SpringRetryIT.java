package io.delaybridge.client.kafka4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.client.Arrival;
import io.delaybridge.client.Backoff;
import io.delaybridge.client.RetryLater;
import io.delaybridge.client.it.Bridge;
import io.delaybridge.client.it.WithBridge;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.listener.MessageListener;

@Tag("one-version")
@ExtendWith(WithBridge.class)
class SpringRetryIT {

  private static final Duration LIMIT = Duration.ofSeconds(40);

  @Test
  void aListenerThatFailsGetsItsRecordBackAndInTheEndItIsADeadLetter(Bridge bridge) {
    bridge.create("spring.orders");
    List<String> handled = new CopyOnWriteArrayList<>();
    DefaultKafkaProducerFactory<Object, Object> producers =
        new DefaultKafkaProducerFactory<>(
            Map.of(
                "bootstrap.servers", bridge.bootstrapServers(),
                "key.serializer", StringSerializer.class,
                "value.serializer", StringSerializer.class));
    KafkaTemplate<Object, Object> template = new KafkaTemplate<>(producers);
    KafkaMessageListenerContainer<String, String> container =
        new KafkaMessageListenerContainer<>(
            new DefaultKafkaConsumerFactory<>(
                Map.of(
                    "bootstrap.servers",
                    bridge.bootstrapServers(),
                    "group.id",
                    "spring",
                    "auto.offset.reset",
                    "earliest",
                    "isolation.level",
                    "read_committed",
                    "key.deserializer",
                    StringDeserializer.class,
                    "value.deserializer",
                    StringDeserializer.class)),
            properties(handled));
    container.setCommonErrorHandler(
        SpringRetry.errorHandler(
            template,
            RetryLater.with(new Backoff(2, Duration.ofMillis(200), Duration.ofMillis(200)))
                .hopeless(NumberFormatException.class)));

    container.start();
    try {
      for (String value : List.of("1", "2", "two")) {
        template.send(new ProducerRecord<>("spring.orders", "k", value)).join();
      }
      await().atMost(LIMIT).until(() -> handled.contains("2 attempt 2"));
    } finally {
      container.stop();
      producers.destroy();
    }

    assertThat(handled)
        .containsExactly("1 attempt 1", "2 attempt 1", "two attempt 1", "2 attempt 2");
    assertThat(bridge.await("delay-deadletter", 2, SpringRetryIT::isOurs))
        .extracting(ConsumerRecord::value)
        .containsExactlyInAnyOrder("two", "2");
  }

  private static ContainerProperties properties(List<String> handled) {
    ContainerProperties properties = new ContainerProperties("spring.orders");
    properties.setMessageListener(
        (MessageListener<String, String>)
            record -> {
              handled.add(record.value() + " attempt " + Arrival.consumerAttempt(record.headers()));
              if (Integer.parseInt(record.value()) > 1) {
                throw new IllegalStateException("as it was told");
              }
            });
    return properties;
  }

  private static boolean isOurs(ConsumerRecord<?, ?> record) {
    var target = record.headers().lastHeader("delay-target-topic");
    return target != null
        && "spring.orders".equals(new String(target.value(), StandardCharsets.UTF_8));
  }
}
