package io.delaybridge.deadletter.index;

import io.delaybridge.deadletter.letters.DeadLetter;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Counts the dead letters of each reason in a sliding window that ends with the newest. For one
 * thread.
 */
final class Rates {

  static final int MAX_COUNT = 10_000;
  static final int MAX_REASONS = 100;

  private final long window;
  private final Map<String, PriorityQueue<Long>> times = new HashMap<>();
  private final Map<String, Long> newest = new HashMap<>();

  /**
   * @param window in milliseconds
   */
  Rates(long window) {
    this.window = window;
  }

  /**
   * Counts a letter.
   *
   * @return how many with its reason the window has now, this one included; no more than {@link
   *     #MAX_COUNT}, and 0 if it is too old to count
   */
  int count(DeadLetter letter) {
    if (!times.containsKey(letter.reason()) && times.size() >= MAX_REASONS) {
      return 0;
    }
    long end = newest.merge(letter.reason(), letter.at(), Math::max);
    if (letter.at() <= end - window) {
      return 0;
    }
    // Partitions are read one after the other, so the times do not come in order.
    PriorityQueue<Long> inWindow =
        times.computeIfAbsent(letter.reason(), reason -> new PriorityQueue<>());
    inWindow.add(letter.at());
    while (inWindow.size() > MAX_COUNT || inWindow.peek() <= end - window) {
      inWindow.remove();
    }
    return inWindow.size();
  }
}
