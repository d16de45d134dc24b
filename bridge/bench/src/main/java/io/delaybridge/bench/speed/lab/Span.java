package io.delaybridge.bench.speed.lab;

/**
 * A number of events, with the times of the first and the last.
 *
 * @param firstMs in milliseconds of any clock
 */
public record Span(long count, double firstMs, double lastMs) {

  /** A span without events. */
  public static final Span NONE = new Span(0, Double.MAX_VALUE, -Double.MAX_VALUE);

  /** Returns a span with one more event. */
  public Span with(double ms) {
    return new Span(count + 1, Math.min(firstMs, ms), Math.max(lastMs, ms));
  }

  /** Returns events a second; the first event only starts the clock. */
  public double rate() {
    return 1e3 * (count - 1) / Math.max(1, lastMs - firstMs);
  }
}
