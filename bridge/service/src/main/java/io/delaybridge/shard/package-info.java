/**
 * The heart: a {@link io.delaybridge.shard.ShardLoop} turns, and each {@link
 * io.delaybridge.shard.Turn} polls, stores, takes, delivers, settles. What is settled is said by
 * the {@link io.delaybridge.shard.Frontier}, which Kafka keeps as the {@link
 * io.delaybridge.shard.Checkpoint}. One thread, one consumer, one producer, one Redis connection
 * per loop; see docs/protocol.md.
 */
@NullMarked
package io.delaybridge.shard;

import org.jspecify.annotations.NullMarked;
