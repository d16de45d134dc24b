package io.delaybridge.spring.it;

import static io.delaybridge.spring.it.Records.text;
import static org.awaitility.Awaitility.await;

import io.delaybridge.client.Arrival;
import io.delaybridge.client.RetryAfter;
import java.io.Serial;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.EnableKafkaRetryTopic;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.retrytopic.RetryTopicConfiguration;
import org.springframework.kafka.retrytopic.RetryTopicConfigurationBuilder;
import org.springframework.kafka.retrytopic.RetryTopicHeaders;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Compares the lateness of the second attempt of a record between the bridge and
 * {@code @RetryableTopic}. At 500 records a second, each tenth fails once, and is due a second
 * later. The name keeps it out of the build; docs/recipes/from-retry-topics.md has the command.
 */
@ExtendWith(WithBridge.class)
class RetryTopicsComparison {

  private static final int A_SECOND = 500;
  private static final int FAILS = 10;
  // No multiple of FAILS: each key has records that fail, and others that pass them.
  private static final int KEYS = 47;
  private static final int WARM_UP = 10 * A_SECOND;
  private static final int ALL = WARM_UP + 30 * A_SECOND;
  private static final int ROUNDS = 2;

  /** Asks for a pause of a second without the bridge's usual spread of a fifth. */
  static final class NotNow extends RuntimeException implements RetryAfter {
    @Serial private static final long serialVersionUID = 1;

    @Override
    public Duration retryAfter() {
      return Duration.ofSeconds(1);
    }
  }

  /** Fails on the first attempt of each tenth record. */
  abstract static class Listener {

    final ConcurrentLinkedQueue<Long> late = new ConcurrentLinkedQueue<>();
    final Map<Integer, Boolean> done = new ConcurrentHashMap<>();
    final Map<Integer, Integer> lastOfKey = new ConcurrentHashMap<>();
    final AtomicInteger repeated = new AtomicInteger();
    final AtomicInteger outOfOrder = new AtomicInteger();

    void first(String value) {
      int number = Integer.parseInt(value);
      if (number % FAILS == 0) {
        throw new NotNow();
      }
      handled(number);
    }

    /**
     * The second attempt.
     *
     * @param due epoch milliseconds
     */
    void second(String value, long due) {
      long now = System.currentTimeMillis();
      int number = Integer.parseInt(value);
      if (handled(number) && number >= WARM_UP) {
        late.add(now - due);
      }
    }

    /** Counts only measured records: 0 is sent until the listeners read. */
    private boolean handled(int number) {
      boolean anew = done.put(number, true) == null;
      if (number >= WARM_UP) {
        int before = lastOfKey.getOrDefault(number % KEYS, 0);
        if (anew && before > number) {
          outOfOrder.incrementAndGet();
        }
        lastOfKey.put(number % KEYS, Math.max(before, number));
        if (!anew) {
          repeated.incrementAndGet();
        }
      }
      return anew;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class WithTheBridge extends Listener {

    @KafkaListener(topics = "by.bridge")
    void handle(ConsumerRecord<?, String> order) {
      Arrival.of(order)
          .ifPresentOrElse(
              arrival -> second(order.value(), arrival.dueAt().toEpochMilli()),
              () -> first(order.value()));
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @EnableKafkaRetryTopic
  static class WithRetryTopics extends Listener {

    @Bean
    static ThreadPoolTaskScheduler scheduler() {
      return new ThreadPoolTaskScheduler();
    }

    @Bean
    static RetryTopicConfiguration retries(KafkaTemplate<?, ?> template) {
      return RetryTopicConfigurationBuilder.newInstance()
          .includeTopic("by.topics")
          .maxAttempts(2)
          .fixedBackOff(1_000L)
          .create(template);
    }

    @KafkaListener(topics = "by.topics")
    void handle(ConsumerRecord<?, String> order) {
      Header due = order.headers().lastHeader(RetryTopicHeaders.DEFAULT_HEADER_BACKOFF_TIMESTAMP);
      if (due == null) {
        first(order.value());
      } else {
        second(order.value(), new BigInteger(due.value()).longValue());
      }
    }
  }

  @Test
  void compare(Bridge bridge) throws Exception {
    bridge.create("by.bridge", "by.topics");
    System.out.println("| | second attempts | p50 | p99 | worst | repeated | out of order |");
    System.out.println("|---|--:|--:|--:|--:|--:|--:|");
    for (int round = 1; round <= ROUNDS; round++) {
      measure(bridge, "by.bridge", WithTheBridge.class, round);
      measure(bridge, "by.topics", WithRetryTopics.class, round);
    }
  }

  private static void measure(
      Bridge bridge, String topic, Class<? extends Listener> with, int round) throws Exception {
    try (ConfigurableApplicationContext context =
        bridge.run(
            with,
            "spring.kafka.consumer.group-id=" + topic + round,
            "spring.kafka.consumer.auto-offset-reset=latest",
            "delay-bridge.retry.enabled=" + (with == WithTheBridge.class),
            "delay-bridge.retry.first-delay=1s",
            "delay-bridge.retry.longest-delay=1s")) {
      Listener listener = context.getBean(with);
      // Until it reads.
      await()
          .atMost(Bridge.LIMIT)
          .until(
              () -> {
                bridge.send(text(topic, "k0", "0"));
                return listener.done.size() == 1;
              });
      load(bridge, topic);
      await().atMost(Bridge.LIMIT).until(() -> listener.done.size() == ALL);
      report(topic + ", round " + round, listener);
    }
  }

  private static void report(String title, Listener listener) {
    List<Long> late = listener.late.stream().sorted().toList();
    System.out.printf(
        "| %s | %d | %d ms | %d ms | %d ms | %d | %d |%n",
        title,
        late.size(),
        late.get(late.size() / 2),
        late.get(late.size() * 99 / 100),
        late.get(late.size() - 1),
        listener.repeated.get(),
        listener.outOfOrder.get());
  }

  /** Sends each number from 1 on at its time, without waiting for acknowledgements. */
  private static void load(Bridge bridge, String topic) throws Exception {
    Map<String, Object> config = Map.of("bootstrap.servers", bridge.bootstrapServers());
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      List<Future<?>> sent = new ArrayList<>();
      long start = System.nanoTime();
      for (int number = 1; number < ALL; number++) {
        long due = start + number * (1_000_000_000L / A_SECOND);
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        sent.add(producer.send(text(topic, "k" + number % KEYS, String.valueOf(number))));
      }
      for (Future<?> each : sent) {
        each.get();
      }
    }
  }
}
