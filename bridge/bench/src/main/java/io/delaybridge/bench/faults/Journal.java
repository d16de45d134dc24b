package io.delaybridge.bench.faults;

import java.util.Arrays;

/**
 * The delivered intake records in the order of their arrival. One thread appends. Other threads
 * read the size first, and then only the entries below it.
 */
final class Journal {

  // The values of an entry: position, due time and send time.
  private static final int WIDTH = 3;

  private volatile long[] entries = new long[WIDTH << 12];
  private volatile int size;

  /**
   * @param position {@link Position} of the intake record
   * @param due due time of the message, epoch milliseconds
   * @param at send time by the bridge's clock, epoch milliseconds
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
