package io.delaybridge.deadletter.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.deadletter.letters.Letters;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class NullKeysTest {

  private static final TopicPartition PARTITION = new TopicPartition(Letters.TOPIC, 0);

  @Test
  void aRecordWithoutAKeyGetsAnEmptyOneAndIsTheSameOtherwise() {
    ConsumerRecord<byte[], byte[]> without =
        Letters.content(null, new byte[] {7}, Letters.headers("a", "b"));
    ConsumerRecord<byte[], byte[]> with = Letters.content(new byte[] {1}, null, Letters.headers());
    Map<TopicPartition, OffsetAndMetadata> next = Map.of(PARTITION, new OffsetAndMetadata(9));

    ConsumerRecords<byte[], byte[]> records;
    try (NullKeys keys = new NullKeys()) {
      records =
          keys.onConsume(new ConsumerRecords<>(Map.of(PARTITION, List.of(without, with)), next));
    }

    assertThat(records.nextOffsets()).isEqualTo(next);
    List<ConsumerRecord<byte[], byte[]>> seen = records.records(PARTITION);
    assertThat(seen.get(1)).isSameAs(with);
    assertThat(seen.get(0).key()).isEmpty();
    assertThat(seen.get(0).value()).containsExactly(7);
    assertThat(seen.get(0).offset()).isEqualTo(without.offset());
    assertThat(seen.get(0).timestamp()).isEqualTo(without.timestamp());
    assertThat(seen.get(0).headers()).isEqualTo(without.headers());
  }

  @Test
  void aRecordWithoutATimeGetsOne() {
    ConsumerRecord<byte[], byte[]> without =
        new ConsumerRecord<>(
            Letters.TOPIC,
            0,
            3,
            ConsumerRecord.NO_TIMESTAMP,
            TimestampType.CREATE_TIME,
            1,
            1,
            new byte[] {1},
            new byte[] {7},
            Letters.headers(),
            Optional.empty());

    ConsumerRecords<byte[], byte[]> records;
    try (NullKeys keys = new NullKeys()) {
      records =
          keys.onConsume(new ConsumerRecords<>(Map.of(PARTITION, List.of(without)), Map.of()));
    }

    ConsumerRecord<byte[], byte[]> seen = records.records(PARTITION).get(0);
    assertThat(seen.timestamp()).isZero();
    assertThat(seen.key()).containsExactly(1);
    assertThat(seen.value()).containsExactly(7);
  }
}
