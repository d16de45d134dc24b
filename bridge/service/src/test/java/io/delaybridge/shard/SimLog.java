package io.delaybridge.shard;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** The log of one partition: records and transaction markers, each at an offset. */
final class SimLog {

  private enum Fate {
    OPEN,
    COMMITTED,
    ABORTED
  }

  /** The content of an offset; a marker has no record. */
  private record Slot(@Nullable ConsumerRecord<byte[], byte[]> record, Fate fate, int epoch) {}

  private final TopicPartition partition;
  private final List<Slot> slots = new ArrayList<>();
  private final NavigableSet<Long> open = new TreeSet<>();
  private final List<ConsumerRecord<byte[], byte[]>> committed = new ArrayList<>();
  private long start;
  private int epoch;
  private long version;

  SimLog(TopicPartition partition) {
    this.partition = partition;
  }

  long start() {
    return start;
  }

  long end() {
    return slots.size();
  }

  /** Returns a number that changes with each change of the results of {@link #readable(long)}. */
  long version() {
    return version;
  }

  /**
   * Returns the offset of the first record of an open transaction, or the end: readers stop there.
   */
  long lastStable() {
    return open.isEmpty() ? end() : open.first();
  }

  /** Returns all committed records in the order in which they were committed, deleted ones too. */
  List<ConsumerRecord<byte[], byte[]>> committed() {
    return Collections.unmodifiableList(committed);
  }

  /** Returns the records of open transactions. */
  List<ConsumerRecord<byte[], byte[]>> open() {
    return open.stream().map(offset -> slots.get(offset.intValue()).record).toList();
  }

  /** Appends a record that is committed or part of an open transaction, and returns its offset. */
  long append(ProducerRecord<byte[], byte[]> record, long timestamp, boolean inTransaction) {
    ConsumerRecord<byte[], byte[]> read =
        new ConsumerRecord<>(
            partition.topic(),
            partition.partition(),
            end(),
            timestamp,
            TimestampType.CREATE_TIME,
            0,
            0,
            record.key(),
            record.value(),
            new RecordHeaders(record.headers()),
            Optional.empty());
    slots.add(new Slot(read, inTransaction ? Fate.OPEN : Fate.COMMITTED, epoch));
    if (inTransaction) {
      open.add(read.offset());
    } else {
      committed.add(read);
    }
    version++;
    return end() - 1;
  }

  /** Decides on these records of a transaction and appends the marker. */
  void end(List<Long> offsets, boolean commit) {
    for (long offset : offsets) {
      Slot slot = slots.get((int) offset);
      Fate fate = commit ? Fate.COMMITTED : Fate.ABORTED;
      slots.set((int) offset, new Slot(slot.record, fate, slot.epoch));
      open.remove(offset);
      if (commit && slot.record != null) {
        committed.add(slot.record);
      }
    }
    slots.add(new Slot(null, Fate.COMMITTED, epoch));
    version++;
  }

  /** Returns the record at the offset, or null if a reader of committed records passes over it. */
  @Nullable ConsumerRecord<byte[], byte[]> readable(long offset) {
    Slot slot = slots.get((int) offset);
    return slot.fate == Fate.COMMITTED ? slot.record : null;
  }

  /** Returns the record at the offset whatever its fate, or null for a marker. */
  @Nullable ConsumerRecord<byte[], byte[]> whatever(long offset) {
    return slots.get((int) offset).record;
  }

  /** Returns all records that a reader of committed records sees. */
  List<ConsumerRecord<byte[], byte[]>> readable() {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (long offset = start; offset < lastStable(); offset++) {
      ConsumerRecord<byte[], byte[]> record = readable(offset);
      if (record != null) {
        records.add(record);
      }
    }
    return records;
  }

  /** Removes the tail; later records have another leader. */
  void truncateTo(long end) {
    slots.subList((int) end, slots.size()).clear();
    open.tailSet(end).clear();
    committed.removeIf(record -> record.offset() >= end);
    epoch++;
    version++;
  }

  /** Returns the leader epoch of the record before the offset. */
  int epochBefore(long offset) {
    return offset == 0 ? 0 : slots.get((int) offset - 1).epoch;
  }

  /** Returns the end of the records written by leaders up to this epoch. */
  long endOf(int leader) {
    if (leader >= epoch) {
      return end();
    }
    for (int i = 0; i < slots.size(); i++) {
      if (slots.get(i).epoch > leader) {
        return i;
      }
    }
    return end();
  }

  /** Returns the whole log as a text that is equal for equal logs. */
  String dump() {
    StringBuilder text = new StringBuilder().append(start);
    for (Slot slot : slots) {
      ConsumerRecord<byte[], byte[]> record = slot.record;
      text.append(' ').append(slot.fate);
      if (record != null) {
        text.append(record.timestamp());
        record.headers().forEach(it -> text.append(new String(it.value(), StandardCharsets.UTF_8)));
      }
    }
    return text.toString();
  }

  /** Removes the head, as retention does. */
  void deleteBefore(long offset) {
    start = offset;
  }
}
