package io.delaybridge.bench.faults;

import io.delaybridge.message.Due;
import io.delaybridge.shard.Checkpoint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * What the bridges have committed to say which messages are settled, by partition of the intake.
 */
final class Checkpoints {

  private static final int TIMEOUT_MS = 8_000;

  private final Map<Integer, Checkpoint> byPartition;

  Checkpoints(Map<Integer, Checkpoint> byPartition) {
    this.byPartition = Map.copyOf(byPartition);
  }

  /**
   * Reads them; what a transaction is about to change is waited for.
   *
   * @param partitions of the intake
   * @return empty if Kafka does not tell all of them for now
   * @throws FaultsException if one cannot be read
   */
  static Optional<Checkpoints> fetch(Admin admin, int partitions) {
    Map<Integer, Checkpoint> found = new HashMap<>();
    try {
      ListConsumerGroupOffsetsOptions stable =
          new ListConsumerGroupOffsetsOptions().requireStable(true).timeoutMs(TIMEOUT_MS);
      List<TopicPartition> asked = Intake.partitions(partitions);
      Map<TopicPartition, OffsetAndMetadata> offsets =
          admin
              .listConsumerGroupOffsets(
                  Map.of(
                      BridgeConfig.GROUP,
                      new ListConsumerGroupOffsetsSpec().topicPartitions(asked)),
                  stable)
              .partitionsToOffsetAndMetadata(BridgeConfig.GROUP)
              .get();
      if (!offsets.keySet().containsAll(asked)) {
        // Left out is what a transaction is about to change; a partition without any is null.
        return Optional.empty();
      }
      for (Map.Entry<TopicPartition, OffsetAndMetadata> entry : offsets.entrySet()) {
        OffsetAndMetadata offset = entry.getValue();
        if (offset != null) {
          found.put(entry.getKey().partition(), Checkpoint.parse(offset.metadata()));
        }
      }
      return Optional.of(new Checkpoints(found));
    } catch (ExecutionException e) {
      return Optional.empty();
    } catch (Checkpoint.UnreadableException e) {
      throw new FaultsException(String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      throw FaultsException.interrupted("the checkpoints", e);
    }
  }

  /** Whether the message of this intake record is settled. */
  boolean cover(long position, long dueMs) {
    Checkpoint checkpoint = byPartition.get(Position.partition(position));
    return checkpoint != null
        && checkpoint.frontier().covers(new Due(dueMs, Position.offset(position)));
  }
}
