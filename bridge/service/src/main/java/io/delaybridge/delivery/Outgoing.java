package io.delaybridge.delivery;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.ShardId;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A due message on its way out.
 *
 * @param record what was made of it by {@link Records}
 */
public record Outgoing(
    ShardId shard,
    DelayedMessage message,
    Decision decision,
    ProducerRecord<byte[], byte[]> record) {}
