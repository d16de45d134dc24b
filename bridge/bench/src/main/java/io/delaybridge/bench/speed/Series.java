package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.figures.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The figures of all rounds, by name. */
final class Series {
  private final Map<String, List<Double>> values = new LinkedHashMap<>();

  void keep(String name, double value) {
    values.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
  }

  /** Keeps all figures of one round. */
  void keep(Map<String, Double> figures) {
    figures.forEach(this::keep);
  }

  /** Returns the names in the order in which they were first kept. */
  Set<String> names() {
    return values.keySet();
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  Spread of(String name) {
    return new Spread(values.getOrDefault(name, List.of()));
  }

  /** Returns the ratio of two figures, round by round. */
  Spread ratio(String name, String yardstick) {
    return of(name).over(of(yardstick));
  }
}
