package io.delaybridge.bench.speed.lab;

import io.delaybridge.KafkaClients;
import io.delaybridge.config.KafkaConfig;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The yardstick, a separate program: one loop that reads a topic and writes every record unchanged
 * to another, with the clients of the bridge. With exactly once, each poll is a transaction. With
 * at least once, it flushes the records of each poll and commits the offsets every three seconds,
 * as the bridge does by default. If requested, records wait for others.
 */
public final class PassThrough {

  private static final Duration POLL = Duration.ofMillis(500);
  private static final long COMMIT_EVERY = Duration.ofSeconds(3).toNanos();

  private final Consumer<byte[], byte[]> consumer;
  private final Producer<byte[], byte[]> producer;
  private final String target;
  private final long waitMs;
  private final Map<TopicPartition, OffsetAndMetadata> passed = new HashMap<>();
  private long committedAt = System.nanoTime();

  private PassThrough(
      Consumer<byte[], byte[]> consumer,
      Producer<byte[], byte[]> producer,
      String target,
      long waitMs) {
    this.consumer = consumer;
    this.producer = producer;
    this.target = target;
    this.waitMs = waitMs;
  }

  /**
   * Takes the address of the broker, the topic to read, the topic to write, the guarantee, and how
   * many milliseconds a record may wait for others.
   */
  public static void main(String[] args) {
    String name = args[1];
    KafkaClients clients =
        new KafkaClients(
            KafkaConfig.of(
                args[0],
                name,
                null,
                Map.of(),
                Map.of("session.timeout.ms", Lanes.SESSION_MS),
                null,
                null));
    boolean transactions = Guarantee.of(args[3]) == Guarantee.EXACTLY_ONCE;
    String member = name + "-" + ProcessHandle.current().pid();
    try (Consumer<byte[], byte[]> consumer = clients.consumer(name, member, Duration.ofMinutes(5));
        Producer<byte[], byte[]> producer =
            transactions ? clients.transactionalProducer(name, name) : clients.producer(name)) {
      if (transactions) {
        producer.initTransactions();
      }
      consumer.subscribe(List.of(args[1]), new FromTheStart(consumer));
      PassThrough loop = new PassThrough(consumer, producer, args[2], Long.parseLong(args[4]));
      while (true) {
        if (transactions) {
          loop.transaction();
        } else {
          loop.flush();
        }
      }
    }
  }

  /**
   * Returns the new records, and keeps the offsets behind them. It waits for half of the time: as a
   * broker that has answered a fetch keeps what comes next for the next answer, a record waits
   * twice.
   */
  private List<ConsumerRecords<byte[], byte[]>> poll() {
    ConsumerRecords<byte[], byte[]> first = consumer.poll(POLL);
    passed.putAll(first.nextOffsets());
    if (first.isEmpty() || waitMs == 0) {
      return List.of(first);
    }
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(waitMs) / 2);
    ConsumerRecords<byte[], byte[]> second = consumer.poll(Duration.ZERO);
    passed.putAll(second.nextOffsets());
    return List.of(first, second);
  }

  private void transaction() {
    List<ConsumerRecords<byte[], byte[]>> polled = poll();
    if (polled.get(0).isEmpty()) {
      return;
    }
    producer.beginTransaction();
    polled.forEach(this::send);
    producer.sendOffsetsToTransaction(passed, consumer.groupMetadata());
    producer.commitTransaction();
    passed.clear();
  }

  private void flush() {
    poll().forEach(this::send);
    producer.flush();
    if (System.nanoTime() - committedAt > COMMIT_EVERY && !passed.isEmpty()) {
      consumer.commitSync(passed);
      passed.clear();
      committedAt = System.nanoTime();
    }
  }

  private void send(ConsumerRecords<byte[], byte[]> polled) {
    for (ConsumerRecord<byte[], byte[]> record : polled) {
      var unused =
          producer.send(
              new ProducerRecord<>(target, null, record.key(), record.value(), record.headers()),
              (metadata, failure) -> {
                if (failure != null) {
                  System.err.println("not sent: " + failure);
                  Runtime.getRuntime().halt(1);
                }
              });
    }
  }

  /** Starts at the beginning without a commit: the bridge's clients never choose a position. */
  private record FromTheStart(Consumer<byte[], byte[]> consumer)
      implements ConsumerRebalanceListener {
    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      Map<TopicPartition, OffsetAndMetadata> committed =
          consumer.committed(new HashSet<>(partitions));
      consumer.seekToBeginning(
          partitions.stream().filter(partition -> committed.get(partition) == null).toList());
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      // The pass-through is alone in its group.
    }
  }
}
