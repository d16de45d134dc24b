package io.delaybridge.store.redis;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.CorruptMessageException;
import io.delaybridge.schemas.StoredMessageCodec;
import io.delaybridge.store.ShardStore.Judged;
import io.delaybridge.store.ShardStore.Shard;
import io.delaybridge.store.ShardStore.Taken;
import io.delaybridge.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The reply of a script: a status, then fields. If it does not fit, the shard is damaged. */
record Reply(Shard shard, List<Object> fields) {

  static Reply of(Shard shard, List<Object> fields) {
    Reply reply = new Reply(shard, fields);
    if (reply.is("TOPIC")) {
      throw new StoreException.OtherTopic(shard.id(), reply.text(1), shard.topicId());
    }
    if (reply.is("CORRUPT")) {
      throw new StoreException.Corrupt(shard.id(), reply.text(1));
    }
    return reply;
  }

  boolean is(String status) {
    return text(0).equals(status);
  }

  long number(int field) {
    return fields.get(field) instanceof Long number ? number : decimal(shard.id(), text(field));
  }

  Taken taken() {
    List<DelayedMessage> messages = new ArrayList<>(fields.size() - 5);
    for (int at = 5; at < fields.size(); at++) {
      messages.add(message(shard.id(), key(at), bytes(at)));
    }
    Due first = bytes(4).length == 0 ? Due.NEVER : key(4);
    return new Taken(number(1), messages, first, number(2), number(3));
  }

  Judged judged() {
    List<Boolean> alive = new ArrayList<>(fields.size() - 3);
    for (int at = 3; at < fields.size(); at++) {
      alive.add(number(at) == 1);
    }
    return new Judged(number(1), number(2) == 1, alive);
  }

  /** Reads the message that is stored in the member with this key. */
  static DelayedMessage message(ShardId shard, Due key, byte[] member) {
    try {
      return new DelayedMessage(
          key, StoredMessageCodec.decode(member, RedisKeys.KEY_BYTES, key.time(), key.offset()));
    } catch (CorruptMessageException e) {
      throw new StoreException.Corrupt(shard, "message " + key.offset() + ": " + e.getMessage());
    }
  }

  /** Reads the key of a member, or of what begins one. */
  private Due key(int field) {
    try {
      Due key = RedisKeys.key(bytes(field));
      if (key.offset() < 0 || key.offset() >= number(1)) {
        // The key of the first message that stays goes into the checkpoint, unread.
        throw new IllegalArgumentException("a member has the key " + key);
      }
      return key;
    } catch (IllegalArgumentException e) {
      throw new StoreException.Corrupt(shard.id(), String.valueOf(e.getMessage()));
    }
  }

  static long decimal(ShardId shard, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new StoreException.Corrupt(shard, "a field is not a number");
    }
  }

  private String text(int field) {
    return new String(bytes(field), StandardCharsets.UTF_8);
  }

  private byte[] bytes(int field) {
    return (byte[]) fields.get(field);
  }
}
