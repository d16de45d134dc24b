package io.delaybridge.admin.health;

import com.codahale.metrics.health.HealthCheck;
import io.delaybridge.store.redis.RedisConnection;
import io.delaybridge.store.redis.RedisMemory;

/** Healthy if Redis answers and does not evict keys. */
public final class RedisHealthCheck extends HealthCheck {

  private final RedisConnection redis;

  /** Takes a connection of its own. */
  public RedisHealthCheck(RedisConnection redis) {
    this.redis = redis;
  }

  @Override
  protected Result check() {
    RedisMemory memory;
    try {
      memory = redis.memory();
    } catch (RuntimeException e) {
      return Result.unhealthy("Redis does not answer: %s", e.getMessage());
    }
    if (!memory.losesNothing()) {
      return Result.unhealthy(
          "maxmemory-policy is %s, needed: %s; Redis may drop pending messages",
          memory.policy(), RedisMemory.NEEDED_POLICY);
    }
    return memory.max() == 0
        ? Result.healthy("%d bytes used, no limit", memory.used())
        : Result.healthy("%d of %d bytes used", memory.used(), memory.max());
  }
}
