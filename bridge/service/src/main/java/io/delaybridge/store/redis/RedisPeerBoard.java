package io.delaybridge.store.redis;

import static io.delaybridge.store.redis.RedisKeys.bytes;

import io.delaybridge.store.PeerBoard;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.Future;

/** Keeps the signs in a hash from process to sign. */
public final class RedisPeerBoard implements PeerBoard {

  private final RedisConnection connection;
  private final byte[] key;

  /**
   * @param connection may be shared
   * @param prefix first part of every key
   * @param group the group that the processes belong to
   */
  public RedisPeerBoard(RedisConnection connection, String prefix, String group) {
    this.connection = connection;
    this.key = bytes(prefix + ":peers:" + group);
  }

  @Override
  public Map<String, String> sign(String process, String sign) {
    // One request and one reply: this is most of what an idle bridge asks of Redis.
    List<Object> all =
        await(Script.SIGN.run(redis(), new byte[][] {key}, bytes(process), bytes(sign)));
    Map<String, String> signs = new HashMap<>();
    for (int i = 0; i < all.size(); i += 2) {
      signs.put(text(all.get(i)), text(all.get(i + 1)));
    }
    return signs;
  }

  @Override
  public OptionalLong time() {
    List<Object> time = await(Script.TIME.run(redis(), new byte[][] {key}));
    return time.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(
            Long.parseLong(text(time.get(0))) * 1_000 + Long.parseLong(text(time.get(1))) / 1_000);
  }

  @Override
  public void remove(String process) {
    await(redis().hdel(key, bytes(process)));
  }

  private static String text(Object bytes) {
    return new String((byte[]) bytes, StandardCharsets.UTF_8);
  }

  private RedisClusterAsyncCommands<byte[], byte[]> redis() {
    return Answers.commands(connection);
  }

  private <T> T await(Future<T> future) {
    return Objects.requireNonNull(Answers.await(connection, future));
  }
}
