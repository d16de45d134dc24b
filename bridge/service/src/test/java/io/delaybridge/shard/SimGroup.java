package io.delaybridge.shard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The consumer group: its members, the assignment of partitions, and the committed offsets. A
 * rebalance ends, and the generation grows, when every member has polled and thereby given up the
 * partitions it must give up. The group does not wait for an evicted member.
 */
final class SimGroup {

  static final String ID = "delay-bridge";

  private final Map<String, SimConsumer> members = new LinkedHashMap<>();
  private final Map<TopicPartition, SimConsumer> plan = new LinkedHashMap<>();
  private final Set<SimConsumer> joined = new HashSet<>();
  private boolean rebalancing;
  private int generation;

  private final Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
  private final Map<TopicPartition, List<OffsetAndMetadata>> history = new HashMap<>();
  private final List<TopicPartition> pending = new ArrayList<>();
  private int unfenced;

  int generation() {
    return generation;
  }

  boolean isRebalancing() {
    return rebalancing;
  }

  // Partitions and their owners.

  void created(TopicPartition partition) {
    plan.put(partition, null);
    if (!members.isEmpty()) {
      assignTo(partition, members.values().iterator().next());
    }
  }

  /** Assigns the partition from the next rebalance on, which begins now. */
  void assignTo(TopicPartition partition, @Nullable SimConsumer owner) {
    plan.put(partition, owner);
    rebalance();
  }

  /** Gives everything to one member. */
  void giveAll(SimConsumer owner) {
    plan.replaceAll((partition, before) -> owner);
    rebalance();
  }

  Set<TopicPartition> planned(SimConsumer member) {
    Set<TopicPartition> partitions = new java.util.LinkedHashSet<>();
    plan.forEach(
        (partition, owner) -> {
          if (owner == member) {
            partitions.add(partition);
          }
        });
    return partitions;
  }

  // Members.

  /** Adds a member, which gets the partitions without an owner. */
  void join(SimConsumer member) {
    members.put(member.memberId(), member);
    plan.replaceAll((partition, owner) -> owner == null ? member : owner);
    rebalance();
  }

  /**
   * Ends the session of a member that does not know. Its partitions go to another member, if any.
   */
  void evict(SimConsumer member) {
    member.evicted();
    leave(member);
  }

  void leave(SimConsumer member) {
    members.remove(member.memberId());
    SimConsumer heir = members.isEmpty() ? null : members.values().iterator().next();
    plan.replaceAll((partition, owner) -> owner == member ? heir : owner);
    generation++;
    rebalance();
  }

  boolean knows(SimConsumer member) {
    return members.get(member.memberId()) == member;
  }

  private void rebalance() {
    joined.clear();
    rebalancing = !members.isEmpty();
  }

  boolean hasJoined(SimConsumer member) {
    return joined.contains(member);
  }

  void joined(SimConsumer member) {
    joined.add(member);
    if (joined.containsAll(members.values())) {
      rebalancing = false;
      generation++;
    }
  }

  // Offsets.

  /** Refuses a stale member but, like a broker, accepts one without a name. */
  void check(ConsumerGroupMetadata member) {
    if (member.memberId().isEmpty()) {
      unfenced++;
    } else if (!members.containsKey(member.memberId()) || member.generationId() != generation) {
      throw new CommitFailedException("generation %d is over".formatted(member.generationId()));
    }
  }

  /** Returns how often offsets came with empty group metadata. */
  int unfenced() {
    return unfenced;
  }

  void commit(TopicPartition partition, OffsetAndMetadata offset) {
    committed.put(partition, offset);
    history.computeIfAbsent(partition, key -> new ArrayList<>()).add(offset);
  }

  /** Begins or stops to wait for a transaction. */
  void pending(TopicPartition partition, boolean begins) {
    if (begins) {
      pending.add(partition);
    } else {
      pending.remove(partition);
    }
  }

  boolean isPending(TopicPartition partition) {
    return pending.contains(partition);
  }

  @Nullable OffsetAndMetadata committed(TopicPartition partition) {
    return committed.get(partition);
  }

  List<OffsetAndMetadata> history(TopicPartition partition) {
    return history.getOrDefault(partition, List.of());
  }

  /** Returns all members and offsets as a text that is equal for equal groups. */
  String dump() {
    List<String> owners = new ArrayList<>();
    plan.forEach((partition, owner) -> owners.add(owner == null ? "-" : owner.memberId()));
    List<String> ready = joined.stream().map(SimConsumer::memberId).sorted().toList();
    List<String> offsets = new ArrayList<>();
    // Without the number of the checkpoint, the third field, which only ever grows.
    committed.forEach(
        (partition, offset) ->
            offsets.add(offset.offset() + offset.metadata().replaceFirst("[|][0-9]+[|]", "|")));
    return "%s %s %s %b %s %s"
        .formatted(members.keySet(), owners, ready, rebalancing, offsets, pending);
  }

  /** Removes the offsets, as if they had expired or somebody had reset them. */
  void forget(TopicPartition partition) {
    committed.remove(partition);
    history.remove(partition);
  }
}
