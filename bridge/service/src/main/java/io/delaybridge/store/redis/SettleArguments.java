package io.delaybridge.store.redis;

import static io.delaybridge.store.redis.RedisKeys.bytes;
import static io.delaybridge.store.redis.RedisKeys.key;
import static io.delaybridge.store.redis.RedisKeys.offset;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.store.ShardStore.Named;
import io.delaybridge.store.ShardStore.Settled;
import java.util.ArrayList;
import java.util.List;

/** The arguments with which the script settles messages, in calls of bounded size. */
final class SettleArguments {

  private static final byte[] PAIR = bytes("p");
  private static final byte[] MESSAGE = bytes("m");
  private static final byte[] ID = bytes("i");
  private static final byte[] FAR = bytes("f");
  private static final byte[] NOWHERE = {};

  private final int most;
  private final List<byte[]> head;
  private final List<byte[][]> calls = new ArrayList<>();
  private final List<byte[]> arguments = new ArrayList<>();
  private int entries;

  /**
   * @param most maximum number of entries in one call
   * @param head arguments that every call begins with
   */
  SettleArguments(int most, byte[]... head) {
    this.most = most;
    this.head = new ArrayList<>(List.of(head));
    arguments.addAll(this.head);
  }

  /** Adds the pair. Must be called first; every call of the script repeats the pair. */
  void below(long next, Due key) {
    List<byte[]> pair = List.of(PAIR, bytes(next), key(key));
    head.addAll(pair);
    arguments.addAll(pair);
  }

  void message(Settled settled) {
    put(MESSAGE, key(settled.message().key()));
    id(settled);
  }

  void id(Settled settled) {
    DelayedMessage message = settled.message();
    String id = message.id();
    if (id == null) {
      return;
    }
    if (message.isFar()) {
      far(settled, id);
    } else if (!settled.keepId()) {
      put(ID, bytes(id), key(message.key()));
    }
  }

  private void far(Settled settled, String id) {
    long origin = settled.message().origin();
    if (settled.at() != Named.SOMEWHERE) {
      place(new Named(id, origin, settled.at()));
    } else if (!settled.keepId()) {
      place(new Named(id, origin, Named.NOWHERE));
    }
  }

  void place(Named copy) {
    byte[] at = copy.at() == Named.NOWHERE ? NOWHERE : RedisKeys.far(copy.at());
    put(FAR, bytes(copy.id()), offset(copy.origin()), at);
  }

  private void put(byte[]... entry) {
    if (entries == most) {
      cut();
    }
    entries++;
    arguments.addAll(List.of(entry));
  }

  private void cut() {
    calls.add(arguments.toArray(byte[][]::new));
    arguments.clear();
    arguments.addAll(head);
    entries = 0;
  }

  /** Returns at least one call, even if nothing is settled: it tells how many messages are left. */
  List<byte[][]> calls() {
    cut();
    return calls;
  }
}
