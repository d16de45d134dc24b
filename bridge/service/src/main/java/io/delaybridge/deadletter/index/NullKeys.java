package io.delaybridge.deadletter.index;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Gives an empty key to records without one, and the time 0 to those without a time. When Kafka
 * Streams fills a global store at start, it leaves out records that have no key. Dead letters often
 * have none, and nobody looks at the key here. It fails on a record without a time, which clients
 * other than Java's can write.
 */
public final class NullKeys implements ConsumerInterceptor<byte[], byte[]> {

  private static final byte[] EMPTY = {};

  @Override
  public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
    Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> keyed = new HashMap<>();
    for (TopicPartition partition : records.partitions()) {
      List<ConsumerRecord<byte[], byte[]>> with = new ArrayList<>();
      for (ConsumerRecord<byte[], byte[]> record : records.records(partition)) {
        with.add(record.key() == null || record.timestamp() < 0 ? completed(record) : record);
      }
      keyed.put(partition, with);
    }
    return new ConsumerRecords<>(keyed, records.nextOffsets());
  }

  private static ConsumerRecord<byte[], byte[]> completed(ConsumerRecord<byte[], byte[]> record) {
    byte[] key = record.key() == null ? EMPTY : record.key();
    return new ConsumerRecord<>(
        record.topic(),
        record.partition(),
        record.offset(),
        Math.max(0, record.timestamp()),
        record.timestampType(),
        key.length,
        record.serializedValueSize(),
        key,
        record.value(),
        record.headers(),
        Optional.empty());
  }

  @Override
  public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
    // Nothing is committed: the stores are filled anew at every start.
  }

  @Override
  public void close() {
    // Holds nothing.
  }

  @Override
  public void configure(Map<String, ?> configs) {
    // Has nothing to configure.
  }
}
