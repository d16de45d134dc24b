package io.delaybridge.shard;

import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Decides where a shard begins that neither Kafka nor the store knows anything about. */
final class Beginning {

  private static final Logger LOG = LoggerFactory.getLogger(Beginning.class);

  private final Consumer<byte[], byte[]> consumer;
  private final IntakeTopics topics;
  private final LoopSettings settings;

  Beginning(LoopPorts ports, LoopSettings settings) {
    this.consumer = ports.consumer();
    this.topics = ports.topics();
    this.settings = settings;
  }

  /** The offset at which a shard begins if neither Kafka nor the store knows anything about it. */
  long of(Shard shard, long start, long end) throws StopException, Checkpoint.UnreadableException {
    if (start == end) {
      return start;
    }
    if (settings.start() == IntakeStart.EARLIEST) {
      return start;
    }
    OptionalLong seenEmpty = topics.newShards().begin(shard.key);
    if (seenEmpty.isPresent()) {
      LOG.info("Shard {} is new: its partition was empty when this bridge started", shard.id);
      return seenEmpty.getAsLong();
    }
    if (isAddedPartition(shard)) {
      LOG.atLevel(settings.start() == IntakeStart.LATEST ? Level.WARN : Level.INFO)
          .log(
              "Shard {}: its partition was added to the intake, so it is read from its start, offset"
                  + " {}",
              shard.id,
              start);
      return start;
    }
    if (settings.start() == IntakeStart.LATEST) {
      LOG.warn(
          "Shard {}: intake.start is latest, offsets {} to {} are skipped", shard.id, start, end);
      shard.progress.beginAt(end);
      return end;
    }
    throw new StopException(
        ("the intake holds offsets %d to %d, but there is neither a checkpoint nor anything in"
                + " Redis; set intake.start to earliest to deliver them, or to latest to skip them")
            .formatted(start, end));
  }

  /** Added partitions have higher numbers than there were partitions when the first one began. */
  private boolean isAddedPartition(Shard shard) throws Checkpoint.UnreadableException {
    Checkpoint first =
        Committed.read(consumer, new TopicPartition(shard.id.topic(), 0)).checkpoint();
    return first != null
        && first.topicId().equals(shard.key.topicId())
        && shard.id.partition() >= first.born();
  }
}
