package io.delaybridge.store;

import io.delaybridge.message.ShardId;
import io.lettuce.core.RedisCommandExecutionException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Damages the keys of one shard by hand, by chance. */
public final class Vandal {

  private final RedisServer server;
  private final RawShard keys;
  private final Random random;

  /** One for that shard, whose deeds the seed decides. */
  public Vandal(RedisServer server, ShardId id, Random random) {
    this.server = server;
    this.keys = RawShard.of(server.raw, RedisServer.PREFIX, id);
    this.random = random;
  }

  /** Forgets everything that is in Redis. */
  public void wipe() {
    server.raw.flushall();
  }

  /** Damages something and tells what. A due time is never put off: see ADR 15. */
  public String damage() {
    try {
      return deed();
    } catch (RedisCommandExecutionException e) {
      return "found a key of another type";
    }
  }

  private String deed() {
    return switch (random.nextInt(14)) {
      case 0, 1 -> changeByte(keys.msg());
      case 2 -> changeByte(keys.ids());
      case 3 -> changeByte(keys.meta());
      case 4 -> overwrite(keys.msg());
      case 5 -> overwrite(keys.ids());
      case 6 -> overwrite(keys.meta());
      case 7 -> swap(keys.msg());
      case 8 -> swap(keys.ids());
      case 9 -> remove();
      case 10 -> add();
      case 11 -> bringForward();
      case 12 -> anotherMember();
      default -> anotherType();
    };
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
    List<byte[]> members = isDue(key) ? server.raw.zrange(key, 0, -1) : server.raw.hkeys(key);
    if (members.isEmpty() || random.nextInt(4) == 0) {
      server.raw.del(key);
      return "removed " + text(key);
    }
    byte[] member = members.get(random.nextInt(members.size()));
    if (isDue(key)) {
      server.raw.zrem(key, member);
    } else {
      server.raw.hdel(key, member);
    }
    return "removed an element of " + text(key);
  }

  private String add() {
    byte[] key = key();
    byte[] name = random.nextBoolean() ? RawShard.member(random.nextInt(30)) : bytes(8);
    if (isDue(key)) {
      server.raw.zadd(key, random.nextInt(), name);
    } else {
      server.raw.hset(key, name, bytes(16));
    }
    return "added an element to " + text(key);
  }

  private String bringForward() {
    byte[] member = dueMember();
    if (member == null) {
      return "nothing";
    }
    double by = random.nextInt(3) == 0 ? random.nextDouble() * 1e12 : 1 + random.nextInt(500);
    server.raw.zincrby(keys.due(), -by, member);
    return "brought a due time forward by " + by;
  }

  private String anotherMember() {
    byte[] member = dueMember();
    if (member == null) {
      return "nothing";
    }
    Double score = server.raw.zscore(keys.due(), member);
    server.raw.zrem(keys.due(), member);
    server.raw.zadd(keys.due(), score, random.nextBoolean() ? bytes(8) : bytes(random.nextInt(12)));
    return "changed a member of " + text(keys.due());
  }

  private String anotherType() {
    byte[] key = key();
    server.raw.del(key);
    switch (random.nextInt(3)) {
      case 0 -> server.raw.set(key, bytes(10));
      case 1 -> server.raw.rpush(key, bytes(10));
      default -> {
        if (isDue(key)) {
          server.raw.hset(key, bytes(8), bytes(8));
        } else {
          server.raw.zadd(key, 1, bytes(8));
        }
      }
    }
    return "gave another type to " + text(key);
  }

  private byte @Nullable [] dueMember() {
    List<byte[]> members = server.raw.zrange(keys.due(), 0, -1);
    return members.isEmpty() ? null : members.get(random.nextInt(members.size()));
  }

  private byte @Nullable [] field(byte[] key) {
    List<byte[]> fields = new ArrayList<>(server.raw.hkeys(key));
    return fields.isEmpty() ? null : fields.get(random.nextInt(fields.size()));
  }

  private boolean isDue(byte[] key) {
    return key.length == keys.due().length && text(key).endsWith(":due");
  }

  private byte[] key() {
    return keys.key(List.of("due", "msg", "ids", "meta").get(random.nextInt(4)));
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
