package io.delaybridge.admin;

import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.store.PendingView;
import io.delaybridge.store.PendingView.Found;
import io.delaybridge.store.PendingView.Slice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is due next over many shards, page by page. A page looks at a bounded number of messages:
 * with a filter that few pass it can be short and still have a cursor.
 */
final class Upcoming {

  static final int MOST_LOOKED_AT = 5_000;

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
  record Query(@Nullable String target, long before, int limit) {}

  record Page(List<Found> found, @Nullable String cursor) {}

  /** The last message of a page. */
  private record Place(long time, long offset, ShardId shard) {

    /** The key behind which the other shard goes on. */
    Due in(ShardId other) {
      int order =
          Comparator.comparing(ShardId::topic)
              .thenComparing(ShardId::partition)
              .compare(other, shard);
      if (order == 0) {
        return new Due(time, offset);
      }
      return order < 0 ? new Due(time, Long.MAX_VALUE) : new Due(time - 1, Long.MAX_VALUE);
    }
  }

  /**
   * @param cursor of the page before, null for the first
   */
  Page page(List<ShardId> shards, Query query, @Nullable String cursor) {
    Place place = cursor == null ? null : parse(cursor);
    List<Found> page = new ArrayList<>();
    int looked = 0;
    boolean last = false;
    while (page.size() < query.limit() && looked < MOST_LOOKED_AT && !last) {
      int want = query.target() == null ? query.limit() - page.size() : Inputs.MAX_LIMIT;
      Slice next = next(shards, place, query.before(), want);
      last = next.last();
      for (Found found : next.found()) {
        if (page.size() == query.limit()) {
          last = false;
          break;
        }
        place = new Place(found.message().key().time(), found.message().offset(), found.shard());
        if (query.target() == null || query.target().equals(found.message().target())) {
          page.add(found);
        }
      }
      // What was delivered while it was read makes a slice shorter; it does not go on for ever.
      looked += Math.max(1, next.found().size());
    }
    return new Page(page, last || place == null ? null : text(place));
  }

  private Slice next(List<ShardId> shards, @Nullable Place place, long before, int want) {
    List<Found> all = new ArrayList<>();
    boolean last = true;
    for (ShardId shard : shards) {
      Due after = place == null ? new Due(Due.ASKED, Long.MAX_VALUE) : place.in(shard);
      Slice slice = Desk.store(() -> view.page(shard, after, before, want));
      all.addAll(slice.found());
      last &= slice.last();
    }
    all.sort(ORDER);
    return new Slice(all.subList(0, Math.min(want, all.size())), last && all.size() <= want);
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
      throw Inputs.wrong("cursor", cursor, "the cursor of the page before");
    }
    return new Place(
        Long.parseLong(form.group(1)),
        Long.parseLong(form.group(2)),
        new ShardId(form.group(3), Integer.parseInt(form.group(4))));
  }
}
