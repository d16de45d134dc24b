package io.delaybridge.deadletter.index;

import io.delaybridge.deadletter.letters.DeadLetter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Counts the dead letters of each reason in a sliding window that ends with the newest. Of too many
 * reasons it forgets the one that has not been counted for longest. For one thread.
 */
final class Rates {

  static final int MAX_COUNT = 10_000;
  static final int MAX_REASONS = 100;

  private final long window;
  private final Map<String, OfReason> reasons =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, OfReason> eldest) {
          return size() > MAX_REASONS;
        }
      };

  private static final class OfReason {
    final PriorityQueue<Long> times = new PriorityQueue<>();
    long newest = Long.MIN_VALUE;
  }

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
    OfReason reason = reasons.computeIfAbsent(letter.reason(), name -> new OfReason());
    reason.newest = Math.max(reason.newest, letter.at());
    if (letter.at() <= reason.newest - window) {
      return 0;
    }
    // Partitions are read one after the other, so the times do not come in order.
    reason.times.add(letter.at());
    while (reason.times.size() > MAX_COUNT || reason.times.peek() <= reason.newest - window) {
      reason.times.remove();
    }
    return reason.times.size();
  }
}
