package io.delaybridge.bench.speed.figures;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The values of a figure that was taken several times.
 *
 * @param values in the order in which they were taken; at least one
 */
public record Spread(List<Double> values) {

  /** Copies and checks the values. */
  public Spread {
    values = List.copyOf(values);
    if (values.isEmpty()) {
      throw new IllegalArgumentException("a spread of no values");
    }
  }

  /** Returns the middle value, or the mean of the two middle values. */
  public double median() {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Returns the smallest value. */
  public double min() {
    return values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
  }

  /** Returns the largest value. */
  public double max() {
    return values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
  }

  /**
   * Divides each value by its counterpart from the same round: a temporary slowdown of the machine
   * affects both.
   *
   * @throws IllegalArgumentException if the numbers of values differ
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

  /** Returns a spread of these values. */
  public static Spread of(double... values) {
    return new Spread(Arrays.stream(values).boxed().toList());
  }
}
