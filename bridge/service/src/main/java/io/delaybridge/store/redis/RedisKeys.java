package io.delaybridge.store.redis;

import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.store.ShardStore.Named;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The Redis keys of a shard and the encoding of their contents; see keys.lua. The keys share a hash
 * tag, so they are in one slot of a Redis Cluster. The bytes of due times and of offsets sort as
 * their numbers do, so members sort by their keys.
 */
final class RedisKeys {

  private static final int DUE_BYTES = 6;

  /** Size of the key, which each member has before the stored message. */
  static final int KEY_BYTES = DUE_BYTES + Long.BYTES;

  /** No message is due as late as this, in the year 10889. Begins the keys of far messages. */
  private static final long NO_DUE_TIME = (1L << (8 * DUE_BYTES)) - 2;

  private static final long SOMEWHERE = Long.MAX_VALUE;

  /** See keys.lua. */
  private static final long NO_COPY = SOMEWHERE - 1;

  /**
   * The entry of an id.
   *
   * @param origin intake offset of the first record of the message that the id stands for
   */
  record Entry(long origin, Due key) {

    boolean isFar() {
      return key.time() == NO_DUE_TIME;
    }

    /** Offset of a far message in the later topic, or {@link Named#SOMEWHERE}. */
    long at() {
      return key.offset() >= NO_COPY ? Named.SOMEWHERE : key.offset();
    }
  }

  private RedisKeys() {}

  /**
   * Returns {@code pending}, {@code ids}, {@code meta} and {@code repeats}, in the order in which
   * every script has them.
   */
  static byte[][] of(String prefix, ShardId shard) {
    return keys(prefix, shard, "pending", "ids", "meta", "repeats");
  }

  /**
   * Returns all keys that a shard can have left behind. The first layout kept the messages in a
   * hash of their own.
   */
  static byte[][] all(String prefix, ShardId shard) {
    return keys(prefix, shard, "pending", "ids", "meta", "repeats", "due", "msg");
  }

  private static byte[][] keys(String prefix, ShardId shard, String... names) {
    String tag = "{" + prefix + ":" + shard.topic() + ":" + shard.partition() + "}:";
    return Arrays.stream(names).map(name -> bytes(tag + name)).toArray(byte[][]::new);
  }

  /** The key for the answer to the ask at that intake offset. */
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

  /** Bytes before which all members below this key sort, and behind which all others sort. */
  static byte[] key(Due key) {
    return due(ByteBuffer.allocate(KEY_BYTES), key.time()).putLong(key.offset()).array();
  }

  /**
   * The key of a far message.
   *
   * @param at offset in the later topic, or {@link Named#SOMEWHERE}
   */
  static byte[] far(long at) {
    return key(new Due(NO_DUE_TIME, at == Named.SOMEWHERE ? SOMEWHERE : at));
  }

  /**
   * Bytes before which all members with an earlier due time sort, and behind which all others sort.
   */
  static byte[] due(long time) {
    return due(ByteBuffer.allocate(DUE_BYTES), time).array();
  }

  private static ByteBuffer due(ByteBuffer bytes, long time) {
    long one = Math.max(Due.ASKED, Math.min(time, NO_DUE_TIME)) + 1;
    return bytes.putShort((short) (one >> Integer.SIZE)).putInt((int) one);
  }

  /**
   * Makes a member of a stored message.
   *
   * @param stored the message, behind {@link #KEY_BYTES} bytes that become the key
   */
  static byte[] member(Due key, byte[] stored) {
    if (key.time() < Due.ASKED || key.time() >= NO_DUE_TIME) {
      throw new IllegalArgumentException("nothing can have the key " + key);
    }
    return due(ByteBuffer.wrap(stored), key.time()).putLong(key.offset()).array();
  }

  /** Throws IllegalArgumentException if the member is too short to begin with a key. */
  static Due key(byte[] member) {
    if (member.length < KEY_BYTES) {
      throw new IllegalArgumentException("a member of " + member.length + " bytes");
    }
    return key(ByteBuffer.wrap(member));
  }

  /**
   * Reads the entry of an id.
   *
   * @return empty if there is none
   */
  static Optional<Entry> entry(byte @Nullable [] entry) {
    if (entry == null || entry.length != Long.BYTES + KEY_BYTES) {
      return Optional.empty();
    }
    ByteBuffer bytes = ByteBuffer.wrap(entry);
    return Optional.of(new Entry(bytes.getLong(), key(bytes)));
  }

  private static Due key(ByteBuffer bytes) {
    long time = Short.toUnsignedLong(bytes.getShort()) << Integer.SIZE;
    return new Due((time | Integer.toUnsignedLong(bytes.getInt())) - 1, bytes.getLong());
  }
}
