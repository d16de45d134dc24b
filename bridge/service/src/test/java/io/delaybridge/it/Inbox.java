package io.delaybridge.it;

import static org.awaitility.Awaitility.await;

import io.delaybridge.schemas.DelayHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
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

/** All committed records of some topics, from their beginning, as they arrive. */
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
    try (consumer) {
      // A broker learns of a new topic a little after it was created.
      await()
          .forever()
          .pollInSameThread()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(50))
          .until(() -> closed || consumer.listTopics().keySet().containsAll(topics));
      List<TopicPartition> partitions = partitions();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (!closed) {
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

  private List<TopicPartition> partitions() {
    return topics.stream()
        .flatMap(topic -> consumer.partitionsFor(topic).stream())
        .map(info -> new TopicPartition(info.topic(), info.partition()))
        .toList();
  }

  Collection<Arrival> all() {
    mustLive();
    return arrivals;
  }

  private void mustLive() {
    if (failure != null) {
      throw new IllegalStateException("the inbox died", failure);
    }
  }

  List<Arrival> of(String source) {
    mustLive();
    return bySource.getOrDefault(source, List.of());
  }

  int distinct() {
    mustLive();
    return bySource.size();
  }

  /** Waits until at least this many records have arrived. */
  Inbox awaitCount(int count, Duration limit) {
    await().atMost(limit).pollInterval(Duration.ofMillis(50)).until(() -> all().size() >= count);
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
