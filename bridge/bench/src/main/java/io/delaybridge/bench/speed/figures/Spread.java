package io.delaybridge.bench.speed.figures;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The same figure taken several times.
 *
 * @param values in the order in which they were taken; at least one
 */
public record Spread(List<Double> values) {

  /** Copies and checks. */
  public Spread {
    values = List.copyOf(values);
    if (values.isEmpty()) {
      throw new IllegalArgumentException("a spread of no values");
    }
  }

  /** The one in the middle, or the mean of the two there. */
  public double median() {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** The smallest. */
  public double min() {
    return values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
  }

  /** The largest. */
  public double max() {
    return values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
  }

  /**
   * Each value divided by its counterpart, which was taken in the same round: what slows the whole
   * machine down for a while slows both.
   *
   * @throws IllegalArgumentException if there are not as many
   */
  public Spread over(Spread yardstick) {
    if (values.size() != yardstick.values.size()) {
      throw new IllegalArgumentException(
          "%d values over %d".formatted(values.size(), yardstick.values.size()));
    }
    return new Spread(
        IntStream.range(0, values.size())
            .mapToObj(i -> values.get(i) / yardstick.values.get(i))
            .toList());
  }

  /** A spread of these. */
  public static Spread of(double... values) {
    return new Spread(Arrays.stream(values).boxed().toList());
  }
}
