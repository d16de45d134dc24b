package io.delaybridge.bench.speed.lab;

/**
 * The numbers of consecutive records from a {@link Loader}.
 *
 * @param first the first number
 * @param count number of records, 0 to 2^31 - 1
 */
public record Sent(long first, long count) {

  /** Checks the count. */
  public Sent {
    if (count < 0 || count > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "%d records, allowed: 0 to %d".formatted(count, Integer.MAX_VALUE));
    }
  }
}
