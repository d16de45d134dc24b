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
 * The keys of a shard and what is in them, see keys.lua. The keys share a hash tag, so they are in
 * one slot of a Redis Cluster. The bytes of due times and of offsets sort as their numbers do, so
 * members sort by their keys.
 */
final class RedisKeys {

  private static final int DUE_BYTES = 6;

  /** Of each member, before the stored message. */
  static final int KEY_BYTES = DUE_BYTES + Long.BYTES;

  /** No message is due as late as this, in the year 10889: it begins the keys of what is far. */
  private static final long NO_DUE_TIME = (1L << (8 * DUE_BYTES)) - 2;

  private static final long SOMEWHERE = Long.MAX_VALUE;

  /**
   * The entry of an id.
   *
   * @param origin intake offset of the first record of what it stands for
   */
  record Entry(long origin, Due key) {

    boolean isFar() {
      return key.time() == NO_DUE_TIME;
    }

    /** Offset in the later topic of what is far, or {@link Named#SOMEWHERE}. */
    long at() {
      return key.offset() == SOMEWHERE ? Named.SOMEWHERE : key.offset();
    }
  }

  private RedisKeys() {}

  /**
   * {@code pending}, {@code ids}, {@code meta}, {@code repeats}: the order in which every script
   * has them.
   */
  static byte[][] of(String prefix, ShardId shard) {
    return keys(prefix, shard, "pending", "ids", "meta", "repeats");
  }

  /**
   * What a shard can have left behind; the first layout had the messages in a hash of their own.
   */
  static byte[][] all(String prefix, ShardId shard) {
    return keys(prefix, shard, "pending", "ids", "meta", "repeats", "due", "msg");
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

  /** All members below this key sort before these bytes, and all others behind them. */
  static byte[] key(Due key) {
    return due(ByteBuffer.allocate(KEY_BYTES), key.time()).putLong(key.offset()).array();
  }

  /**
   * The key of what is far.
   *
   * @param at offset in the later topic, or {@link Named#SOMEWHERE}
   */
  static byte[] far(long at) {
    return key(new Due(NO_DUE_TIME, at == Named.SOMEWHERE ? SOMEWHERE : at));
  }

  /** All members with an earlier due time sort before these bytes, and all others behind them. */
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
   * @param stored with {@link #KEY_BYTES} in front, which become the key
   */
  static byte[] member(Due key, byte[] stored) {
    if (key.time() < Due.ASKED || key.time() >= NO_DUE_TIME) {
      throw new IllegalArgumentException("nothing can have the key " + key);
    }
    return due(ByteBuffer.wrap(stored), key.time()).putLong(key.offset()).array();
  }

  /** Throws IllegalArgumentException if nothing can begin with a key that is so short. */
  static Due key(byte[] member) {
    if (member.length < KEY_BYTES) {
      throw new IllegalArgumentException("a member of " + member.length + " bytes");
    }
    return key(ByteBuffer.wrap(member));
  }

  /**
   * What an id stands for.
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
