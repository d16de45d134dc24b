package io.delaybridge.bench.faults;

import io.delaybridge.bench.faults.Nature.Kind;
import java.util.Arrays;

/**
 * What was sent, by number: where Kafka put it and when it is due. Written by the load while it
 * runs, read once it has ended.
 */
final class Ledger {

  private final long seed;
  private final long longestDelay;
  private final boolean plain;
  private final long[] due;
  private final long[] source;
  private final long[] decoy;

  /**
   * @param longestDelay milliseconds
   * @param plain whether all messages are
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

  /** Whether anything of it must arrive. */
  boolean isExpected(int number) {
    return nature(number).kind() != Kind.CANCELLED;
  }

  /** How many must arrive. */
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

  /** When it is due, epoch milliseconds. */
  long due(int number) {
    return due[number];
  }

  /** When what was taken back of it would have been due. */
  long decoyDue(int number) {
    return due[number] - nature(number).delay() + Load.NEVER_MS;
  }

  void sent(int number, boolean isDecoy, long position) {
    (isDecoy ? decoy : source)[number] = position;
  }

  /** The {@link Position} of its record, or NONE. */
  long source(int number) {
    return source[number];
  }

  /** The {@link Position} of the record that was taken back, or NONE. */
  long decoy(int number) {
    return decoy[number];
  }
}
