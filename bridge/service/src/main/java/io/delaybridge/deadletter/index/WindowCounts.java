package io.delaybridge.deadletter.index;

import io.delaybridge.deadletter.letters.DeadLetter;
import java.util.ArrayList;
import java.util.Collections;
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
 * Counts the dead letters of each minute, by reason and target. Bounded, whatever targets and
 * reasons are made up: in each minute it keeps no more kinds than producers may reasonably make. If
 * the last seven days have too many, the minute with the most of them forgets its targets, so that
 * a minute of made-up names costs no other minute anything. One thread adds, any may ask.
 */
final class WindowCounts {

  static final long MINUTE = 60_000;
  static final long KEPT_MINUTES = 7 * 24 * 60;
  static final int MAX_KINDS = 500;
  static final int MAX_ENTRIES = 50_000;
  static final String OTHER = "(other)";

  private final ConcurrentNavigableMap<Long, Map<Kind, Integer>> minutes =
      new ConcurrentSkipListMap<>();
  private int entries;
  private long oldest = Long.MIN_VALUE;

  private record Kind(String intake, String reason, @Nullable String target) {

    static final Kind ANY = new Kind(OTHER, OTHER, OTHER);

    /** The kind itself or a coarser one, if there are too many. */
    Kind in(Map<Kind, Integer> kinds) {
      if (kinds.size() < MAX_KINDS || kinds.containsKey(this)) {
        return this;
      }
      Kind coarse = coarse();
      return kinds.size() < 2 * MAX_KINDS || kinds.containsKey(coarse) ? coarse : ANY;
    }

    Kind coarse() {
      return new Kind(intake, reason, OTHER);
    }
  }

  void add(DeadLetter letter) {
    long minute = Math.floorDiv(letter.at(), MINUTE) * MINUTE;
    if (minute < oldest) {
      return;
    }
    Map<Kind, Integer> kinds = minutes.computeIfAbsent(minute, key -> new ConcurrentHashMap<>());
    Kind kind = new Kind(letter.source().topic(), letter.reason(), letter.target()).in(kinds);
    if (kinds.merge(kind, 1, Integer::sum) == 1) {
      entries++;
    }
    oldest = Math.max(oldest, minutes.lastKey() - KEPT_MINUTES * MINUTE);
    if (entries > MAX_ENTRIES) {
      coarsenTheFullest();
    }
    while (minutes.firstKey() < oldest || (entries > MAX_ENTRIES && minutes.size() > 1)) {
      Map.Entry<Long, Map<Kind, Integer>> first = minutes.firstEntry();
      oldest = Math.max(oldest, first.getKey() + MINUTE);
      entries -= first.getValue().size();
      minutes.remove(first.getKey());
    }
  }

  /** Does nothing if that minute knows no targets any more; then the oldest minute has to go. */
  private void coarsenTheFullest() {
    Map.Entry<Long, Map<Kind, Integer>> fullest =
        Collections.max(
            minutes.entrySet(), Comparator.comparingInt(minute -> minute.getValue().size()));
    Map<Kind, Integer> coarse = new ConcurrentHashMap<>();
    fullest.getValue().forEach((kind, count) -> coarse.merge(kind.coarse(), count, Integer::sum));
    entries -= fullest.getValue().size() - coarse.size();
    minutes.put(fullest.getKey(), coarse);
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
