/**
 * The heart of the bridge: a {@link io.delaybridge.shard.ShardLoop} runs turns, and each {@link
 * io.delaybridge.shard.Turn} polls, stores, takes, delivers, settles. The {@link
 * io.delaybridge.shard.Frontier} says what is settled, and Kafka keeps it as the {@link
 * io.delaybridge.shard.Checkpoint}. Each loop has one thread, one consumer, one producer and one
 * Redis connection; see docs/protocol.md.
 */
@NullMarked
package io.delaybridge.shard;

import org.jspecify.annotations.NullMarked;
