package io.delaybridge.bench.faults;

import java.time.Duration;

/**
 * The size of a row.
 *
 * @param messages number of messages to be accounted for
 * @param injections number of injections of its fault
 * @param bridges number of bridge processes
 * @param partitions number of intake partitions
 * @param pause longest wait before an injection, once the bridges have delivered something since
 *     the previous one; the shortest is none
 * @param delay longest delay of a message
 */
record Shape(
    int messages, int injections, int bridges, int partitions, Duration pause, Duration delay) {

  /** Returns the shape with a fraction of the messages and injections, at least one of each. */
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
