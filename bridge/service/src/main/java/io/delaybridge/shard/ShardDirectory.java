package io.delaybridge.shard;

import io.delaybridge.message.ShardId;
import io.delaybridge.shard.Checkpoint.UnreadableException;
import io.delaybridge.store.ShardStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks Kafka about all shards of all instances. Safe for use by many threads; every method blocks.
 */
public final class ShardDirectory {

  private static final Logger LOG = LoggerFactory.getLogger(ShardDirectory.class);

  /** Kafka did not answer. */
  public static final class UnavailableException extends Exception {
    private static final long serialVersionUID = 1;

    UnavailableException(Throwable cause) {
      super("Kafka does not answer: " + cause.getMessage(), cause);
    }
  }

  /**
   * The loop that a shard is assigned to.
   *
   * @param loop its client id
   */
  public record Owner(String loop, String host) {}

  private final Admin admin;
  private final String groupId;
  private final List<String> intakes;
  private final int timeoutMillis;

  /** Takes the names of group and intakes. */
  public ShardDirectory(Admin admin, String groupId, List<String> intakes, Duration timeout) {
    this.admin = admin;
    this.groupId = groupId;
    this.intakes = intakes;
    this.timeoutMillis = (int) timeout.toMillis();
  }

  /** Every partition of every intake. */
  public List<ShardId> shards() throws UnavailableException, InterruptedException {
    List<ShardId> shards = new ArrayList<>();
    keys().forEach(key -> shards.add(key.id()));
    shards.sort(ShardId.ORDER);
    return shards;
  }

  /** Every partition of every intake, as the store must know it, in no order. */
  public List<ShardStore.Shard> keys() throws UnavailableException, InterruptedException {
    DescribeTopicsOptions options = new DescribeTopicsOptions().timeoutMs(timeoutMillis);
    List<ShardStore.Shard> keys = new ArrayList<>();
    await(admin.describeTopics(intakes, options).allTopicNames())
        .forEach(
            (topic, description) -> {
              String topicId = description.topicId().toString();
              description
                  .partitions()
                  .forEach(
                      each ->
                          keys.add(
                              new ShardStore.Shard(new ShardId(topic, each.partition()), topicId)));
            });
    return keys;
  }

  /**
   * Where each log ends, including records in open transactions: a record that Kafka has
   * acknowledged is below it.
   */
  public Map<ShardId, Long> ends(Collection<ShardId> shards)
      throws UnavailableException, InterruptedException {
    return offsets(shards, OffsetSpec.latest());
  }

  /** Where each log starts: the offset of the first record that Kafka still has. */
  public Map<ShardId, Long> starts(Collection<ShardId> shards)
      throws UnavailableException, InterruptedException {
    return offsets(shards, OffsetSpec.earliest());
  }

  private Map<ShardId, Long> offsets(Collection<ShardId> shards, OffsetSpec spec)
      throws UnavailableException, InterruptedException {
    Map<TopicPartition, OffsetSpec> specs =
        shards.stream().collect(Collectors.toMap(ShardDirectory::partition, shard -> spec));
    ListOffsetsOptions options =
        new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED).timeoutMs(timeoutMillis);
    return byShard(await(admin.listOffsets(specs, options).all()), ListOffsetsResultInfo::offset);
  }

  /** The loops that have shards; a shard that is on its way from one to another has none. */
  public Map<ShardId, Owner> owners() throws UnavailableException, InterruptedException {
    DescribeConsumerGroupsOptions options =
        new DescribeConsumerGroupsOptions().timeoutMs(timeoutMillis);
    Map<ShardId, Owner> owners = new HashMap<>();
    List<MemberDescription> members =
        await(admin.describeConsumerGroups(List.of(groupId), options).all()).values().stream()
            .flatMap(group -> group.members().stream())
            .toList();
    for (MemberDescription member : members) {
      for (TopicPartition partition : member.assignment().topicPartitions()) {
        owners.put(shard(partition), new Owner(member.clientId(), member.host()));
      }
    }
    return owners;
  }

  /**
   * The state that Kafka has committed for a shard.
   *
   * @param offset of the intake; all records before it were read
   */
  public record Committed(long offset, Checkpoint checkpoint) {}

  /** The committed checkpoints that can be read. */
  public Map<ShardId, Checkpoint> checkpoints() throws UnavailableException, InterruptedException {
    Map<ShardId, Checkpoint> checkpoints = new HashMap<>();
    committed().forEach((shard, each) -> checkpoints.put(shard, each.checkpoint()));
    return checkpoints;
  }

  /** The same, with their offsets. */
  public Map<ShardId, Committed> committed() throws UnavailableException, InterruptedException {
    ListConsumerGroupOffsetsOptions options =
        new ListConsumerGroupOffsetsOptions().timeoutMs(timeoutMillis);
    Map<ShardId, Committed> committed = new HashMap<>();
    byShard(
            await(admin.listConsumerGroupOffsets(groupId, options).partitionsToOffsetAndMetadata()),
            ShardDirectory::committed)
        .forEach((shard, found) -> found.ifPresent(each -> committed.put(shard, each)));
    return committed;
  }

  /**
   * The intakes that have more partitions now than when one of their shards began; see ADR 3. The
   * same key goes to another partition of them than it did.
   */
  public Set<String> grown() throws UnavailableException, InterruptedException {
    Map<String, Long> partitions =
        keys().stream()
            .collect(Collectors.groupingBy(key -> key.id().topic(), Collectors.counting()));
    return checkpoints().entrySet().stream()
        .filter(each -> each.getValue().born() < partitions.getOrDefault(each.getKey().topic(), 0L))
        .map(each -> each.getKey().topic())
        .collect(Collectors.toSet());
  }

  private static Optional<Committed> committed(OffsetAndMetadata offset) {
    try {
      return offset.metadata().isEmpty()
          ? Optional.empty()
          : Optional.of(new Committed(offset.offset(), Checkpoint.parse(offset.metadata())));
    } catch (UnreadableException e) {
      LOG.debug("A shard is not shown", e);
      return Optional.empty();
    }
  }

  private static <T, R> Map<ShardId, R> byShard(
      Map<TopicPartition, T> byPartition, Function<T, R> value) {
    Map<ShardId, R> byShard = new HashMap<>();
    byPartition.forEach(
        (partition, found) -> {
          if (found != null) {
            byShard.put(shard(partition), value.apply(found));
          }
        });
    return byShard;
  }

  private static TopicPartition partition(ShardId shard) {
    return new TopicPartition(shard.topic(), shard.partition());
  }

  private static ShardId shard(TopicPartition partition) {
    return new ShardId(partition.topic(), partition.partition());
  }

  private static <T> T await(KafkaFuture<T> future)
      throws UnavailableException, InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new UnavailableException(e.getCause() == null ? e : e.getCause());
    }
  }
}
