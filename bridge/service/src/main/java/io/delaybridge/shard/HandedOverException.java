package io.delaybridge.shard;

import org.apache.kafka.common.KafkaException;

/**
 * Ends a poll in which the group has taken the last shard of a loop that is to stop. Else the poll
 * would join the group again, and when the loop leaves then, the others divide once more.
 *
 * <p>Kafka's consumer passes on what a callback throws if it is a {@link KafkaException}, and has
 * given the partitions up before.
 */
final class HandedOverException extends KafkaException {

  private static final long serialVersionUID = 1;

  HandedOverException() {
    super("others get the shards of this loop");
  }
}
