package io.delaybridge.store;

import io.delaybridge.message.ShardId;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The keys of a shard as the documentation describes them, read and written past the store. */
record RawShard(RedisCommands<byte[], byte[]> redis, String tag) {

  static RawShard of(RedisCommands<byte[], byte[]> redis, String prefix, ShardId id) {
    return new RawShard(redis, "{%s:%s:%d}".formatted(prefix, id.topic(), id.partition()));
  }

  byte[] pending() {
    return key("pending");
  }

  byte[] ids() {
    return key("ids");
  }

  byte[] meta() {
    return key("meta");
  }

  byte[] key(String name) {
    return Samples.utf8(tag + ":" + name);
  }

  List<String> keyNames() {
    return List.of(tag + ":pending", tag + ":ids", tag + ":meta", tag + ":repeats");
  }

  /** The number of bytes of a key. */
  static final int KEY_BYTES = 14;

  static byte[] member(long due, long offset, byte[] stored) {
    return ByteBuffer.allocate(KEY_BYTES + stored.length)
        .putShort((short) ((due + 1) >> Integer.SIZE))
        .putInt((int) (due + 1))
        .putLong(offset)
        .put(stored)
        .array();
  }

  /** Returns the member with that offset. */
  byte[] member(long offset) {
    return redis.zrange(pending(), 0, -1).stream()
        .filter(member -> ByteBuffer.wrap(member).getLong(KEY_BYTES - Long.BYTES) == offset)
        .findFirst()
        .orElseThrow();
  }

  /** Returns the stored bytes after the key of the member with that offset. */
  byte[] stored(long offset) {
    byte[] member = member(offset);
    return Arrays.copyOfRange(member, KEY_BYTES, member.length);
  }

  /** Replaces the member with that offset. */
  void replace(long offset, byte[] member) {
    redis.zrem(pending(), member(offset));
    redis.zadd(pending(), 0, member);
  }

  /** Returns all bytes of all keys. */
  String contents() {
    StringBuilder contents = new StringBuilder();
    for (String name : keyNames()) {
      byte[] dump = redis.dump(name.getBytes(StandardCharsets.UTF_8));
      contents.append(name).append(' ').append(Arrays.toString(dump)).append('\n');
    }
    return contents.toString();
  }
}
