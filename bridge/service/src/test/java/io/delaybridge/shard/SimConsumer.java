package io.delaybridge.shard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * A consumer of a {@link SimKafka}. It reads committed records, and its position passes markers and
 * aborted records. Rebalances happen inside poll. All methods that a bridge calls are overridden
 * here; the superclass only provides the rest of the interface.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized")
class SimConsumer extends MockConsumer<byte[], byte[]> {

  final SimKafka kafka;
  private final String memberId;
  private final Map<TopicPartition, Long> positions = new HashMap<>();
  private final Map<TopicPartition, Integer> epochs = new HashMap<>();
  private Duration waited = Duration.ZERO;
  private final Set<TopicPartition> owned = new LinkedHashSet<>();
  private final Set<TopicPartition> paused = new HashSet<>();
  private ConsumerRebalanceListener listener =
      new ConsumerRebalanceListener() {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}
      };
  private boolean diverged;
  private @Nullable TopicPartition found;
  private boolean unauthorized;
  private boolean evicted;
  private boolean handsOver;
  private boolean member;
  private int seen = -1;
  private int told = -1;
  private int seeks;
  private final Set<TopicPartition> lost = new HashSet<>();
  private Duration lastTimeout = Duration.ZERO;
  private boolean woken;

  SimConsumer(SimKafka kafka, String memberId) {
    super("none");
    this.kafka = kafka;
    this.memberId = memberId;
  }

  String memberId() {
    return memberId;
  }

  /**
   * Sets whether it is refused the records it reads, as Kafka does once there is something to read.
   */
  void unauthorized(boolean refused) {
    unauthorized = refused;
  }

  /** Sets whether Kafka has found that the log differs from the records it has read. */
  void diverged(boolean different) {
    diverged = different;
  }

  /** Answers the next question for a position with the truncation of this partition. */
  void finds(TopicPartition truncated) {
    found = truncated;
  }

  /** Returns how often it was sent to another position. */
  int seeks() {
    return seeks;
  }

  boolean isPaused(TopicPartition partition) {
    return paused.contains(partition);
  }

  /** Notes that the group has evicted it; it learns of this at the next poll. */
  void evicted() {
    evicted = true;
  }

  /**
   * Lets its background thread rejoin the group while the application is still busy with the old
   * assignment: the group metadata is fresh, the assignment is over. Offsets that the consumer
   * itself commits are still those of the generation in which it has polled.
   */
  void rejoinInBackground() {
    kafka.group().join(this);
    told = kafka.group().generation();
  }

  @Override
  public void subscribe(Collection<String> topics, ConsumerRebalanceListener callbacks) {
    listener = callbacks;
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    lastTimeout = timeout;
    if (woken) {
      woken = false;
      throw new WakeupException();
    }
    rebalance();
    Map<TopicPartition, Long> outside = new HashMap<>();
    if (diverged) {
      readable().forEach(partition -> outside.put(partition, position(partition)));
      throw new LogTruncationException(outside, Map.of());
    }
    for (TopicPartition partition : readable()) {
      long position = position(partition);
      SimLog log = kafka.log(partition);
      if (position < log.start() || position > log.end()) {
        outside.put(partition, position);
      }
    }
    if (!outside.isEmpty()) {
      throw new OffsetOutOfRangeException(outside);
    }
    if (unauthorized && !readable().isEmpty()) {
      throw new TopicAuthorizationException(Set.of(readable().get(0).topic()));
    }
    Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> records = new LinkedHashMap<>();
    Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
    int room = kafka.maxPollRecords();
    for (TopicPartition partition : readable()) {
      List<ConsumerRecord<byte[], byte[]>> read = read(partition, room);
      room -= read.size();
      if (!read.isEmpty()) {
        records.put(partition, read);
      }
      long position = position(partition);
      int epoch = kafka.log(partition).epochBefore(position);
      next.put(partition, new OffsetAndMetadata(position, Optional.of(epoch), ""));
    }
    return new ConsumerRecords<>(records, next);
  }

  /** Makes the next poll fail, as in Kafka. */
  @Override
  public void wakeup() {
    woken = true;
  }

  /** Returns how long the last poll would have waited for records. */
  @Override
  public Duration lastPollTimeout() {
    return lastTimeout;
  }

  private List<TopicPartition> readable() {
    return owned.stream().filter(each -> !paused.contains(each)).toList();
  }

  private List<ConsumerRecord<byte[], byte[]>> read(TopicPartition partition, int most) {
    SimLog log = kafka.log(partition);
    List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
    long position = position(partition);
    while (position < readableTo(log)) {
      ConsumerRecord<byte[], byte[]> record = readable(log, position);
      if (record != null && read.size() == most) {
        break;
      }
      if (record != null) {
        read.add(record);
      }
      position++;
    }
    positions.put(partition, position);
    return read;
  }

  /** Returns the offset at which a reader of this kind stops. */
  long readableTo(SimLog log) {
    return log.lastStable();
  }

  /**
   * Returns the record that a reader of this kind sees at the offset, or null if it passes over it.
   */
  @Nullable ConsumerRecord<byte[], byte[]> readable(SimLog log, long offset) {
    return log.readable(offset);
  }

  /**
   * Hands over all partitions at the next rebalance: it simulates that no other member is there.
   */
  @Override
  public void enforceRebalance(String reason) {
    handsOver = true;
  }

  private void rebalance() {
    SimGroup group = kafka.group();
    if (handsOver) {
      List<TopicPartition> all = List.copyOf(owned);
      try {
        listener.onPartitionsRevoked(all);
      } finally {
        forget(all);
      }
      listener.onPartitionsAssigned(List.of());
      return;
    }
    if (evicted) {
      evicted = false;
      List<TopicPartition> lost = List.copyOf(owned);
      forget(lost);
      listener.onPartitionsLost(lost);
    }
    if (!group.knows(this)) {
      group.join(this);
    }
    if (group.isRebalancing() && !group.hasJoined(this)) {
      List<TopicPartition> leaving = new ArrayList<>(owned);
      leaving.removeAll(group.planned(this));
      if (!leaving.isEmpty()) {
        listener.onPartitionsRevoked(leaving);
        forget(leaving);
        // As Kafka does it: once per division, even if nothing is added.
        listener.onPartitionsAssigned(List.of());
      }
      group.joined(this);
    }
    if (!group.isRebalancing() && seen != group.generation()) {
      seen = group.generation();
      told = seen;
      member = true;
      List<TopicPartition> added = new ArrayList<>(group.planned(this));
      added.removeAll(owned);
      owned.addAll(added);
      listener.onPartitionsAssigned(added);
    }
  }

  private void forget(Collection<TopicPartition> partitions) {
    List.copyOf(partitions)
        .forEach(
            partition -> {
              owned.remove(partition);
              paused.remove(partition);
              positions.remove(partition);
            });
  }

  @Override
  public ConsumerGroupMetadata groupMetadata() {
    return metadata(told);
  }

  @SuppressWarnings("removal") // No other way exists to make the metadata of a member.
  private ConsumerGroupMetadata metadata(int generation) {
    return member
        ? new ConsumerGroupMetadata(SimGroup.ID, generation, memberId, Optional.empty())
        : new ConsumerGroupMetadata(SimGroup.ID);
  }

  @Override
  public long position(TopicPartition partition) {
    Long position = positions.get(partition);
    if (!owned.contains(partition) || position == null) {
      throw new IllegalStateException("no position for partition " + partition);
    }
    return position;
  }

  @Override
  public OptionalLong currentLag(TopicPartition partition) {
    return OptionalLong.of(readableTo(kafka.log(partition)) - position(partition));
  }

  /** Makes the position of the partition unavailable, or available again. */
  void losePosition(TopicPartition partition, boolean is) {
    if (is) {
      lost.add(partition);
    } else {
      lost.remove(partition);
    }
  }

  /** Returns how long calls for positions would have waited until now. */
  Duration waited() {
    return waited;
  }

  /** Does not wait, but times out at once. */
  @Override
  public long position(TopicPartition partition, Duration timeout) {
    if (lost.contains(partition)) {
      waited = waited.plus(timeout);
      throw new TimeoutException("the position of " + partition + " is not known");
    }
    TopicPartition other = found;
    if (other != null) {
      found = null;
      throw new LogTruncationException(Map.of(other, position(other)), Map.of());
    }
    Integer epoch = epochs.get(partition);
    long position = position(partition);
    if (epoch != null && kafka.log(partition).endOf(epoch) < position) {
      throw new LogTruncationException(Map.of(partition, position), Map.of());
    }
    return position;
  }

  @Override
  public void seek(TopicPartition partition, OffsetAndMetadata position) {
    seek(partition, position.offset());
    position.leaderEpoch().ifPresent(epoch -> epochs.put(partition, epoch));
  }

  @Override
  public void seek(TopicPartition partition, long offset) {
    if (!owned.contains(partition)) {
      throw new IllegalStateException("partition " + partition + " is not assigned");
    }
    seeks++;
    epochs.remove(partition);
    positions.put(partition, offset);
  }

  @Override
  public void pause(Collection<TopicPartition> partitions) {
    partitions.forEach(this::checkOwned);
    paused.addAll(partitions);
  }

  @Override
  public void resume(Collection<TopicPartition> partitions) {
    partitions.forEach(this::checkOwned);
    paused.removeAll(partitions);
  }

  private void checkOwned(TopicPartition partition) {
    if (!owned.contains(partition)) {
      throw new IllegalStateException("partition " + partition + " is not assigned");
    }
  }

  /** Does not wait for an open transaction, but times out at once. */
  @Override
  public Map<TopicPartition, OffsetAndMetadata> committed(
      Set<TopicPartition> partitions, Duration timeout) {
    return checkpoints(partitions);
  }

  Map<TopicPartition, OffsetAndMetadata> checkpoints(Set<TopicPartition> partitions) {
    Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
    for (TopicPartition partition : partitions) {
      if (kafka.group().isPending(partition)) {
        throw new TimeoutException("a transaction with an offset of " + partition + " is open");
      }
      OffsetAndMetadata offset = kafka.group().committed(partition);
      if (offset != null) {
        committed.put(partition, offset);
      }
    }
    return committed;
  }

  @Override
  public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
    if (waitsForOthers()) {
      throw new RebalanceInProgressException("not while the group divides its partitions");
    }
    kafka.group().check(metadata(seen));
    offsets.forEach(kafka.group()::commit);
  }

  @Override
  public Map<TopicPartition, Long> beginningOffsets(
      Collection<TopicPartition> partitions, Duration timeout) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    partitions.forEach(partition -> kafka.awaitLeader(partition, timeout));
    partitions.forEach(partition -> offsets.put(partition, kafka.log(partition).start()));
    return offsets;
  }

  /** Returns the offsets that a reader of committed records can reach. */
  @Override
  public Map<TopicPartition, Long> endOffsets(
      Collection<TopicPartition> partitions, Duration timeout) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    partitions.forEach(partition -> offsets.put(partition, kafka.log(partition).lastStable()));
    return offsets;
  }

  /** Returns its whole state as a text that is equal for equal consumers. */
  String dump() {
    boolean current = told == kafka.group().generation();
    boolean rebalanced = seen == kafka.group().generation();
    return "%s %s %s %b %b %b %b"
        .formatted(positions, owned, paused, evicted, member, current, rebalanced);
  }

  /** Returns whether it has joined but other members have not: it then belongs to no generation. */
  private boolean waitsForOthers() {
    return kafka.group().isRebalancing() && kafka.group().hasJoined(this);
  }

  /** Gives up its partitions and leaves the group. */
  @Override
  public void close(CloseOptions options) {
    List<TopicPartition> leaving = List.copyOf(owned);
    if (!leaving.isEmpty() && waitsForOthers()) {
      listener.onPartitionsLost(leaving);
    } else if (!leaving.isEmpty() && !evicted) {
      listener.onPartitionsRevoked(leaving);
    }
    forget(leaving);
    if (kafka.group().knows(this)) {
      kafka.group().leave(this);
    }
  }
}
