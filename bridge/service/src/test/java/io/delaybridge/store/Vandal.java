package io.delaybridge.store;

import io.delaybridge.message.ShardId;
import io.lettuce.core.RedisCommandExecutionException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Damages the keys of one shard at random. */
public final class Vandal {

  private final RedisServer server;
  private final RawShard keys;
  private final Random random;

  /** Makes a vandal for that shard, whose actions the seed decides. */
  public Vandal(RedisServer server, ShardId id, Random random) {
    this.server = server;
    this.keys = RawShard.of(server.raw, RedisServer.PREFIX, id);
    this.random = random;
  }

  /** Deletes everything in Redis. */
  public void wipe() {
    server.raw.flushall();
  }

  /**
   * Damages something and returns a description. It never moves a key to a later time: see ADR 15.
   */
  public String damage() {
    try {
      return deed();
    } catch (RedisCommandExecutionException e) {
      return "found a key of another type";
    }
  }

  private String deed() {
    return switch (random.nextInt(14)) {
      case 0, 1 -> changeMember();
      case 2 -> changeByte(keys.ids());
      case 3 -> changeByte(keys.meta());
      case 4 -> overwriteMember();
      case 5 -> overwrite(keys.ids());
      case 6 -> overwrite(keys.meta());
      case 7 -> swapMembers();
      case 8 -> swap(keys.ids());
      case 9 -> remove();
      case 10 -> add();
      case 11 -> bringForward();
      case 12 -> changeScore();
      default -> anotherType();
    };
  }

  private String changeMember() {
    byte[] member = pending();
    if (member == null || member.length <= RawShard.KEY_BYTES) {
      return "nothing";
    }
    byte[] changed = member.clone();
    // Not the key: a higher one would make the message later.
    int at = RawShard.KEY_BYTES + random.nextInt(member.length - RawShard.KEY_BYTES);
    changed[at] ^= (byte) (1 + random.nextInt(255));
    replace(member, changed);
    return "changed byte " + at + " of a message";
  }

  private String overwriteMember() {
    byte[] member = pending();
    if (member != null) {
      byte[] key = Arrays.copyOf(member, Math.min(member.length, RawShard.KEY_BYTES));
      replace(member, concat(key, bytes(random.nextInt(40))));
    }
    return "overwrote a message";
  }

  private String swapMembers() {
    byte[] one = pending();
    byte[] other = pending();
    if (one == null || other == null || Arrays.equals(one, other)) {
      return "nothing";
    }
    byte[] head = Arrays.copyOf(one, Math.min(one.length, RawShard.KEY_BYTES));
    byte[] otherHead = Arrays.copyOf(other, Math.min(other.length, RawShard.KEY_BYTES));
    replace(one, concat(head, rest(other)));
    replace(other, concat(otherHead, rest(one)));
    return "swapped what is stored behind two keys";
  }

  private static byte[] rest(byte[] member) {
    return member.length <= RawShard.KEY_BYTES
        ? new byte[0]
        : Arrays.copyOfRange(member, RawShard.KEY_BYTES, member.length);
  }

  private void replace(byte[] member, byte[] by) {
    server.raw.zrem(keys.pending(), member);
    server.raw.zadd(keys.pending(), 0, by);
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private String changeByte(byte[] key) {
    byte[] field = field(key);
    byte[] value = field == null ? null : server.raw.hget(key, field);
    if (value == null || value.length == 0) {
      return "nothing";
    }
    int at = random.nextInt(value.length);
    value[at] ^= (byte) (1 + random.nextInt(255));
    server.raw.hset(key, field, value);
    return "changed byte " + at + " of a value of " + text(key);
  }

  private String overwrite(byte[] key) {
    byte[] field = field(key);
    if (field != null) {
      server.raw.hset(key, field, bytes(random.nextInt(40)));
    }
    return "overwrote a value of " + text(key);
  }

  private String swap(byte[] key) {
    byte[] one = field(key);
    byte[] other = field(key);
    if (one == null || other == null) {
      return "nothing";
    }
    byte[] value = server.raw.hget(key, one);
    server.raw.hset(key, one, server.raw.hget(key, other));
    server.raw.hset(key, other, value);
    return "swapped two values of " + text(key);
  }

  private String remove() {
    byte[] key = key();
    List<byte[]> members = isPending(key) ? server.raw.zrange(key, 0, -1) : server.raw.hkeys(key);
    if (members.isEmpty() || random.nextInt(4) == 0) {
      server.raw.del(key);
      return "removed " + text(key);
    }
    byte[] member = members.get(random.nextInt(members.size()));
    if (isPending(key)) {
      server.raw.zrem(key, member);
    } else {
      server.raw.hdel(key, member);
    }
    return "removed an element of " + text(key);
  }

  private String add() {
    byte[] key = key();
    byte[] name =
        random.nextBoolean()
            ? RawShard.member(random.nextInt(1_000), random.nextInt(30), bytes(20))
            : bytes(8);
    if (isPending(key)) {
      server.raw.zadd(key, random.nextInt(2), name);
    } else {
      server.raw.hset(key, name, bytes(16));
    }
    return "added an element to " + text(key);
  }

  private String bringForward() {
    byte[] member = pending();
    if (member == null) {
      return "nothing";
    }
    int[] lowerable =
        IntStream.range(0, Math.min(member.length, RawShard.KEY_BYTES))
            .filter(i -> member[i] != 0)
            .toArray();
    if (lowerable.length == 0) {
      return "nothing";
    }
    int at = lowerable[random.nextInt(lowerable.length)];
    byte[] earlier = member.clone();
    earlier[at] = (byte) random.nextInt(Byte.toUnsignedInt(member[at]));
    replace(member, earlier);
    return "brought a key forward in byte " + at;
  }

  private String changeScore() {
    byte[] member = pending();
    if (member == null) {
      return "nothing";
    }
    double score = random.nextBoolean() ? random.nextGaussian() * 1e12 : 1 - 2 * random.nextInt(2);
    server.raw.zadd(keys.pending(), score, member);
    return "gave the score " + score + " to a message";
  }

  private String anotherType() {
    byte[] key = key();
    server.raw.del(key);
    switch (random.nextInt(3)) {
      case 0 -> server.raw.set(key, bytes(10));
      case 1 -> server.raw.rpush(key, bytes(10));
      default -> {
        if (isPending(key)) {
          server.raw.hset(key, bytes(8), bytes(8));
        } else {
          server.raw.zadd(key, 1, bytes(8));
        }
      }
    }
    return "gave another type to " + text(key);
  }

  private byte @Nullable [] pending() {
    List<byte[]> members = server.raw.zrange(keys.pending(), 0, -1);
    return members.isEmpty() ? null : members.get(random.nextInt(members.size()));
  }

  private byte @Nullable [] field(byte[] key) {
    List<byte[]> fields = new ArrayList<>(server.raw.hkeys(key));
    return fields.isEmpty() ? null : fields.get(random.nextInt(fields.size()));
  }

  private boolean isPending(byte[] key) {
    return Arrays.equals(key, keys.pending());
  }

  private byte[] key() {
    return keys.key(List.of("pending", "ids", "meta").get(random.nextInt(3)));
  }

  private static String text(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }

  private byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }
}
