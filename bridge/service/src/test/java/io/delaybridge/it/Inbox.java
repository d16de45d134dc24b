package io.delaybridge.it;

import static org.awaitility.Awaitility.await;

import io.delaybridge.schemas.DelayHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** Everything that is committed to some topics, from their beginning, as it arrives. */
final class Inbox implements AutoCloseable {

  private final Collection<String> topics;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final ConcurrentLinkedQueue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
  private final Map<String, List<Arrival>> bySource = new ConcurrentHashMap<>();
  private final Thread thread;
  private volatile boolean closed;
  private volatile @Nullable RuntimeException failure;

  /**
   * @param at epoch milliseconds when the test saw it
   */
  record Arrival(ConsumerRecord<byte[], byte[]> record, long at) {

    @Nullable String header(String name) {
      Header header = record.headers().lastHeader(name);
      return header == null || header.value() == null
          ? null
          : new String(header.value(), StandardCharsets.UTF_8);
    }

    String source() {
      return String.valueOf(header(DelayHeaders.SOURCE));
    }

    @Nullable String value() {
      return record.value() == null ? null : new String(record.value(), StandardCharsets.UTF_8);
    }
  }

  Inbox(String bootstrapServers, Collection<String> topics) {
    this.topics = topics;
    this.consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                5_000,
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    this.thread = new Thread(this::read, "inbox");
    thread.setDaemon(true);
    thread.start();
  }

  private void read() {
    Set<TopicPartition> assigned = new HashSet<>();
    try (consumer) {
      while (!closed) {
        discover(assigned);
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
          Arrival arrival = new Arrival(record, System.currentTimeMillis());
          bySource
              .computeIfAbsent(arrival.source(), source -> new CopyOnWriteArrayList<>())
              .add(arrival);
          arrivals.add(arrival);
        }
      }
    } catch (WakeupException e) {
      closed = true;
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  private void discover(Set<TopicPartition> assigned) {
    Set<TopicPartition> found = new HashSet<>();
    Map<String, List<org.apache.kafka.common.PartitionInfo>> known =
        assigned.isEmpty() ? consumer.listTopics() : Map.of();
    for (String topic : topics) {
      known
          .getOrDefault(topic, List.of())
          .forEach(info -> found.add(new TopicPartition(info.topic(), info.partition())));
    }
    if (found.stream().map(TopicPartition::topic).distinct().count() == topics.size()) {
      assigned.addAll(found);
      consumer.assign(found);
      consumer.seekToBeginning(found);
    } else if (assigned.isEmpty()) {
      consumer.assign(found);
      consumer.seekToBeginning(found);
    }
  }

  Collection<Arrival> all() {
    if (failure != null) {
      throw new IllegalStateException("the inbox died", failure);
    }
    return arrivals;
  }

  List<Arrival> of(String source) {
    return bySource.getOrDefault(source, List.of());
  }

  int distinct() {
    return bySource.size();
  }

  /** Waits until at least so many records are there. */
  Inbox awaitCount(int count, Duration limit) {
    await()
        .atMost(limit)
        .pollInterval(Duration.ofMillis(50))
        .failFast(() -> failure != null)
        .until(() -> all().size() >= count);
    return this;
  }

  Arrival awaitOne(String source, Duration limit) {
    await().atMost(limit).pollInterval(Duration.ofMillis(10)).until(() -> !of(source).isEmpty());
    return of(source).get(0);
  }

  @Override
  public void close() {
    closed = true;
    consumer.wakeup();
    try {
      thread.join(5_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
