package io.delaybridge.bench.faults;

import io.delaybridge.bench.faults.Nature.Kind;
import java.util.Arrays;

/**
 * The messages that were sent, by number: where Kafka put each and when it is due. The load writes
 * the ledger while it runs; others read it after the load has ended.
 */
final class Ledger {

  private final long seed;
  private final long longestDelay;
  private final boolean plain;
  private final long[] due;
  private final long[] source;
  private final long[] decoy;

  /**
   * @param longestDelay longest delay of a message, milliseconds
   * @param plain whether all messages are plain
   */
  Ledger(long seed, int messages, long longestDelay, boolean plain) {
    this.seed = seed;
    this.longestDelay = longestDelay;
    this.plain = plain;
    due = new long[messages];
    source = new long[messages];
    decoy = new long[messages];
    Arrays.fill(source, Position.NONE);
    Arrays.fill(decoy, Position.NONE);
  }

  int size() {
    return due.length;
  }

  long seed() {
    return seed;
  }

  Nature nature(int number) {
    Nature nature = Nature.of(seed, number, longestDelay);
    return plain ? nature.plain() : nature;
  }

  /** Returns whether a record of this message must arrive. */
  boolean isExpected(int number) {
    return nature(number).kind() != Kind.CANCELLED;
  }

  /** Returns the number of messages that must arrive. */
  int expected() {
    int expected = 0;
    for (int number = 0; number < size(); number++) {
      expected += isExpected(number) ? 1 : 0;
    }
    return expected;
  }

  void due(int number, long epochMs) {
    due[number] = epochMs;
  }

  /** Returns the due time of a message, epoch milliseconds. */
  long due(int number) {
    return due[number];
  }

  /** Returns the due time of the record that was replaced or cancelled. */
  long decoyDue(int number) {
    return due[number] - nature(number).delay() + Load.NEVER_MS;
  }

  void sent(int number, boolean isDecoy, long position) {
    (isDecoy ? decoy : source)[number] = position;
  }

  /** Returns the {@link Position} of the record of a message, or NONE. */
  long source(int number) {
    return source[number];
  }

  /** Returns the {@link Position} of the record that was replaced or cancelled, or NONE. */
  long decoy(int number) {
    return decoy[number];
  }
}
