package io.delaybridge.delivery;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Remembers the targets that timed out, so that they do not hold up the transaction of all others
 * again. After a pause one turn tries the target anew; each failure doubles the pause. Belongs to
 * one loop.
 */
public final class CircuitBreaker {

  private static final Duration FIRST = Duration.ofSeconds(2);
  private static final Duration LONGEST = Duration.ofMinutes(2);
  private static final int DOUBTS = 3;

  private final LongSupplier nanos;
  private final Map<String, Entry> entries = new HashMap<>();

  /** Takes a monotonic clock. */
  public CircuitBreaker(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** True while the target is to be left alone. */
  public boolean isOpen(String target) {
    Entry entry = entries.get(target);
    return entry != null && entry.pause > 0 && nanos.getAsLong() - entry.until < 0;
  }

  /**
   * Learns that a record for the target timed out.
   *
   * @param othersWentThrough evidence that the target is at fault, not Kafka as a whole; without
   *     it, the target is left alone only after it timed out three times in a row
   */
  public void timedOut(String target, boolean othersWentThrough) {
    Entry before = entries.getOrDefault(target, new Entry(0, 0, 0));
    if (isOpen(target)) {
      return;
    }
    int times = before.times + 1;
    long pause = before.pause;
    if (othersWentThrough || times >= DOUBTS) {
      pause = pause == 0 ? FIRST.toNanos() : Math.min(2 * pause, LONGEST.toNanos());
    }
    entries.put(target, new Entry(times, pause, nanos.getAsLong() + pause));
  }

  /** Learns that a record reached the target. */
  public void succeeded(String target) {
    entries.remove(target);
  }

  private record Entry(int times, long pause, long until) {}
}
