package io.delaybridge.store.redis;

import io.delaybridge.message.ShardId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The keys of a shard and how offsets are written. The keys share a hash tag, so they are in one
 * slot of a Redis Cluster. An offset is 8 bytes big-endian: members with equal score sort by it.
 */
final class RedisKeys {

  private RedisKeys() {}

  /**
   * {@code due}, {@code msg}, {@code ids}, {@code meta}: the order in which every script has them.
   */
  static byte[][] of(String prefix, ShardId shard) {
    String tag = "{" + prefix + ":" + shard.topic() + ":" + shard.partition() + "}";
    return new byte[][] {
      bytes(tag + ":due"), bytes(tag + ":msg"), bytes(tag + ":ids"), bytes(tag + ":meta")
    };
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

  static byte[] member(long offset) {
    return ByteBuffer.allocate(Long.BYTES).putLong(offset).array();
  }

  /** Throws IllegalArgumentException if it is not the member of an offset. */
  static long offset(byte[] member) {
    if (member.length != Long.BYTES) {
      throw new IllegalArgumentException("a member of " + member.length + " bytes");
    }
    return ByteBuffer.wrap(member).getLong();
  }
}
