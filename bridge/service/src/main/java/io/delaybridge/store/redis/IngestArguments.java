package io.delaybridge.store.redis;

import static io.delaybridge.store.redis.RedisKeys.bytes;
import static io.delaybridge.store.redis.RedisKeys.key;
import static io.delaybridge.store.redis.RedisKeys.offset;

import io.delaybridge.message.Ask;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.schemas.StoredAsk;
import io.delaybridge.schemas.StoredMessage;
import io.delaybridge.schemas.StoredMessageCodec;
import io.delaybridge.store.Entry;
import java.util.ArrayList;
import java.util.List;

/** The entries of one ingest call in the form that the script reads, with their size. */
final class IngestArguments {

  private static final byte[] PLAIN = bytes("s");
  private static final byte[] NAMED = bytes("S");
  private static final byte[] COVERED = bytes("c");
  private static final byte[] RETRY = bytes("R");
  private static final byte[] COVERED_RETRY = bytes("r");
  private static final byte[] ASK = bytes("A");
  private static final byte[] CANCEL = bytes("X");
  private static final byte[] EVEN_IF_FULL = bytes("F");
  private static final byte[] IF_RECALLED = bytes("K");
  private static final byte[] HOME = bytes("H");
  private static final byte[] FAR = bytes("f");
  private static final byte[] FAR_RETRY = bytes("g");
  private static final byte[] REPLACES = bytes("W");
  private static final byte[] REPEATS = bytes("N");
  private static final byte[] NONE = {};
  private static final byte[] SCORE = bytes(0);

  private final List<byte[]> arguments = new ArrayList<>();
  private int bytes;
  private int entries;

  /** The number of plain entries at the end, and the index of this number among the arguments. */
  private int plain;

  private int plainAt;

  /**
   * @param ifRecalled whether the script does nothing where the ids of far messages were not
   *     recalled
   * @param evenIfFull whether a full Redis takes the entries as well
   */
  IngestArguments(boolean ifRecalled, boolean evenIfFull) {
    if (ifRecalled) {
      put(IF_RECALLED);
    }
    if (evenIfFull) {
      put(EVEN_IF_FULL);
    }
  }

  void add(Entry entry) {
    entries++;
    if (entry instanceof Entry.Schedule schedule && isPlain(schedule)) {
      plain(schedule.message());
      return;
    }
    endPlain();
    if (entry instanceof Entry.Cancel cancel) {
      put(CANCEL, bytes(cancel.cancellation().id()), offset(cancel.offset()));
    } else if (entry instanceof Entry.Asked asked) {
      ask(asked.ask(), asked.covered());
    } else if (entry instanceof Entry.Schedule schedule) {
      replaces(schedule);
      if (schedule.covered()) {
        covered(schedule.message());
      } else {
        stored(schedule.message());
      }
      repeats(schedule.message());
    }
  }

  private void repeats(DelayedMessage message) {
    String id = message.id();
    if (id != null && message.repeats()) {
      put(REPEATS, bytes(id), offset(message.origin()), bytes(message.due()));
    }
  }

  private void replaces(Entry.Schedule schedule) {
    DelayedMessage message = schedule.message();
    String id = message.id();
    Entry.Instead instead = schedule.instead();
    if (instead != null && id != null) {
      byte[] told = bytes(instead.isTold() ? 1 : 0);
      put(REPLACES, bytes(id), offset(instead.named()), offset(message.offset()), told);
    }
  }

  private static boolean isPlain(Entry.Schedule schedule) {
    DelayedMessage message = schedule.message();
    return !schedule.covered() && message.id() == null && !isHome(message);
  }

  private static boolean isHome(DelayedMessage message) {
    return message.readAt() != message.offset();
  }

  private void plain(DelayedMessage message) {
    if (plain == 0) {
      plainAt = arguments.size() + 1;
      put(PLAIN, NONE);
    }
    plain++;
    put(SCORE, member(message));
  }

  private void endPlain() {
    if (plain > 0) {
      arguments.set(plainAt, bytes(plain));
      plain = 0;
    }
  }

  private void ask(Ask ask, boolean covered) {
    StoredAsk stored = ask.stored();
    boolean names = stored.verb().namesMessage();
    put(
        ASK,
        key(ask.key()),
        ask.id() == null ? NONE : bytes(ask.id()),
        names ? key(new Due(stored.due(), stored.offset())) : NONE,
        covered ? NONE : StoredMessageCodec.suffix(stored, ask.offset()),
        covered ? NONE : encoded(StoredMessage.inVain(stored), ask.key(), 0));
  }

  private void covered(DelayedMessage message) {
    String id = message.id();
    if (id == null) {
      return;
    }
    if (message.isFar()) {
      far(message, bytes(id), NONE);
    } else if (message.isRetry()) {
      put(COVERED_RETRY, key(message.key()), bytes(id), offset(message.origin()));
    } else {
      put(COVERED, key(message.key()), bytes(id));
    }
  }

  private void stored(DelayedMessage message) {
    String name = message.id();
    if (name == null) {
      put(HOME, member(message));
      return;
    }
    byte[] id = bytes(name);
    if (message.isFar()) {
      far(message, id, member(message));
    } else if (message.isRetry()) {
      put(RETRY, member(message), id, offset(message.origin()));
    } else {
      put(NAMED, member(message), id);
    }
  }

  private void far(DelayedMessage message, byte[] id, byte[] member) {
    put(message.isRetry() ? FAR_RETRY : FAR, id, offset(message.origin()), member);
  }

  private static byte[] member(DelayedMessage message) {
    return RedisKeys.member(
        message.key(), encoded(message.content(), message.key(), RedisKeys.KEY_BYTES));
  }

  private static byte[] encoded(StoredMessage content, Due key, int room) {
    return StoredMessageCodec.encode(content, key.time(), key.offset(), room);
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

  /** Returns the head followed by what was added; nothing more can be added after that. */
  byte[][] with(byte[]... head) {
    endPlain();
    byte[][] all = new byte[head.length + arguments.size()][];
    System.arraycopy(head, 0, all, 0, head.length);
    for (int i = 0; i < arguments.size(); i++) {
      all[head.length + i] = arguments.get(i);
    }
    return all;
  }
}
