package io.delaybridge.message;

import java.util.Comparator;

/**
 * Names a shard: the intake partition it belongs to.
 *
 * @param topic intake topic
 * @param partition partition number, from 0
 */
public record ShardId(String topic, int partition) {

  /** By topic, then by partition: the order in which shards are shown. */
  public static final Comparator<ShardId> ORDER =
      Comparator.comparing(ShardId::topic).thenComparingInt(ShardId::partition);

  /** The message that the record at {@code offset} of this partition asks for. */
  public Source source(long offset) {
    return new Source(topic, partition, offset);
  }

  @Override
  public String toString() {
    return topic + "/" + partition;
  }
}
