package io.delaybridge.deadletter.letters;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.message.Source;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class LetterReaderTest {

  private static final TopicPartition PARTITION = new TopicPartition(Letters.TOPIC, 0);

  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
  private final LetterReader reader = new LetterReader(consumer, () -> 0);

  LetterReaderTest() {
    Node node = new Node(0, "localhost", 9092);
    consumer.updatePartitions(
        Letters.TOPIC,
        List.of(new PartitionInfo(Letters.TOPIC, 0, node, new Node[] {node}, new Node[] {node})));
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.updateEndOffsets(Map.of(PARTITION, 10L));
  }

  private static List<Source> at(Integer... offsets) {
    return Arrays.stream(offsets).map(offset -> new Source(Letters.TOPIC, 0, offset)).toList();
  }

  @Test
  void whatIsDeletedMeanwhileHidesNothingThatIsThere() {
    consumer.schedulePollTask(
        () -> {
          consumer.updateBeginningOffsets(Map.of(PARTITION, 5L));
          consumer.setPollException(new OffsetOutOfRangeException(Map.of(PARTITION, 2L)));
        });
    consumer.schedulePollTask(
        () -> consumer.addRecord(new ConsumerRecord<>(Letters.TOPIC, 0, 7, null, new byte[1])));
    consumer.schedulePollTask(
        () -> consumer.addRecord(new ConsumerRecord<>(Letters.TOPIC, 0, 9, null, new byte[1])));

    assertThat(reader.read(at(2, 7)).keySet()).containsExactlyElementsOf(at(7));
  }

  @Test
  void aPartitionThatIsNotThereIsNotWaitedFor() {
    Source nowhere = new Source(Letters.TOPIC, 999, 1);

    assertThat(reader.read(List.of(nowhere))).isEmpty();
    assertThat(consumer.assignment()).containsExactly(new TopicPartition(Letters.TOPIC, 999));
  }
}
