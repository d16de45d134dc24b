package io.delaybridge.stack;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * An ordinary consumer that reads topics on its own thread, from where the last run left off.
 * Topics may be created later.
 */
final class Arrivals implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration CLOSE = Duration.ofMillis(500);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private volatile boolean reading;
  private final Thread thread;
  private final Consumer<ConsumerRecord<byte[], byte[]>> listener;

  Arrivals(
      String bootstrapServers,
      List<String> topics,
      Consumer<ConsumerRecord<byte[], byte[]>> listener) {
    this.listener = listener;
    // The group member of a killed run blocks the next run until its session times out.
    Map<String, Object> config =
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
            ConsumerConfig.GROUP_ID_CONFIG, "local-run",
            ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed",
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest",
            ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false",
            ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, "6000",
            ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, "1000",
            ConsumerConfig.METADATA_MAX_AGE_CONFIG, "1000");
    consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    consumer.subscribe(topics, new Assigned());
    thread = new Thread(this::read, "arrivals");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Waits until the consumer reads, so that no record looks later than it is.
   *
   * @throws StackException if that takes longer than the limit
   */
  void awaitReading(Duration limit) {
    if (!Await.until("the reader of arrivals", limit, () -> reading)) {
      throw new StackException("No consumer could join its group within " + limit + ".");
    }
  }

  /** Stops reading; waits at most a second. */
  @Override
  public void close() {
    consumer.wakeup();
    try {
      thread.join(2 * CLOSE.toMillis());
    } catch (InterruptedException e) {
      throw StackException.interrupted("the reader of arrivals", e);
    }
  }

  private void read() {
    try {
      while (true) {
        consumer.poll(POLL).forEach(listener);
      }
    } catch (WakeupException e) {
      // close() wakes up the consumer to end this thread.
      consumer.close(CloseOptions.timeout(CLOSE));
    }
  }

  private final class Assigned implements ConsumerRebalanceListener {
    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      reading = true;
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      // This consumer is the only member and gets them back at once.
    }
  }
}
