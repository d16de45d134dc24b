package io.delaybridge.store.redis;

import io.delaybridge.store.ShardStore.Shard;
import io.delaybridge.store.StoreException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** Runs scripts on the keys of a shard; all that fails is a {@link StoreException}. */
final class ShardCalls {

  private final RedisConnection connection;
  private final String prefix;

  ShardCalls(RedisConnection connection, String prefix) {
    this.connection = connection;
    this.prefix = prefix;
  }

  <T> CompletableFuture<T> run(Script script, Shard shard, byte[][] args, Function<Reply, T> read) {
    return run(script, shard, List.<byte[][]>of(args), read).get(0);
  }

  /** Returns one future for each call, or only one that fails if there is no connection. */
  <T> List<CompletableFuture<T>> run(
      Script script, Shard shard, List<byte[][]> calls, Function<Reply, T> read) {
    byte[][] keys = RedisKeys.of(prefix, shard.id());
    List<CompletableFuture<List<Object>>> answers;
    try {
      answers = script.run(connection.commands(), keys, calls);
    } catch (RuntimeException e) {
      answers = List.of(CompletableFuture.failedFuture(e));
    }
    return answers.stream()
        .map(answer -> guard(shard, () -> answer, raw -> read.apply(Reply.of(shard, raw))))
        .toList();
  }

  /** For calls on Lettuce's own thread, which must not connect. */
  <T> CompletableFuture<T> runIfConnected(
      Script script, Shard shard, byte[][] args, Function<Reply, T> read) {
    return guard(
        shard,
        () -> script.run(connection.commandsIfConnected(), RedisKeys.of(prefix, shard.id()), args),
        raw -> read.apply(Reply.of(shard, raw)));
  }

  /** For calls about the keys of a shard. */
  <R, T> CompletableFuture<T> guard(
      Shard shard, Supplier<CompletionStage<R>> call, Function<R, T> read) {
    return guard(call, read)
        .exceptionallyCompose(
            failure -> CompletableFuture.failedFuture(wrongType(shard, Script.cause(failure))));
  }

  /** A key whose type differs from the layout can only be damage. */
  private static Throwable wrongType(Shard shard, Throwable failure) {
    return String.valueOf(failure.getMessage()).contains("WRONGTYPE")
        ? new StoreException.Corrupt(shard.id(), "a key has the wrong type")
        : failure;
  }

  <R, T> CompletableFuture<T> guard(Supplier<CompletionStage<R>> call, Function<R, T> read) {
    CompletableFuture<R> sent;
    try {
      sent = call.get().toCompletableFuture();
    } catch (RuntimeException e) {
      sent = CompletableFuture.failedFuture(e);
    }
    return sent.thenApply(read)
        .exceptionallyCompose(failure -> CompletableFuture.failedFuture(failed(failure)));
  }

  private StoreException failed(Throwable failure) {
    Throwable cause = Script.cause(failure);
    connection.failed(cause);
    return cause instanceof StoreException store
        ? store
        : new StoreException("Redis: " + cause.getMessage(), cause);
  }
}
