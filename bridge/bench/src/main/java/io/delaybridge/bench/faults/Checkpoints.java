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
 * The checkpoints that the bridges have committed, by partition of the intake. They say which
 * messages are settled.
 */
final class Checkpoints {

  private static final int TIMEOUT_MS = 8_000;

  private final Map<Integer, Checkpoint> byPartition;

  Checkpoints(Map<Integer, Checkpoint> byPartition) {
    this.byPartition = Map.copyOf(byPartition);
  }

  /**
   * Reads the checkpoints. Waits for open transactions that are about to change them.
   *
   * @param partitions number of partitions of the intake
   * @return the checkpoints, or empty if Kafka cannot return all of them at the moment
   * @throws FaultsException if a checkpoint cannot be parsed
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
        // Kafka omits partitions with a pending change; a partition without an offset is null.
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

  /** Returns whether the message of this intake record is settled. */
  boolean cover(long position, long dueMs) {
    Checkpoint checkpoint = byPartition.get(Position.partition(position));
    return checkpoint != null
        && checkpoint.frontier().covers(new Due(dueMs, Position.offset(position)));
  }
}
