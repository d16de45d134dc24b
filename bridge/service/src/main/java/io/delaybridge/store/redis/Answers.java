package io.delaybridge.store.redis;

import io.delaybridge.store.ShardStore;
import io.delaybridge.store.StoreException;
import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits for answers of Redis, for callers that block. Failures become {@link StoreException}s. */
final class Answers {

  private Answers() {}

  static RedisClusterAsyncCommands<byte[], byte[]> commands(RedisConnection connection) {
    try {
      return connection.commands();
    } catch (RedisException e) {
      throw new StoreException("Redis does not answer: " + e.getMessage(), e);
    }
  }

  /** Waits for an answer. Tells the connection of a failure. */
  static <T> @Nullable T await(RedisConnection connection, Future<T> future) {
    return await(connection, future, ShardStore.LONGEST_ANSWER);
  }

  static <T> @Nullable T await(RedisConnection connection, Future<T> future, Duration limit) {
    try {
      return future.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      connection.failed(cause);
      throw new StoreException("Redis does not answer: " + cause, cause);
    } catch (TimeoutException e) {
      throw new StoreException("Redis did not answer within " + limit.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while waiting for Redis", e);
    }
  }
}
