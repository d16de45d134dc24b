package io.delaybridge.shard;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The committed offset of a partition of the intake, with the checkpoint in its metadata.
 *
 * @param offset -1 if no checkpoint was committed
 * @param epoch leader epoch of what was read up to there, if it is known
 */
record Committed(long offset, Optional<Integer> epoch, @Nullable Checkpoint checkpoint) {

  private static final Logger LOG = LoggerFactory.getLogger(Committed.class);

  // Short: a predecessor's open transaction must not hold up the other shards of the loop.
  private static final Duration TIMEOUT = Duration.ofMillis(500);

  private static final Committed NONE = new Committed(-1, Optional.empty(), null);

  /** Asks Kafka; waits for the transaction of a predecessor, if one is open. */
  static Committed read(Consumer<byte[], byte[]> consumer, TopicPartition partition)
      throws Checkpoint.UnreadableException {
    Map<TopicPartition, OffsetAndMetadata> committed =
        consumer.committed(Set.of(partition), TIMEOUT);
    OffsetAndMetadata offset = committed.get(partition);
    if (offset == null) {
      return NONE;
    }
    if (offset.metadata().isEmpty()) {
      LOG.warn("Offset {} of {} has no checkpoint, so it is ignored", offset.offset(), partition);
      return NONE;
    }
    return new Committed(
        offset.offset(), offset.leaderEpoch(), Checkpoint.parse(offset.metadata()));
  }
}
