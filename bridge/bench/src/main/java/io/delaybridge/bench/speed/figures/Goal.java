package io.delaybridge.bench.speed.figures;

/**
 * A bound for the median of a figure.
 *
 * @param atLeast true if more is better
 */
public record Goal(boolean atLeast, double bound) {

  /** Returns a goal of that much or more. */
  public static Goal atLeast(double bound) {
    return new Goal(true, bound);
  }

  /** Returns a goal of that much or less. */
  public static Goal atMost(double bound) {
    return new Goal(false, bound);
  }

  /** Returns whether the median meets the goal. */
  public boolean isMetBy(Spread spread) {
    double median = spread.median();
    return atLeast ? median >= bound : median <= bound;
  }

  @Override
  public String toString() {
    return (atLeast ? "≥ " : "≤ ") + Numbers.plain(bound);
  }
}
