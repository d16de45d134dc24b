package io.delaybridge.bench.faults;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** The topic that the load writes to. */
final class Intake {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  private Intake() {}

  /** Returns the first partitions of the intake. */
  static List<TopicPartition> partitions(int count) {
    return partitions(BridgeConfig.INTAKE, count);
  }

  /** Returns the first partitions of a topic. */
  static List<TopicPartition> partitions(String topic, int count) {
    return IntStream.range(0, count).mapToObj(each -> new TopicPartition(topic, each)).toList();
  }

  /**
   * Reads the whole intake up to its current end.
   *
   * @throws FaultsException if that takes more than two minutes
   */
  static void read(
      String bootstrapServers, int count, Consumer<ConsumerRecord<byte[], byte[]>> action) {
    List<TopicPartition> partitions = partitions(count);
    try (KafkaConsumer<byte[], byte[]> consumer = Arrivals.consumer(bootstrapServers, partitions)) {
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      long start = System.nanoTime();
      while (!Arrivals.reached(consumer, ends)) {
        if (System.nanoTime() - start > LIMIT.toNanos()) {
          throw new FaultsException("the intake cannot be read to its end");
        }
        consumer.poll(Duration.ofMillis(200)).forEach(action);
      }
    }
  }
}
