package io.delaybridge.bench.faults;

import java.util.OptionalLong;

/** An intake partition and offset in one long, so that a million of them fit into an array. */
final class Position {

  /** The position of a record that Kafka has not acknowledged. */
  static final long NONE = -1;

  private static final int OFFSET_BITS = 48;

  private Position() {}

  static long of(int partition, long offset) {
    return ((long) partition << OFFSET_BITS) | offset;
  }

  static int partition(long position) {
    return (int) (position >>> OFFSET_BITS);
  }

  static long offset(long position) {
    return position & ((1L << OFFSET_BITS) - 1);
  }

  /** Parses {@code topic/partition/offset}, the format of the header delay-source. */
  static OptionalLong parse(String source, String topic) {
    String[] parts = source.split("/", -1);
    if (parts.length != 3 || !parts[0].equals(topic)) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(of(Integer.parseInt(parts[1]), Long.parseLong(parts[2])));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  static String text(long position) {
    return position == NONE ? "unsent" : partition(position) + "/" + offset(position);
  }
}
