package io.delaybridge.admin.api;

import io.delaybridge.admin.desk.Desk;
import io.delaybridge.message.ShardId;
import io.delaybridge.store.PendingView;
import io.delaybridge.store.PendingView.Found;
import io.delaybridge.store.PendingView.Repeating;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lists the repeating messages of many shards, near and far, in the order in which they are due,
 * page by page. The store lists their ids. Each message is looked up by its id, and a far one is
 * read from Kafka. So a page looks at a bounded number of them: with a filter that few pass, it can
 * be short and still have a cursor.
 */
final class RepeatingMessages {

  static final int MOST_LOOKED_AT = 500;

  private static final Pattern CURSOR =
      Pattern.compile("([0-9]{1,15})_((?:[0-9a-f]{2}){1,1024})_(.{1,249})_([0-9]{1,9})");

  private final PendingView view;
  private final BiFunction<ShardId, String, Optional<Found>> named;

  /**
   * @param named finds the message that an id of a shard stands for
   */
  RepeatingMessages(PendingView view, BiFunction<ShardId, String, Optional<Found>> named) {
    this.view = view;
    this.named = named;
  }

  /** An id of a shard. */
  private record Listed(ShardId shard, Repeating repeating) {

    String cursor() {
      byte[] id = repeating.id().getBytes(StandardCharsets.UTF_8);
      return "%d_%s_%s_%d"
          .formatted(
              repeating.due(), HexFormat.of().formatHex(id), shard.topic(), shard.partition());
    }

    static Listed parse(String cursor) {
      Matcher form = CURSOR.matcher(cursor);
      if (!form.matches()) {
        throw Inputs.wrong("cursor", cursor, "the cursor of the previous page");
      }
      String id = new String(HexFormat.of().parseHex(form.group(2)), StandardCharsets.UTF_8);
      return new Listed(
          new ShardId(form.group(3), Integer.parseInt(form.group(4))),
          new Repeating(id, Long.parseLong(form.group(1))));
    }
  }

  /**
   * @param cursor of the page before, null for the first
   */
  Upcoming.Page page(List<ShardId> shards, Upcoming.Query query, @Nullable String cursor) {
    Listed last = cursor == null ? null : Listed.parse(cursor);
    List<Listed> listed = new ArrayList<>();
    for (ShardId shard : shards) {
      listed.addAll(behind(last, shard, query.before()));
    }
    // Stable: within a shard they are in the order of the store.
    listed.sort(
        Comparator.<Listed>comparingLong(one -> one.repeating().due())
            .thenComparing(Listed::shard, ShardId.ORDER));
    List<Found> page = new ArrayList<>();
    long bytes = 0;
    int looked = 0;
    while (looked < listed.size()
        && looked < MOST_LOOKED_AT
        && page.size() < query.limit()
        && bytes < Upcoming.MOST_BYTES) {
      last = listed.get(looked++);
      Found found = named.apply(last.shard(), last.repeating().id()).orElse(null);
      // A message that is not found is on its way to its next occurrence, or over.
      if (found != null) {
        bytes += found.message().bytes();
        if (found.message().repeats() && query.takes(found.message())) {
          page.add(found);
        }
      }
    }
    return new Upcoming.Page(page, looked == listed.size() || last == null ? null : last.cursor());
  }

  /** The ids of a shard after the last one, as many as a page looks at and one more. */
  private List<Listed> behind(@Nullable Listed last, ShardId shard, long before) {
    long from = 0;
    String after = null;
    if (last != null) {
      int order = ShardId.ORDER.compare(shard, last.shard());
      from = order < 0 ? last.repeating().due() + 1 : last.repeating().due();
      after = order == 0 ? last.repeating().id() : null;
    }
    long first = from;
    String behind = after;
    return Desk.store(() -> view.repeating(shard, first, behind, before, MOST_LOOKED_AT + 1))
        .stream()
        .map(each -> new Listed(shard, each))
        .toList();
  }
}
