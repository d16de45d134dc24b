package io.delaybridge.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.admin.desk.Contents;
import io.delaybridge.message.DelayedMessage;
import io.delaybridge.message.Due;
import io.delaybridge.message.ShardId;
import io.delaybridge.schemas.DelayHeaders;
import io.delaybridge.store.PendingView;
import io.delaybridge.store.PendingView.Found;
import io.delaybridge.store.PendingView.Repeating;
import jakarta.ws.rs.WebApplicationException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Pages of repeating messages, over many shards. */
class RepeatingMessagesTest {

  private static final List<ShardId> SHARDS =
      IntStream.range(0, 3).mapToObj(partition -> new ShardId("in", partition)).toList();

  /** By shard, as the store has them: by due time, then by id. */
  private final Map<ShardId, List<Repeating>> listed = new TreeMap<>(ShardId.ORDER);

  /** The messages that ids stand for. */
  private final Map<String, Found> named = new HashMap<>();

  private final RepeatingMessages messages =
      new RepeatingMessages(
          (PendingView)
              Proxy.newProxyInstance(
                  PendingView.class.getClassLoader(),
                  new Class<?>[] {PendingView.class},
                  (proxy, method, arguments) ->
                      repeating(
                          (ShardId) arguments[0],
                          (long) arguments[1],
                          (String) arguments[2],
                          (long) arguments[3],
                          (int) arguments[4])),
          (shard, id) -> Optional.ofNullable(named.get(id)).filter(it -> it.shard().equals(shard)));

  private List<Repeating> repeating(
      ShardId shard, long from, @Nullable String after, long before, int limit) {
    return listed.getOrDefault(shard, List.of()).stream()
        .filter(one -> one.due() >= from && one.due() < before)
        .filter(one -> one.due() > from || after == null || one.id().compareTo(after) > 0)
        .limit(limit)
        .toList();
  }

  private void list(ShardId shard, long due, String id, @Nullable String header) {
    listed.computeIfAbsent(shard, none -> new ArrayList<>()).add(new Repeating(id, due));
    if (header != null) {
      DelayedMessage message = new DelayedMessage(new Due(due, 1), Contents.with(header, id));
      named.put(id, new Found(shard, message, 0, due > 3));
    }
  }

  private Upcoming.Page page(int limit, @Nullable String cursor) {
    return messages.page(SHARDS, new Upcoming.Query(null, 1_000, limit), cursor);
  }

  private static List<String> ids(Upcoming.Page page) {
    return page.found().stream()
        .map(found -> String.valueOf(found.message().header(DelayHeaders.EVERY)))
        .toList();
  }

  /** Many are due at the same instant, some have ended since, some do not repeat any more. */
  @Test
  void pagesTogetherAreEachOnceInTheOrderInWhichTheyAreDue() {
    Random random = new Random(11);
    for (int round = 0; round < 50; round++) {
      listed.clear();
      named.clear();
      List<String> expected = new ArrayList<>();
      for (int due = 0; due < 5; due++) {
        for (ShardId shard : SHARDS) {
          for (int i = random.nextInt(8); i > 0; i--) {
            String id = "%d-%d-%d".formatted(due, shard.partition(), 9 - i);
            int fate = random.nextInt(4);
            list(shard, due, id, fate == 0 ? null : fate == 1 ? "once" : DelayHeaders.EVERY);
            if (fate > 1) {
              expected.add(id);
            }
          }
        }
      }

      List<String> seen = new ArrayList<>();
      String cursor = null;
      do {
        Upcoming.Page page = page(1 + random.nextInt(5), cursor);
        seen.addAll(ids(page));
        cursor = page.cursor();
      } while (cursor != null);

      assertThat(seen).isEqualTo(expected);
    }
  }

  @Test
  void whatIsCancelledBetweenTwoPagesHidesNothing() {
    for (String id : List.of("a", "b", "c", "d")) {
      list(SHARDS.get(1), 7, id, DelayHeaders.EVERY);
    }

    Upcoming.Page first = page(2, null);
    assertThat(ids(first)).containsExactly("a", "b");
    listed.getOrDefault(SHARDS.get(1), new ArrayList<>()).subList(0, 2).clear();

    Upcoming.Page second = page(9, first.cursor());
    assertThat(ids(second)).containsExactly("c", "d");
    assertThat(second.cursor()).isNull();
  }

  @Test
  void aPageLooksAtABoundedNumber() {
    for (int i = 0; i < RepeatingMessages.MOST_LOOKED_AT; i++) {
      list(SHARDS.get(i % 3), 7, "over%04d".formatted(i), null);
    }
    list(SHARDS.get(0), 8, "there", DelayHeaders.EVERY);

    Upcoming.Page first = page(1, null);
    assertThat(first.found()).isEmpty();
    assertThat(ids(page(1, first.cursor()))).containsExactly("there");
  }

  @Test
  void anIdOfAnyLettersIsInACursor() {
    list(SHARDS.get(2), 7, "café/7_x", DelayHeaders.EVERY);
    list(SHARDS.get(2), 8, "y", DelayHeaders.EVERY);

    String cursor = page(1, null).cursor();

    assertThat(cursor).matches("[0-9a-z_]+");
    assertThat(ids(page(1, cursor))).containsExactly("y");
  }

  @Test
  void aCursorOfSomethingElseIsRefused() {
    for (String cursor : List.of("7", "7_5_in_0", "7_zz_in_0", "7_6a_in_", "x_6a_in_0")) {
      assertThatThrownBy(() -> page(1, cursor)).isInstanceOf(WebApplicationException.class);
    }
  }
}
