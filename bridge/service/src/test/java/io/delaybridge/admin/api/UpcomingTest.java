package io.delaybridge.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.admin.desk.Contents;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.message.Verdict;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.store.PendingView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Pages over many shards. */
class UpcomingTest {

  private final Shards shards = new Shards();
  private final Upcoming upcoming = new Upcoming(shards);

  /** Messages by shard and key; where an ask has taken the place of one, it is not found. */
  private static final class Shards implements PendingView {

    private final Map<ShardId, TreeMap<Due, Found>> all = new TreeMap<>(ShardId.ORDER);
    private final Set<Due> asks = new HashSet<>();
    private long bytes;

    void add(ShardId shard, Due key, String target, int size) {
      all.computeIfAbsent(shard, none -> new TreeMap<>())
          .put(
              key,
              new Found(
                  shard,
                  new DelayedMessage(key, Contents.with(DelayHeaders.TARGET_TOPIC, target)),
                  size));
    }

    List<ShardId> ids() {
      return List.copyOf(all.keySet());
    }

    @Override
    public List<Said> said(List<ShardId> shards, String id) {
      return List.of();
    }

    @Override
    public Slice page(ShardId shard, Due after, long before, int limit, int maxBytes) {
      List<Found> page = new ArrayList<>();
      int read = 0;
      int room = maxBytes;
      Due last = null;
      TreeMap<Due, Found> shown = all.getOrDefault(shard, new TreeMap<>());
      for (Map.Entry<Due, Found> each :
          shown.tailMap(after, false).headMap(new Due(before, 0), false).entrySet()) {
        room -= each.getValue().bytes();
        if (read++ == limit || (room < 0 && read > 1)) {
          return new Slice(page, last);
        }
        last = each.getKey();
        bytes += each.getValue().bytes();
        if (!asks.contains(last)) {
          page.add(each.getValue());
        }
      }
      return new Slice(page, read < limit ? null : last);
    }

    @Override
    public List<Repeating> repeating(
        ShardId shard, long from, @Nullable String after, long before, int limit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<Found> byId(List<ShardId> shards, String id) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Found> byKey(ShardId shard, Due key) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<Summary> summaries(List<ShardId> shards, long now) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<Long> counts(List<ShardId> shards, List<Long> bounds) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Verdict> answer(ShardId shard, long offset) {
      throw new UnsupportedOperationException();
    }
  }

  private Upcoming.Page page(@Nullable String target, int limit, @Nullable String cursor) {
    return upcoming.page(shards.ids(), new Upcoming.Query(target, 1_000, limit), cursor);
  }

  private static String name(PendingView.Found found) {
    return found.shard() + " " + found.message().key();
  }

  @Test
  void pagesTogetherAreEveryMessageOnceInTheOrderOfDelivery() {
    Random random = new Random(7);
    for (int round = 0; round < 50; round++) {
      shards.all.clear();
      shards.asks.clear();
      List<PendingView.Found> expected = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        Due key = new Due(random.nextInt(20), i);
        shards.add(new ShardId("in", random.nextInt(5)), key, "t", 1 << random.nextInt(20));
        if (random.nextInt(4) == 0) {
          shards.asks.add(key);
        }
      }
      shards.all.values().stream()
          .flatMap(shard -> shard.values().stream())
          .filter(found -> !shards.asks.contains(found.message().key()))
          .sorted(
              Comparator.<PendingView.Found>comparingLong(found -> found.message().key().time())
                  .thenComparing(found -> found.shard().partition())
                  .thenComparing(found -> found.message().offset()))
          .forEach(expected::add);

      List<String> seen = new ArrayList<>();
      String cursor = null;
      do {
        Upcoming.Page page = page(null, 1 + random.nextInt(9), cursor);
        page.found().forEach(found -> seen.add(name(found)));
        cursor = page.cursor();
      } while (cursor != null);

      assertThat(seen).isEqualTo(expected.stream().map(UpcomingTest::name).toList());
    }
  }

  @Test
  void aPageThatEndsWithTheLastMessageHasNoCursor() {
    IntStream.range(0, 3).forEach(i -> shards.add(new ShardId("in", i), new Due(7, i), "t", 1));

    assertThat(page(null, 3, null).cursor()).isNull();
    assertThat(page(null, 2, null).cursor()).isNotNull();
    assertThat(upcoming.page(List.of(), new Upcoming.Query(null, 1_000, 3), null).cursor())
        .isNull();
  }

  @Test
  void aPageForATargetOfFewLooksAtABoundedNumber() {
    for (int i = 0; i <= Upcoming.MOST_LOOKED_AT; i++) {
      shards.add(new ShardId("in", i % 8), new Due(7, i), "other", 100);
    }
    shards.add(new ShardId("in", 0), new Due(8, 1), "mine", 100);

    Upcoming.Page first = page("mine", 1, null);
    assertThat(first.found()).isEmpty();
    assertThat(first.cursor()).isNotNull();
    assertThat(page("mine", 1, first.cursor()).found()).hasSize(1);
  }

  /**
   * Values are read with their messages. Reading all shards as far as the page would exhaust
   * memory.
   */
  @Test
  void whatAPageReadsIsBoundedWhateverTheSizeOfMessages() {
    int size = 200_000;
    for (int i = 0; i < 8 * 500; i++) {
      shards.add(new ShardId("in", i % 8), new Due(i, i), i % 2 == 0 ? "t" : "other", size);
    }

    assertThat(page(null, Inputs.MAX_LIMIT, null).found()).hasSize(Upcoming.MOST_BYTES / size + 1);
    assertThat(shards.bytes).isLessThan(Upcoming.MOST_BYTES + 20L * size);
    shards.bytes = 0;
    assertThat(page("nobody", 1, null).cursor()).isNotNull();
    assertThat(shards.bytes).isLessThan(Upcoming.MOST_BYTES + 20L * size);
    shards.bytes = 0;
    assertThat(page(null, 1, null).found()).hasSize(1);
    assertThat(shards.bytes).isLessThan(10L * size);
  }

  @Test
  void largeMessagesBehindSmallOnesAreNotReadAtOnce() {
    int size = 1 << 20;
    for (int i = 0; i < 8 * 100; i++) {
      shards.add(new ShardId("in", i % 8), new Due(1, i), "t", 1);
    }
    for (int i = 0; i < 8 * 64; i++) {
      shards.add(new ShardId("in", i % 8), new Due(2, i), "t", size);
    }

    assertThat(page("nobody", 1, null).cursor()).isNotNull();

    assertThat(shards.bytes).isLessThan(Upcoming.MOST_BYTES + 9L * size);
  }
}
