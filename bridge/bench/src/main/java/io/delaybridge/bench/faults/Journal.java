package io.delaybridge.bench.faults;

import java.util.Arrays;

/**
 * Which intake records were delivered, in the order of their arrival. One thread appends, others
 * read what was there when they asked for the size.
 */
final class Journal {

  // Position, due time and time of sending, one after the other.
  private static final int WIDTH = 3;

  private volatile long[] entries = new long[WIDTH << 12];
  private volatile int size;

  /**
   * @param position of the intake record, see {@link Position}
   * @param due of its key, epoch milliseconds
   * @param at when the bridge sent it, epoch milliseconds
   */
  void add(long position, long due, long at) {
    int start = size * WIDTH;
    long[] current = entries;
    if (start == current.length) {
      current = Arrays.copyOf(current, 2 * start);
      entries = current;
    }
    current[start] = position;
    current[start + 1] = due;
    current[start + 2] = at;
    size = start / WIDTH + 1;
  }

  int size() {
    return size;
  }

  long position(int index) {
    return entries[index * WIDTH];
  }

  long due(int index) {
    return entries[index * WIDTH + 1];
  }

  long at(int index) {
    return entries[index * WIDTH + 2];
  }
}
