/**
 * The store on Redis 6.2 or later, or Valkey. Per shard three keys with one hash tag (see {@link
 * io.delaybridge.store.redis.RedisKeys}) and one Lua script per operation, under {@code
 * src/main/resources}.
 */
@NullMarked
package io.delaybridge.store.redis;

import org.jspecify.annotations.NullMarked;
