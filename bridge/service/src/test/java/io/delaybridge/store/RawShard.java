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

  byte[] due() {
    return key("due");
  }

  byte[] msg() {
    return key("msg");
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
    return List.of(tag + ":due", tag + ":msg", tag + ":ids", tag + ":meta");
  }

  static byte[] member(long offset) {
    return ByteBuffer.allocate(Long.BYTES).putLong(offset).array();
  }

  /** All bytes of all keys. */
  String contents() {
    StringBuilder contents = new StringBuilder();
    for (String name : keyNames()) {
      byte[] dump = redis.dump(name.getBytes(StandardCharsets.UTF_8));
      contents.append(name).append(' ').append(Arrays.toString(dump)).append('\n');
    }
    return contents.toString();
  }
}
