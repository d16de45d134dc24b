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
 * The records of one shard that one poll brought, with which the store is to go on from {@code
 * next}.
 *
 * <p>Usually the batch is stored, and its messages are taken from the store. But messages that are
 * due already can go out first, together with those that are taken; then only the rest is stored.
 * If the loop ends in between, the store is below the frontier and is fed again, as if it had lost
 * its last writes. See ADR 21.
 *
 * @param position the consumer's position after the batch
 * @param entries in offset order
 * @param first not later than the key of the first message in the batch
 * @param records how many were polled
 */
record Batch(Shard shard, long position, List<Entry> entries, Due first, int records) {

  /**
   * Whether some of the batch may go out before it is stored: some of it is due, and nothing in it
   * concerns what is stored, as ids and asks do.
   */
  boolean isDueInPart(long now) {
    return first.time() <= shard.horizon(now)
        && !shard.isBehindCheckpoint()
        && !shard.progress.trustsStore()
        && entries.stream().allMatch(Batch::isPlain);
  }

  private static boolean isPlain(Entry entry) {
    return entry instanceof Entry.Schedule schedule && schedule.message().id() == null;
  }

  /** The message of an entry of a plain batch; no other batch waits. */
  private static DelayedMessage message(Entry entry) {
    return ((Entry.Schedule) entry).message();
  }

  /** Returns the result that the take would have had with more room, and with this batch stored. */
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
   * Whether the batch must be stored even if the store is full: some of it is out, or only stored
   * messages are out, with a pair that has the position behind the batch.
   */
  boolean mustBeStored() {
    return entries.size() < records || shard.isBehindCheckpoint();
  }

  /** The rest of the batch that is to be stored. */
  Batch without(List<Settled> out) {
    Set<Long> offsets =
        out.stream().map(settled -> settled.message().offset()).collect(Collectors.toSet());
    List<Entry> rest =
        entries.stream().filter(entry -> !offsets.contains(message(entry).offset())).toList();
    Due earliest = rest.stream().map(entry -> message(entry).key()).reduce(Due.NEVER, Due::earlier);
    return new Batch(shard, position, rest, earliest, records);
  }
}
