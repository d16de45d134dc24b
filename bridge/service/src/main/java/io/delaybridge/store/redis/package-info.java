/**
 * The store on Redis 6.2 or later, or Valkey. Each shard has four keys with one hash tag (see
 * {@link io.delaybridge.store.redis.RedisKeys}). Each operation has one Lua script, under {@code
 * src/main/resources}.
 */
@NullMarked
package io.delaybridge.store.redis;

import org.jspecify.annotations.NullMarked;
