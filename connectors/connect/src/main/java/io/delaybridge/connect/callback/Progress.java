package io.delaybridge.connect.callback;

import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What of a partition is not finished, from when it is assigned to when it is taken away. A record
 * that Connect hands over twice, because it went back, counts twice. Safe for several threads.
 */
final class Progress {

  private final TreeMap<Long, Integer> unfinished = new TreeMap<>();
  private long highest;
  private boolean closed;

  /** A record was handed over. */
  synchronized void begin(long offset) {
    highest = Math.max(highest, offset);
    unfinished.merge(offset, 1, Integer::sum);
  }

  /** It is finished: accepted, or what follows from its failure is safely in Kafka. */
  synchronized void finish(long offset) {
    unfinished.computeIfPresent(offset, (key, times) -> times == 1 ? null : times - 1);
  }

  /** The first offset that must not be committed beyond; empty if everything is finished. */
  synchronized OptionalLong firstUnfinished() {
    return unfinished.isEmpty() ? OptionalLong.empty() : OptionalLong.of(unfinished.firstKey());
  }

  /** How many offsets there are from the first that is unfinished to the last one handed over. */
  synchronized long span() {
    return unfinished.isEmpty() ? 0 : highest - unfinished.firstKey() + 1;
  }

  /** The partition is no longer this task's. What is not finished, another one will begin again. */
  synchronized void close() {
    closed = true;
  }

  synchronized boolean isClosed() {
    return closed;
  }
}
