package io.delaybridge.bench.speed.lab;

/**
 * The numbers of records that a {@link Loader} sent one after the other.
 *
 * @param first number
 * @param count of records, 0 to 2^31 - 1
 */
public record Sent(long first, long count) {

  /** Checks. */
  public Sent {
    if (count < 0 || count > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "%d records, allowed: 0 to %d".formatted(count, Integer.MAX_VALUE));
    }
  }
}
