package io.delaybridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.message.ShardId;
import io.delaybridge.shard.LaterTopic;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies are read from the requested offset, and no read waits for a leader. */
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

    write(FIRST, 7, 8);
    read = topic.read(FIRST, 6, 3);
    assertThat(offsets(read)).containsExactly(6L);
    assertThat(read.next()).isEqualTo(7);
    assertThat(offsets(topic.read(FIRST, 7, 3))).containsExactly(7L, 8L);
    assertThat(topic.read(FIRST, 9, 3)).isEqualTo(new LaterTopic.Read(List.of(), 9));
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

  @Test
  void whatGaveRecordsIsReadAheadWhileAnotherIsAsked() {
    topic.read(FIRST, 3, 10);
    write(FIRST, 3, 4);
    assertThat(offsets(topic.read(FIRST, 3, 10))).containsExactly(3L, 4L);
    topic.read(SECOND, 0, 10);
    write(FIRST, 5, 6, 7);
    write(SECOND, 0);

    assertThat(offsets(topic.read(SECOND, 0, 10))).containsExactly(0L);
    consumer.setPollException(new KafkaException("asked although it was read ahead"));
    assertThat(offsets(topic.read(FIRST, 5, 2))).containsExactly(5L, 6L);
    LaterTopic.Read rest = topic.read(FIRST, 7, 2);
    assertThat(offsets(rest)).containsExactly(7L);
    assertThat(rest.next()).isEqualTo(8);
  }

  @Test
  void whatWasHandedOutIsHandedOutAgainWithoutBeingRead() {
    topic.read(FIRST, 3, 10);
    write(FIRST, 3, 4, 5, 6);
    assertThat(offsets(topic.read(FIRST, 3, 3))).containsExactly(3L, 4L, 5L);

    consumer.setPollException(new KafkaException("read although it was there"));
    LaterTopic.Read again = topic.read(FIRST, 4, 2);
    assertThat(offsets(again)).containsExactly(4L, 5L);
    assertThat(again.next()).isEqualTo(6);
    assertThat(offsets(topic.read(FIRST, 5, 10))).containsExactly(5L, 6L);
    assertThat(offsets(topic.read(FIRST, 5, 1))).containsExactly(5L);
    assertThat(offsets(topic.read(FIRST, 6, 10))).containsExactly(6L);
    assertThatThrownBy(() -> topic.read(FIRST, 7, 10)).hasMessageContaining("was there");
  }

  @Test
  void whatWasReadAheadIsForgottenWhenItIsAskedFromElsewhere() {
    topic.read(FIRST, 3, 10);
    write(FIRST, 3, 4, 5, 6);
    topic.read(FIRST, 3, 2);
    assertThat(offsets(topic.read(FIRST, 5, 1))).containsExactly(5L);

    topic.read(FIRST, 4, 10);
    write(FIRST, 4);
    assertThat(offsets(topic.read(FIRST, 4, 10))).containsExactly(4L);
  }

  @Test
  void theFailureOfOnePartitionIsNotSaidOfAnother() {
    topic.read(FIRST, 3, 10);
    write(FIRST, 3);
    topic.read(FIRST, 3, 10);
    KafkaException failure = new KafkaException("the next record cannot be read");
    consumer.setPollException(failure);

    assertThat(offsets(topic.read(SECOND, 0, 10))).isEmpty();
    write(SECOND, 0);
    assertThat(offsets(topic.read(SECOND, 0, 10))).containsExactly(0L);
    assertThat(consumer.paused()).containsExactly(LaterTopic.partition(FIRST));

    consumer.setPollException(failure);
    assertThat(offsets(topic.read(FIRST, 4, 10))).isEmpty();
    consumer.setPollException(failure);
    assertThatThrownBy(() -> topic.read(FIRST, 4, 10)).isSameAs(failure);
  }
}
