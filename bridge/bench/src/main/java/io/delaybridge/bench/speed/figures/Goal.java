package io.delaybridge.bench.speed.figures;

/**
 * What a figure should be; the median counts.
 *
 * @param atLeast true if more is better
 */
public record Goal(boolean atLeast, double bound) {

  /** That much or more. */
  public static Goal atLeast(double bound) {
    return new Goal(true, bound);
  }

  /** That much or less. */
  public static Goal atMost(double bound) {
    return new Goal(false, bound);
  }

  /** Whether the median reaches it. */
  public boolean isMetBy(Spread spread) {
    double median = spread.median();
    return atLeast ? median >= bound : median <= bound;
  }

  @Override
  public String toString() {
    return (atLeast ? "≥ " : "≤ ") + Numbers.plain(bound);
  }
}
