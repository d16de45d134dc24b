package io.delaybridge.store.redis;

import io.delaybridge.message.ShardId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The keys of a shard and what is in them, see keys.lua. The keys share a hash tag, so they are in
 * one slot of a Redis Cluster. An offset is 8 bytes big-endian: members with equal score sort by
 * it.
 */
final class RedisKeys {

  private RedisKeys() {}

  /** {@code pending}, {@code ids}, {@code meta}: the order in which every script has them. */
  static byte[][] of(String prefix, ShardId shard) {
    return keys(prefix, shard, "pending", "ids", "meta");
  }

  /**
   * What a shard can have left behind; the first layout had the messages in a hash of their own.
   */
  static byte[][] all(String prefix, ShardId shard) {
    return keys(prefix, shard, "pending", "ids", "meta", "due", "msg");
  }

  private static byte[][] keys(String prefix, ShardId shard, String... names) {
    String tag = "{" + prefix + ":" + shard.topic() + ":" + shard.partition() + "}:";
    return Arrays.stream(names).map(name -> bytes(tag + name)).toArray(byte[][]::new);
  }

  /** Where the answer to the ask at that intake offset is left. */
  static byte[] answer(String prefix, ShardId shard, long offset) {
    return bytes(
        "{" + prefix + ":" + shard.topic() + ":" + shard.partition() + "}:answer:" + offset);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] bytes(long number) {
    return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
  }

  static byte[] offset(long offset) {
    return ByteBuffer.allocate(Long.BYTES).putLong(offset).array();
  }

  static byte[] member(long offset, byte[] stored) {
    return ByteBuffer.allocate(Long.BYTES + stored.length).putLong(offset).put(stored).array();
  }

  /** Throws IllegalArgumentException if nothing can begin with an offset that is so short. */
  static long offset(byte[] member) {
    if (member.length < Long.BYTES) {
      throw new IllegalArgumentException("a member of " + member.length + " bytes");
    }
    return ByteBuffer.wrap(member).getLong();
  }

  /** The stored message of a member that has an offset. */
  static byte[] stored(byte[] member) {
    return Arrays.copyOfRange(member, Long.BYTES, member.length);
  }
}
