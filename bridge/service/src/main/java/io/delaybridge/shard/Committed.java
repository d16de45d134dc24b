package io.delaybridge.shard;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
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

  /**
   * How long Kafka is asked at a time. If the transaction of a predecessor is not over, the
   * consumer would ask again after its retry.backoff.ms, which is long so that an idle bridge costs
   * little.
   */
  private static final Duration TRY = Duration.ofMillis(20);

  /**
   * In half a second: a predecessor's open transaction must not hold up the loop's other shards.
   */
  private static final int TRIES = 25;

  private static final Committed NONE = new Committed(-1, Optional.empty(), null);

  /** Asks Kafka; waits for the transaction of a predecessor, if one is open. */
  static Committed read(Consumer<byte[], byte[]> consumer, TopicPartition partition)
      throws Checkpoint.UnreadableException {
    OffsetAndMetadata offset = ask(consumer, partition);
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

  private static @Nullable OffsetAndMetadata ask(
      Consumer<byte[], byte[]> consumer, TopicPartition partition) {
    for (int attempt = 1; ; attempt++) {
      try {
        return consumer.committed(Set.of(partition), TRY).get(partition);
      } catch (TimeoutException e) {
        // A question that Kafka has not answered yet is not sent again.
        if (attempt == TRIES) {
          throw e;
        }
      }
    }
  }
}
