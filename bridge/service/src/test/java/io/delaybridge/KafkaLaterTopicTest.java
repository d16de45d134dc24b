package io.delaybridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.message.ShardId;
import io.delaybridge.shard.LaterTopic;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies are read from where they are asked for, and nobody waits for a leader. */
class KafkaLaterTopicTest {

  private static final ShardId FIRST = new ShardId("delay-intake", 0);
  private static final ShardId SECOND = new ShardId("delay-intake", 1);

  private final MockConsumer<byte[], byte[]> consumer =
      new MockConsumer<>("none") {
        @Override
        public synchronized long position(TopicPartition partition) {
          throw new AssertionError("it waits while the partition has no leader");
        }
      };
  private final LaterTopic topic = new KafkaLaterTopic(() -> consumer, Set.of("delay-intake"));

  @BeforeEach
  void begin() {
    consumer.updateBeginningOffsets(
        Map.of(LaterTopic.partition(FIRST), 3L, LaterTopic.partition(SECOND), 0L));
  }

  @AfterEach
  void close() {
    topic.close();
    assertThat(consumer.closed()).isTrue();
  }

  private void write(ShardId shard, long... offsets) {
    TopicPartition partition = LaterTopic.partition(shard);
    for (long offset : offsets) {
      byte[] value = Long.toString(offset).getBytes(StandardCharsets.UTF_8);
      consumer.addRecord(
          new ConsumerRecord<>(partition.topic(), partition.partition(), offset, null, value));
    }
  }

  private static Iterable<Long> offsets(LaterTopic.Read read) {
    return read.records().stream().map(ConsumerRecord::offset).toList();
  }

  @Test
  void goesOnWhereItWasAsked() {
    assertThat(offsets(topic.read(FIRST, 3, 10))).isEmpty();
    write(FIRST, 3, 4, 5, 6);

    LaterTopic.Read read = topic.read(FIRST, 3, 3);
    assertThat(offsets(read)).containsExactly(3L, 4L, 5L);
    assertThat(read.next()).isEqualTo(6);

    write(FIRST, 6, 7);
    read = topic.read(FIRST, 6, 3);
    assertThat(offsets(read)).containsExactly(6L, 7L);
    assertThat(read.next()).isEqualTo(8);
    assertThat(topic.read(FIRST, 8, 3))
        .isEqualTo(new LaterTopic.Read(read.records().subList(2, 2), 8));
  }

  @Test
  void onePartitionDoesNotGetTheRecordsOfAnother() {
    topic.read(FIRST, 3, 10);
    topic.read(SECOND, 0, 10);
    write(FIRST, 3);
    write(SECOND, 0, 1);

    assertThat(offsets(topic.read(SECOND, 0, 10))).containsExactly(0L, 1L);
    assertThat(offsets(topic.read(FIRST, 3, 10))).containsExactly(3L);
  }

  @Test
  void saysThatWhatItIsAskedForIsGone() {
    topic.read(FIRST, 3, 10);
    write(FIRST, 3);
    assertThatThrownBy(() -> topic.read(FIRST, 1, 10))
        .isInstanceOf(OffsetOutOfRangeException.class);
    assertThat(topic.start(FIRST)).isEqualTo(3);
    assertThat(offsets(topic.read(FIRST, 3, 10))).containsExactly(3L);
  }
}
