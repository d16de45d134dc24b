package io.delaybridge.connect.callback;

import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The unfinished records of a partition, from its assignment until it is taken away. A record that
 * Connect hands over twice, because it went back, counts twice. Safe for several threads.
 */
final class Progress {

  private final TreeMap<Long, Integer> unfinished = new TreeMap<>();
  private long highest;
  private boolean closed;

  /** Adds a record that was handed over. */
  synchronized void begin(long offset) {
    highest = Math.max(highest, offset);
    unfinished.merge(offset, 1, Integer::sum);
  }

  /** Finishes a record: it was accepted, or the follow-up of its failure is safely in Kafka. */
  synchronized void finish(long offset) {
    unfinished.computeIfPresent(offset, (key, times) -> times == 1 ? null : times - 1);
  }

  /**
   * Returns the first offset that must not be committed beyond; empty if everything is finished.
   */
  synchronized OptionalLong firstUnfinished() {
    return unfinished.isEmpty() ? OptionalLong.empty() : OptionalLong.of(unfinished.firstKey());
  }

  /** Returns the number of offsets from the first unfinished one to the last one handed over. */
  synchronized long span() {
    return unfinished.isEmpty() ? 0 : highest - unfinished.firstKey() + 1;
  }

  /** Gives up the partition. Another task begins its unfinished records again. */
  synchronized void close() {
    closed = true;
  }

  synchronized boolean isClosed() {
    return closed;
  }
}
