package io.delaybridge.shard;

import io.delaybridge.store.ShardStore;
import io.delaybridge.store.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.errors.InterruptException;

/** Waits for the store. */
final class Replies {

  private static final long LIMIT_SECONDS = ShardStore.LONGEST_ANSWER.toSeconds();

  private Replies() {}

  static <T> T await(CompletableFuture<T> reply) {
    try {
      return reply.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StoreException failure) {
        throw failure;
      }
      throw new StoreException("the store failed: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new StoreException("the store did not answer within " + LIMIT_SECONDS + " s", e);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }
}
