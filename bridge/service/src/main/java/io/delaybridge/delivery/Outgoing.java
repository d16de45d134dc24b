package io.delaybridge.delivery;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.ShardId;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A due message on its way out.
 *
 * @param records made from the message by {@link Records}: one; for a message that repeats also
 *     none, or one more, which is the successor
 * @param keepsId whether the id of the message lives on in a copy that goes to the intake
 */
public record Outgoing(
    ShardId shard,
    DelayedMessage message,
    Decision decision,
    List<ProducerRecord<byte[], byte[]>> records,
    boolean keepsId) {

  /** Returns the first record; there must be one. */
  public ProducerRecord<byte[], byte[]> record() {
    return records.get(0);
  }
}
