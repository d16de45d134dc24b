package io.delaybridge.delivery;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.ShardId;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A due message on its way out.
 *
 * @param records what was made of it by {@link Records}: one; or none, or one more, which is the
 *     successor, of a message that repeats
 * @param keepsId whether its id lives on, since a copy that goes to the intake has it
 */
public record Outgoing(
    ShardId shard,
    DelayedMessage message,
    Decision decision,
    List<ProducerRecord<byte[], byte[]>> records,
    boolean keepsId) {

  /** The first record, of a message of which there is one. */
  public ProducerRecord<byte[], byte[]> record() {
    return records.get(0);
  }
}
