package io.delaybridge.shard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/** A transaction that is open until it is committed or aborted, once. */
final class SimTransaction {

  private final SimKafka kafka;
  private final Map<TopicPartition, List<Long>> records = new LinkedHashMap<>();
  private final Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
  private boolean open = true;

  SimTransaction(SimKafka kafka) {
    this.kafka = kafka;
  }

  RecordMetadata send(ProducerRecord<byte[], byte[]> record) {
    RecordMetadata written = kafka.append(record, true);
    TopicPartition partition = new TopicPartition(written.topic(), written.partition());
    records.computeIfAbsent(partition, key -> new ArrayList<>()).add(written.offset());
    return written;
  }

  /** Throws a CommitFailedException if the member is stale. */
  void sendOffsets(Map<TopicPartition, OffsetAndMetadata> sent, ConsumerGroupMetadata member) {
    kafka.group().check(member);
    offsets.putAll(sent);
    sent.keySet().forEach(partition -> kafka.group().pending(partition, true));
  }

  boolean isOpen() {
    return open;
  }

  void commit() {
    end(true);
  }

  void abort() {
    end(false);
  }

  private void end(boolean commit) {
    if (!open) {
      return;
    }
    open = false;
    records.forEach((partition, each) -> kafka.log(partition).end(each, commit));
    if (commit) {
      records.forEach((partition, each) -> each.forEach(offset -> publish(partition, offset)));
    }
    offsets.keySet().forEach(partition -> kafka.group().pending(partition, false));
    if (commit) {
      offsets.forEach(kafka.group()::commit);
    }
    kafka.watcher().ended();
  }

  private void publish(TopicPartition partition, long offset) {
    kafka.watcher().published(Objects.requireNonNull(kafka.log(partition).readable(offset)));
  }
}
