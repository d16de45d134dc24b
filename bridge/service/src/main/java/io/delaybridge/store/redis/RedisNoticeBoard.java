package io.delaybridge.store.redis;

import static io.delaybridge.store.redis.RedisKeys.bytes;

import io.delaybridge.store.NoticeBoard;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Keeps the notices in a hash from author to time and text. */
public final class RedisNoticeBoard implements NoticeBoard {

  private static final char BEHIND_TIME = ' ';

  private final RedisConnection connection;
  private final byte[] key;
  private final InstantSource clock;

  /**
   * @param connection may be shared
   * @param prefix first part of every key
   */
  public RedisNoticeBoard(RedisConnection connection, String prefix, InstantSource clock) {
    this.connection = connection;
    this.key = bytes(prefix + ":instances");
    this.clock = clock;
  }

  @Override
  public void put(String author, String text, long olderThan) {
    RedisFuture<Boolean> written =
        redis()
            .hset(key, bytes(author), bytes(clock.millis() + String.valueOf(BEHIND_TIME) + text));
    byte[][] old =
        notices().entrySet().stream()
            .filter(notice -> time(notice.getValue()) < olderThan)
            .map(Map.Entry::getKey)
            .toArray(byte[][]::new);
    if (old.length > 0) {
      await(redis().hdel(key, old));
    }
    await(written);
  }

  @Override
  public List<String> all() {
    return notices().values().stream()
        .map(
            notice -> {
              String text = new String(notice, StandardCharsets.UTF_8);
              return text.substring(text.indexOf(BEHIND_TIME) + 1);
            })
        .toList();
  }

  private Map<byte[], byte[]> notices() {
    return Objects.requireNonNull(await(redis().hgetall(key)));
  }

  private static long time(byte[] notice) {
    String text = new String(notice, StandardCharsets.UTF_8);
    int end = text.indexOf(BEHIND_TIME);
    return end > 0 && text.substring(0, end).matches("[0-9]{1,15}")
        ? Long.parseLong(text.substring(0, end))
        : 0;
  }

  private RedisClusterAsyncCommands<byte[], byte[]> redis() {
    return Answers.commands(connection);
  }

  private <T> T await(RedisFuture<T> future) {
    return Objects.requireNonNull(Answers.await(connection, future));
  }
}
