package io.delaybridge.store.redis;

import io.delaybridge.store.StoreException;
import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
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

  /** Waits without a limit: commands time out by themselves. Tells the connection of a failure. */
  static <T> @Nullable T await(RedisConnection connection, Future<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      connection.failed(cause);
      throw new StoreException("Redis does not answer: " + cause, cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while waiting for Redis", e);
    }
  }
}
