package io.delaybridge.admin.api;

import io.delaybridge.admin.desk.Desk;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.store.PendingView;
import io.delaybridge.store.PendingView.Found;
import io.delaybridge.store.PendingView.Slice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lists what is due next over many shards, page by page. A page looks at a bounded number of
 * messages and of bytes. With a filter that few messages pass, or with large messages, it can be
 * short and still have a cursor. Little of each shard is read ahead, since messages are read with
 * their values.
 */
final class Upcoming {

  static final int MOST_LOOKED_AT = 5_000;
  static final int MOST_BYTES = 16 << 20;

  private static final int MOST_AT_ONCE = 64;
  private static final int BYTES_AT_ONCE = 256 << 10;
  private static final Pattern CURSOR =
      Pattern.compile("([0-9]{1,15})_([0-9]{1,18})_(.{1,249})_([0-9]{1,9})");
  private static final Comparator<Found> ORDER =
      Comparator.<Found>comparingLong(found -> found.message().key().time())
          .thenComparing(found -> found.shard().topic())
          .thenComparing(found -> found.shard().partition())
          .thenComparing(found -> found.message().offset());

  private final PendingView view;

  Upcoming(PendingView view) {
    this.view = view;
  }

  /**
   * @param target only messages for this topic, or null for all
   * @param before epoch milliseconds, exclusive
   */
  record Query(@Nullable String target, long before, int limit) {

    boolean takes(DelayedMessage message) {
      return target == null || target.equals(message.target());
    }
  }

  record Page(List<Found> found, @Nullable String cursor) {}

  /** The last message of a page. */
  private record Place(long time, long offset, ShardId shard) {

    /** The key after which the other shard continues. */
    Due in(ShardId other) {
      int order = ShardId.ORDER.compare(other, shard);
      if (order == 0) {
        return new Due(time, offset);
      }
      return order < 0 ? new Due(time, Long.MAX_VALUE) : new Due(time - 1, Long.MAX_VALUE);
    }
  }

  /** The messages of one shard, read a few at a time. */
  private final class Ahead {

    private final ShardId shard;
    private final long before;
    private final Deque<Found> few = new ArrayDeque<>();
    private @Nullable Due behind;
    private int atOnce = 1;

    Ahead(ShardId shard, Due behind, long before) {
      this.shard = shard;
      this.behind = behind;
      this.before = before;
      read();
    }

    boolean isEmpty() {
      return few.isEmpty();
    }

    Found first() {
      return few.getFirst();
    }

    Found take() {
      Found taken = few.removeFirst();
      read();
      return taken;
    }

    private void read() {
      while (few.isEmpty() && behind != null) {
        Due last = behind;
        Slice slice = Desk.store(() -> view.page(shard, last, before, atOnce, BYTES_AT_ONCE));
        few.addAll(slice.found());
        behind = slice.last();
        atOnce = Math.min(MOST_AT_ONCE, 2 * atOnce);
      }
    }
  }

  /**
   * @param cursor of the previous page, null for the first
   */
  Page page(List<ShardId> shards, Query query, @Nullable String cursor) {
    Place place = cursor == null ? null : parse(cursor);
    PriorityQueue<Ahead> merged = new PriorityQueue<>(Comparator.comparing(Ahead::first, ORDER));
    for (ShardId shard : shards) {
      Due behind = place == null ? new Due(Due.ASKED, Long.MAX_VALUE) : place.in(shard);
      offer(merged, new Ahead(shard, behind, query.before()));
    }
    List<Found> page = new ArrayList<>();
    int looked = 0;
    long bytes = 0;
    while (!merged.isEmpty()
        && page.size() < query.limit()
        && looked < MOST_LOOKED_AT
        && bytes < MOST_BYTES) {
      Ahead next = merged.remove();
      Found found = next.take();
      offer(merged, next);
      looked++;
      bytes += found.bytes();
      place = new Place(found.message().key().time(), found.message().offset(), found.shard());
      if (query.takes(found.message())) {
        page.add(found);
      }
    }
    return new Page(page, merged.isEmpty() || place == null ? null : text(place));
  }

  private static void offer(PriorityQueue<Ahead> merged, Ahead shard) {
    if (!shard.isEmpty()) {
      merged.add(shard);
    }
  }

  private static String text(Place place) {
    return place.time
        + "_"
        + place.offset
        + "_"
        + place.shard.topic()
        + "_"
        + place.shard.partition();
  }

  private static Place parse(String cursor) {
    Matcher form = CURSOR.matcher(cursor);
    if (!form.matches()) {
      throw Inputs.wrong("cursor", cursor, "the cursor of the previous page");
    }
    return new Place(
        Long.parseLong(form.group(1)),
        Long.parseLong(form.group(2)),
        new ShardId(form.group(3), Integer.parseInt(form.group(4))));
  }
}
