package io.delaybridge.bench.faults;

import java.time.Duration;

/**
 * How much of what a row has.
 *
 * @param messages to be accounted for
 * @param injections of its fault
 * @param bridges processes
 * @param partitions of the intake
 * @param pause longest wait before an injection, once the bridges have delivered something since
 *     the one before; the shortest is none
 * @param delay longest delay of a message
 */
record Shape(
    int messages, int injections, int bridges, int partitions, Duration pause, Duration delay) {

  /** The same with a share of the messages and injections, at least one of each. */
  Shape scaled(double scale) {
    return new Shape(
        atLeastOne(messages * scale),
        atLeastOne(injections * scale),
        bridges,
        partitions,
        pause,
        delay);
  }

  private static int atLeastOne(double number) {
    return Math.max(1, (int) Math.round(number));
  }
}
