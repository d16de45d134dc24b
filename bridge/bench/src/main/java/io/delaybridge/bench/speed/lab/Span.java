package io.delaybridge.bench.speed.lab;

/**
 * So many, from the first to the last.
 *
 * @param firstMs any clock in milliseconds
 */
public record Span(long count, double firstMs, double lastMs) {

  /** Of nothing. */
  public static final Span NONE = new Span(0, Double.MAX_VALUE, -Double.MAX_VALUE);

  /** With one more. */
  public Span with(double ms) {
    return new Span(count + 1, Math.min(firstMs, ms), Math.max(lastMs, ms));
  }

  /** For each second; the first one is what the time is counted from. */
  public double rate() {
    return 1e3 * (count - 1) / Math.max(1, lastMs - firstMs);
  }
}
