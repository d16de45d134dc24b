package io.delaybridge.connect.callback;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DispatcherTest {

  private final Progress progress = new Progress();

  /** The items that were begun and have not ended, in the order of beginning. */
  private final Map<Item, Runnable> working = new LinkedHashMap<>();

  private final List<String> begun = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();

  private Dispatcher dispatcher(int concurrency, boolean perKey) {
    return new Dispatcher(
        concurrency,
        perKey,
        (item, finished) -> {
          begun.add(name(item));
          working.put(item, finished);
        },
        failures::add);
  }

  private Item item(long offset, @Nullable String key) {
    progress.begin(offset);
    return new Item(CallbackRecord.of(Records.sink(0, offset, key, null)), progress);
  }

  private static String name(Item item) {
    return Long.toString(item.record().offset());
  }

  private void end(String name) {
    Item item =
        working.keySet().stream().filter(one -> name(one).equals(name)).findFirst().orElseThrow();
    Runnable finished = working.remove(item);
    assertThat(finished).isNotNull();
    finished.run();
  }

  @Test
  void noMoreThanSoManyAreWorkedOn() {
    dispatcher(2, false).add(List.of(item(1, "a"), item(2, "a"), item(3, "a")));
    assertThat(begun).containsExactly("1", "2");

    end("2");
    assertThat(begun).containsExactly("1", "2", "3");
  }

  @Test
  void whatCanNotBeBegunIsToldAlsoIfItHadToWait() {
    RuntimeException failure = new IllegalStateException("no");
    Dispatcher dispatcher =
        new Dispatcher(
            1,
            false,
            (item, finished) -> {
              if (name(item).equals("2")) {
                throw failure;
              }
              working.put(item, finished);
            },
            failures::add);
    dispatcher.add(List.of(item(1, "a"), item(2, "b")));

    end("1");

    assertThat(failures).containsExactly(failure);
    assertThat(progress.firstUnfinished()).hasValue(2);
  }

  @Test
  void anErrorIsToldToo() {
    Error error = new NoClassDefFoundError("gone");
    Dispatcher dispatcher =
        new Dispatcher(
            2,
            false,
            (item, finished) -> {
              begun.add(name(item));
              throw error;
            },
            failures::add);

    dispatcher.add(List.of(item(1, "a"), item(2, "b")));

    assertThat(begun).containsExactly("1", "2");
    assertThat(failures).containsExactly(error, error);
  }

  @Test
  void oneKeyIsOneAfterTheOther() {
    dispatcher(10, true).add(List.of(item(1, "a"), item(2, "a"), item(3, "b"), item(4, null)));
    assertThat(begun).containsExactly("1", "3", "4");

    end("1");
    assertThat(begun).containsExactly("1", "3", "4", "2");
  }

  @Test
  void aKeyIsFreeWhenNothingOfItIsLeft() {
    Dispatcher dispatcher = dispatcher(10, true);
    dispatcher.add(List.of(item(1, "a")));
    end("1");

    dispatcher.add(List.of(item(2, "a")));

    assertThat(begun).containsExactly("1", "2");
  }

  @Test
  void whatIsAbandonedIsNotBegun() throws InterruptedException {
    Dispatcher dispatcher = dispatcher(1, true);
    dispatcher.add(List.of(item(1, "a"), item(2, "a"), item(3, "b")));

    progress.close();
    end("1");

    assertThat(begun).containsExactly("1");
    assertThat(dispatcher.awaitBacklog(0, Duration.ZERO)).isTrue();
  }

  @Test
  void tellsWhetherThereIsRoom() throws InterruptedException {
    Dispatcher dispatcher = dispatcher(1, false);
    dispatcher.add(List.of(item(1, "a"), item(2, "a")));

    assertThat(dispatcher.awaitBacklog(1, Duration.ofMillis(20))).isFalse();
    assertThat(dispatcher.awaitBacklog(2, Duration.ZERO)).isTrue();
    end("1");
    assertThat(dispatcher.awaitBacklog(1, Duration.ZERO)).isTrue();
    assertThat(progress.firstUnfinished()).hasValue(2);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void inAnyOrderOfEndsEachKeyIsInOrderAndEverythingIsDone(long seed) throws Exception {
    Random random = new Random(seed);
    Dispatcher dispatcher = dispatcher(1 + random.nextInt(8), true);
    Map<String, String> keys = new HashMap<>();
    List<Item> items =
        IntStream.range(0, 200)
            .mapToObj(
                offset -> {
                  String key = "k" + random.nextInt(5);
                  keys.put(Integer.toString(offset), key);
                  return item(offset, key);
                })
            .toList();
    dispatcher.add(items.subList(0, 100));
    dispatcher.add(items.subList(100, 200));
    while (!working.isEmpty()) {
      List<Item> now = new ArrayList<>(working.keySet());
      assertThat(now.stream().map(item -> keys.get(name(item)))).doesNotHaveDuplicates();
      end(name(now.get(random.nextInt(now.size()))));
    }

    assertThat(begun).hasSize(200);
    for (String key : List.of("k0", "k1", "k2", "k3", "k4")) {
      assertThat(begun.stream().filter(n -> key.equals(keys.get(n))).map(Integer::valueOf))
          .isSorted();
    }
    assertThat(progress.firstUnfinished()).isEmpty();
    assertThat(dispatcher.awaitBacklog(0, Duration.ZERO)).isTrue();
  }
}
