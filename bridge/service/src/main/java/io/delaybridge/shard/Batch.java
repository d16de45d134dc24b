package io.delaybridge.shard;

import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.store.Entry;
import io.delaybridge.store.ShardStore.Settled;
import io.delaybridge.store.ShardStore.Taken;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What one poll brought of one shard, with which the store is to go on from {@code next}.
 *
 * <p>Usually it is stored and taken from there. But what is due already can go out first, together
 * with what is taken; then only the rest is stored. Should the loop end in between, the store is
 * below the frontier and is fed again, as if it had lost its last writes. See ADR 21.
 *
 * @param position the consumer's position after it
 * @param entries in offset order
 * @param first not later than the key of the first message in it
 * @param records how many were polled
 */
record Batch(Shard shard, long position, List<Entry> entries, Due first, int records) {

  /**
   * Whether some of it may go out before it is stored: it is due, and nothing in it has to do with
   * what is stored, as ids and asks have.
   */
  boolean isDueInPart(long now) {
    return first.time() <= shard.horizon(now)
        && !shard.isBehindCheckpoint()
        && !shard.trustsStore
        && entries.stream().allMatch(Batch::isPlain);
  }

  private static boolean isPlain(Entry entry) {
    return entry instanceof Entry.Schedule schedule && schedule.message().id() == null;
  }

  /** Of an entry of a plain batch; no other waits. */
  private static DelayedMessage message(Entry entry) {
    return ((Entry.Schedule) entry).message();
  }

  /** What the take would have returned, had this been stored before, and with more room. */
  Taken with(Taken taken, long horizon) {
    List<DelayedMessage> messages = new ArrayList<>(taken.messages());
    Due left = taken.first();
    for (Entry entry : entries) {
      DelayedMessage message = message(entry);
      if (message.key().time() <= horizon && message.key().isBefore(taken.first())) {
        messages.add(message);
      } else {
        left = Due.earlier(left, message.key());
      }
    }
    messages.sort(Comparator.comparing(DelayedMessage::key));
    int more = messages.size() - taken.messages().size();
    return new Taken(position, messages, left, taken.count() + more, taken.overdue() + more);
  }

  /**
   * Whether it must get in even if the store is full: some of it is out, or only what was stored
   * is, with a pair that has the position behind it.
   */
  boolean mustBeStored() {
    return entries.size() < records || shard.isBehindCheckpoint();
  }

  /** What is left of it to be stored. */
  Batch without(List<Settled> out) {
    Set<Long> offsets =
        out.stream().map(settled -> settled.message().offset()).collect(Collectors.toSet());
    List<Entry> rest =
        entries.stream().filter(entry -> !offsets.contains(message(entry).offset())).toList();
    Due earliest = rest.stream().map(entry -> message(entry).key()).reduce(Due.NEVER, Due::earlier);
    return new Batch(shard, position, rest, earliest, records);
  }
}
