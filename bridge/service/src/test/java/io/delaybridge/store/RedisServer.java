package io.delaybridge.store;

import io.delaybridge.stack.LocalRedis;
import io.delaybridge.store.redis.RedisAddress;
import io.delaybridge.store.redis.RedisConnection;
import io.delaybridge.store.redis.RedisShardStore;
import io.delaybridge.store.redis.RedisTls;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.file.Path;
import java.time.Duration;

/** A real Redis with a store on it, and a direct connection that bypasses the store. */
public final class RedisServer implements AutoCloseable {

  static final String PREFIX = "bridge";
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  final LocalRedis process;
  final ShardStore store;
  final RedisCommands<byte[], byte[]> raw;
  private final RedisClient client;

  private RedisServer(LocalRedis process) {
    this.process = process;
    this.store = store(TIMEOUT);
    this.client = RedisClient.create(process.uri());
    this.raw = client.connect(ByteArrayCodec.INSTANCE).sync();
  }

  /** Starts a server with its files in that directory. */
  public static RedisServer start(Path dir) {
    return start(LocalRedis.at(dir));
  }

  /** Returns a server for a process that is not started yet. */
  static RedisServer start(LocalRedis process) {
    return new RedisServer(process.start());
  }

  /** Returns another store on the same Redis; the caller closes it. */
  public ShardStore store(Duration timeout) {
    return new RedisShardStore(connection(timeout), PREFIX);
  }

  /** Returns a connection of the product to the same Redis; the caller closes it. */
  public RedisConnection connection(Duration timeout) {
    return new RedisConnection(new RedisAddress(process.uri(), false, timeout, RedisTls.DEFAULT));
  }

  RawShard keys(ShardClient shard) {
    return RawShard.of(raw, PREFIX, shard.shard().id());
  }

  @Override
  public void close() {
    store.close();
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    process.kill();
  }
}
