package io.delaybridge.store.redis;

import static io.delaybridge.store.redis.RedisKeys.bytes;
import static io.delaybridge.store.redis.RedisKeys.member;

import io.delaybridge.message.Ask;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.schemas.StoredAsk;
import io.delaybridge.schemas.StoredMessage;
import io.delaybridge.schemas.StoredMessageCodec;
import io.delaybridge.store.Entry;
import java.util.ArrayList;
import java.util.List;

/** The entries of one ingest call as the script reads them, with their size. */
final class IngestArguments {

  private static final byte[] PLAIN = bytes("s");
  private static final byte[] NAMED = bytes("S");
  private static final byte[] COVERED = bytes("c");
  private static final byte[] RETRY = bytes("R");
  private static final byte[] COVERED_RETRY = bytes("r");
  private static final byte[] ASK = bytes("A");
  private static final byte[] CANCEL = bytes("X");
  private static final byte[] NONE = {};

  private final List<byte[]> arguments = new ArrayList<>();
  private int bytes;
  private int entries;

  void add(Entry entry) {
    entries++;
    if (entry instanceof Entry.Cancel cancel) {
      put(CANCEL, bytes(cancel.cancellation().id()));
    } else if (entry instanceof Entry.Asked asked) {
      ask(asked.ask(), asked.covered());
    } else if (entry instanceof Entry.Schedule schedule) {
      if (schedule.covered()) {
        covered(schedule.message());
      } else {
        stored(schedule.message());
      }
    }
  }

  private void ask(Ask ask, boolean covered) {
    StoredAsk stored = ask.stored();
    boolean names = stored.verb().namesMessage();
    put(
        ASK,
        member(ask.offset()),
        names ? member(stored.offset()) : NONE,
        names ? RedisKeys.bytes(stored.due()) : NONE,
        ask.id() == null ? NONE : bytes(ask.id()),
        covered ? NONE : StoredMessageCodec.suffix(stored, ask.offset()),
        covered ? NONE : encoded(StoredMessage.inVain(stored), ask.key()));
  }

  private void covered(DelayedMessage message) {
    String id = message.id();
    if (id == null) {
      return;
    }
    byte[] member = member(message.offset());
    if (message.isRetry()) {
      put(COVERED_RETRY, member, bytes(id), member(message.origin()));
    } else {
      put(COVERED, member, bytes(id));
    }
  }

  private void stored(DelayedMessage message) {
    String id = message.id();
    byte[] member = member(message.offset());
    byte[] due = RedisKeys.bytes(message.key().time());
    byte[] payload = encoded(message.content(), message.key());
    if (id == null) {
      put(PLAIN, member, due, payload);
    } else if (message.isRetry()) {
      put(RETRY, member, due, bytes(id), member(message.origin()), payload);
    } else {
      put(NAMED, member, due, bytes(id), payload);
    }
  }

  private static byte[] encoded(StoredMessage content, Due key) {
    return StoredMessageCodec.encode(content, key.time(), key.offset());
  }

  private void put(byte[]... values) {
    for (byte[] value : values) {
      arguments.add(value);
      bytes += value.length;
    }
  }

  boolean isFull(int maxEntries, int maxBytes) {
    return entries >= maxEntries || bytes >= maxBytes;
  }

  byte[][] with(byte[]... head) {
    byte[][] all = new byte[head.length + arguments.size()][];
    System.arraycopy(head, 0, all, 0, head.length);
    for (int i = 0; i < arguments.size(); i++) {
      all[head.length + i] = arguments.get(i);
    }
    return all;
  }
}
