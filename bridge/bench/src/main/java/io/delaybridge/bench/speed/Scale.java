package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.figures.Goal;
import io.delaybridge.bench.speed.figures.Plots;
import io.delaybridge.bench.speed.figures.Plots.Axes;
import io.delaybridge.bench.speed.figures.Plots.Point;
import io.delaybridge.bench.speed.figures.Spread;
import io.delaybridge.bench.speed.lab.Station;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Drain and store with 1, 2 and 4 loops, and with two processes of 2 loops; they take turns. */
final class Scale {

  private final Setup setup;
  private final Map<String, List<Double>> stores = new LinkedHashMap<>();
  private final Map<String, List<Double>> drains = new LinkedHashMap<>();

  Scale(Setup setup) {
    this.setup = setup;
  }

  void run() {
    int size = setup.options().sizes().get(0);
    Map<String, Station> stations = new LinkedHashMap<>();
    for (int loops : List.of(1, 2, 4)) {
      String name = loops + (loops == 1 ? " loop" : " loops");
      stations.put(name, setup.bridge("loops-" + loops, setup.guarantee(), loops, 1));
    }
    stations.put("2 processes of 2 loops", setup.bridge("twice", setup.guarantee(), 2, 2));
    for (int round = 0; round <= setup.options().rounds(); round++) {
      for (Map.Entry<String, Station> entry : stations.entrySet()) {
        Station.Stored stored = entry.getValue().storeAndDrain(size);
        setup
            .progress()
            .line(
                "round %d, %s: store %,.0f/s, drain %,.0f/s",
                round, entry.getKey(), stored.store(), stored.drain());
        if (round > 0) {
          stores.computeIfAbsent(entry.getKey(), key -> new ArrayList<>()).add(stored.store());
          drains.computeIfAbsent(entry.getKey(), key -> new ArrayList<>()).add(stored.drain());
        }
      }
    }
    report();
  }

  private void report() {
    for (String name : drains.keySet()) {
      setup.add(name, "store", "msg/s", stores.getOrDefault(name, List.of()), null);
      setup.add(name, "drain", "msg/s", drains.getOrDefault(name, List.of()), null);
      if (!name.equals("1 loop")) {
        ratio(name, "store", stores);
        ratio(name, "drain", drains);
      }
    }
    Map<String, List<Point>> curves = new LinkedHashMap<>();
    curves.put("store", curve(stores));
    curves.put("drain", curve(drains));
    Axes axes = new Axes("Loops in one process", "loops", "messages a second");
    Plots.curves(setup.output(), "scale", axes, false, curves);
    setup.report().plot("Rates by loops", "scale.svg");
  }

  private void ratio(String name, String what, Map<String, List<Double>> rates) {
    Spread one = new Spread(rates.getOrDefault("1 loop", List.of()));
    Spread these = new Spread(rates.getOrDefault(name, List.of()));
    setup.add(name, what + " ÷ 1 loop", "", these.over(one).values(), Goal.atLeast(1));
  }

  private static List<Point> curve(Map<String, List<Double>> rates) {
    return List.of("1 loop", "2 loops", "4 loops").stream()
        .map(
            name ->
                new Point(
                    name.charAt(0) - '0', new Spread(rates.getOrDefault(name, List.of())).median()))
        .toList();
  }
}
