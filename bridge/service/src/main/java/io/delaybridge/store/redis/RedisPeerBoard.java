package io.delaybridge.store.redis;

import static io.delaybridge.store.redis.RedisKeys.bytes;

import io.delaybridge.store.PeerBoard;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** A hash from process to sign. */
public final class RedisPeerBoard implements PeerBoard {

  private final RedisConnection connection;
  private final byte[] key;

  /**
   * @param connection may be shared
   * @param prefix first part of every key
   * @param group whose processes these are
   */
  public RedisPeerBoard(RedisConnection connection, String prefix, String group) {
    this.connection = connection;
    this.key = bytes(prefix + ":peers:" + group);
  }

  @Override
  public Map<String, String> sign(String process, String sign) {
    RedisFuture<Boolean> left = redis().hset(key, bytes(process), bytes(sign));
    Map<String, String> signs = new HashMap<>();
    await(redis().hgetall(key)).forEach((each, its) -> signs.put(text(each), text(its)));
    await(left);
    return signs;
  }

  @Override
  public void remove(String process) {
    await(redis().hdel(key, bytes(process)));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private RedisClusterAsyncCommands<byte[], byte[]> redis() {
    return Answers.commands(connection);
  }

  private <T> T await(RedisFuture<T> future) {
    return Objects.requireNonNull(Answers.await(connection, future));
  }
}
