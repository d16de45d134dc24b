package io.delaybridge.deadletter;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How many dead letters there were in each minute, by reason and target. Bounded: the last seven
 * days, and in each minute no more kinds than producers may reasonably make. One thread adds, any
 * may ask.
 */
final class WindowCounts {

  static final long MINUTE = 60_000;
  static final long KEPT_MINUTES = 7 * 24 * 60;
  static final int MAX_KINDS = 500;
  static final String OTHER = "(other)";

  private final ConcurrentNavigableMap<Long, Map<Kind, Integer>> minutes =
      new ConcurrentSkipListMap<>();

  private record Kind(String intake, String reason, @Nullable String target) {}

  void add(DeadLetter letter) {
    long minute = Math.floorDiv(letter.at(), MINUTE) * MINUTE;
    long oldest = (minutes.isEmpty() ? minute : minutes.lastKey()) - KEPT_MINUTES * MINUTE;
    if (minute < oldest) {
      return;
    }
    Map<Kind, Integer> kinds = minutes.computeIfAbsent(minute, key -> new ConcurrentHashMap<>());
    Kind kind = new Kind(letter.source().topic(), letter.reason(), letter.target());
    boolean known = kinds.size() < MAX_KINDS || kinds.containsKey(kind);
    kinds.merge(known ? kind : new Kind(kind.intake, kind.reason, OTHER), 1, Integer::sum);
    minutes.headMap(minutes.lastKey() - KEPT_MINUTES * MINUTE).clear();
  }

  /**
   * The windows that are not empty, oldest first.
   *
   * @param from epoch milliseconds; the window that it lies in is the first
   * @param width of a window in milliseconds, whole minutes; windows begin at multiples of it
   * @param intakes which intakes to count
   */
  List<Catalog.Count> since(long from, long width, Predicate<String> intakes) {
    Map<Long, Map<Kind, Integer>> windows = new TreeMap<>();
    long first = Math.floorDiv(from, width) * width;
    for (Map.Entry<Long, Map<Kind, Integer>> minute : minutes.tailMap(first).entrySet()) {
      long at = Math.floorDiv(minute.getKey(), width) * width;
      for (Map.Entry<Kind, Integer> kind : minute.getValue().entrySet()) {
        if (intakes.test(kind.getKey().intake)) {
          windows
              .computeIfAbsent(at, key -> new ConcurrentHashMap<>())
              .merge(
                  new Kind("", kind.getKey().reason, kind.getKey().target),
                  kind.getValue(),
                  Integer::sum);
        }
      }
    }
    List<Catalog.Count> counts = new ArrayList<>();
    windows.forEach(
        (at, kinds) ->
            kinds.forEach(
                (kind, count) ->
                    counts.add(new Catalog.Count(kind.reason, kind.target, at, count))));
    counts.sort(
        Comparator.comparingLong(Catalog.Count::at)
            .thenComparing(Catalog.Count::reason)
            .thenComparing(count -> String.valueOf(count.target())));
    return counts;
  }
}
