package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.figures.Goal;
import io.delaybridge.bench.speed.figures.Plot.Axes;
import io.delaybridge.bench.speed.figures.Plot.Point;
import io.delaybridge.bench.speed.lab.Station;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Drain and store with 1, 2 and 4 loops in one process, and with two processes of 2 loops; they
 * take turns. Several loops are compared with one loop, and two processes with one process that has
 * as many loops in total.
 */
final class Scale {

  private static final String TWICE = "2 processes of 2 loops";

  private final Setup setup;
  private final Series stores = new Series();
  private final Series drains = new Series();

  Scale(Setup setup) {
    this.setup = setup;
  }

  void run() {
    int size = setup.options().size();
    Map<String, Station> stations = new LinkedHashMap<>();
    for (int loops : List.of(1, 2, 4)) {
      String name = loops + (loops == 1 ? " loop" : " loops");
      stations.put(name, setup.bridge("loops-" + loops, setup.options().guarantee(), loops, 1));
    }
    stations.put(TWICE, setup.bridge("twice", setup.options().guarantee(), 2, 2));
    for (int round = 0; round <= setup.options().rounds(); round++) {
      for (Map.Entry<String, Station> entry : stations.entrySet()) {
        Station.Stored stored = entry.getValue().storeAndDrain(size);
        setup.line(
            "round %d, %s: store %,.0f/s, drain %,.0f/s",
            round, entry.getKey(), stored.store(), stored.drain());
        if (round > 0) {
          stores.keep(entry.getKey(), stored.store());
          drains.keep(entry.getKey(), stored.drain());
        }
      }
    }
    report();
  }

  private void report() {
    for (String name : drains.names()) {
      setup.add(name, "store", "msg/s", stores.of(name));
      setup.add(name, "drain", "msg/s", drains.of(name));
      if (name.equals(TWICE)) {
        ratios(name, "2 loops", " ÷ 1 process of 2 loops");
      } else if (!name.equals("1 loop")) {
        ratios(name, "1 loop", " ÷ 1 loop");
      }
    }
    Map<String, List<Point>> curves = new LinkedHashMap<>();
    curve(curves, "store", stores);
    curve(curves, "drain", drains);
    Axes axes = Axes.linear("Rates by loops", "loops in all", "messages a second");
    setup.plot("scale", axes, curves);
  }

  private void ratios(String name, String to, String words) {
    setup.add(name, "store" + words, "", stores.ratio(name, to), Goal.atLeast(1));
    setup.add(name, "drain" + words, "", drains.ratio(name, to), Goal.atLeast(1));
  }

  private static void curve(Map<String, List<Point>> curves, String what, Series rates) {
    Point two = point(2, "2 loops", rates);
    curves.put(
        what + ", one process",
        List.of(point(1, "1 loop", rates), two, point(4, "4 loops", rates)));
    curves.put(what + ", processes of 2 loops", List.of(two, point(4, TWICE, rates)));
  }

  private static Point point(int loops, String name, Series rates) {
    return new Point(loops, rates.of(name).median());
  }
}
