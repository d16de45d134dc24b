package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.figures.Goal;
import io.delaybridge.bench.speed.figures.Plots;
import io.delaybridge.bench.speed.lab.Guarantee;
import io.delaybridge.bench.speed.lab.OpenLoop;
import io.delaybridge.bench.speed.lab.OpenLoop.Lateness;
import io.delaybridge.bench.speed.lab.Station;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * How late messages are: at 500 a second with delays of 1 to 5 s, and at half of the rate that the
 * mixed run reaches just before. The guarantees take turns in every round.
 */
final class Late {

  private static final double SLOW = 500;
  private static final Duration WARM_UP = Duration.ofSeconds(15);
  private static final Duration LENGTH = Duration.ofSeconds(30);
  private static final Duration SETTLE = Duration.ofSeconds(8);

  private final Setup setup;
  private final Map<String, List<Double>> values = new LinkedHashMap<>();
  private final Map<String, Histogram> histograms = new LinkedHashMap<>();

  Late(Setup setup) {
    this.setup = setup;
  }

  void run() throws InterruptedException, IOException {
    int size = setup.options().sizes().get(0);
    Map<Guarantee, Station> bridges = new LinkedHashMap<>();
    Map<Guarantee, OpenLoop> loops = new HashMap<>();
    for (Guarantee guarantee : setup.options().guarantees()) {
      Station bridge = setup.bridge("bridge-" + guarantee.key(), guarantee);
      bridges.put(guarantee, bridge);
      OpenLoop loop = loop(bridge, size);
      loops.put(guarantee, loop);
      bridge.through(size);
      loop.run(SLOW, WARM_UP);
    }
    for (int round = 1; round <= setup.options().rounds(); round++) {
      for (Map.Entry<Guarantee, Station> entry : bridges.entrySet()) {
        OpenLoop loop = loop(entry.getValue(), size);
        keep(round, entry.getKey(), "500/s", loop.run(SLOW, LENGTH));
        double mixed = new Mixed(entry.getValue(), size, SETTLE, SETTLE).run(20_000).rate();
        keep(round, entry.getKey(), "half of mixed", loop.run(mixed / 2, LENGTH.dividedBy(2)));
      }
    }
    setup.options().guarantees().forEach(this::report);
    Plots.histogram(setup.output(), "lateness", "Lateness at 500/s", histograms);
    setup.report().plot("Lateness at 500 messages a second", "lateness.svg");
  }

  static OpenLoop loop(Station bridge, int size) {
    return new OpenLoop(bridge, size, Duration.ofSeconds(1), Duration.ofSeconds(5));
  }

  private void keep(int round, Guarantee guarantee, String load, Lateness lateness) {
    setup
        .progress()
        .line(
            "round %d %s at %s: p50 %.1f, p99 %.1f, p99.9 %.1f ms, early %d of %d",
            round,
            guarantee.words(),
            load,
            lateness.percentile(50),
            lateness.percentile(99),
            lateness.percentile(99.9),
            lateness.early(),
            lateness.late().getTotalCount());
    for (double percent : new double[] {50, 99, 99.9}) {
      put(guarantee, load, "p" + percent, lateness.percentile(percent));
    }
    put(guarantee, load, "early", lateness.early());
    if (load.equals("500/s")) {
      histograms.merge(
          guarantee.words(),
          lateness.late(),
          (all, more) -> {
            all.add(more);
            return all;
          });
    }
  }

  private void put(Guarantee guarantee, String load, String what, double value) {
    values.computeIfAbsent(guarantee + load + what, key -> new ArrayList<>()).add(value);
  }

  private void report(Guarantee guarantee) {
    double[] goals =
        guarantee == Guarantee.EXACTLY_ONCE ? new double[] {8, 20, 50} : new double[] {2, 5, 20};
    line(guarantee, "500/s", "p50.0", "ms", Goal.atMost(goals[0]));
    line(guarantee, "500/s", "p99.0", "ms", Goal.atMost(goals[1]));
    line(guarantee, "500/s", "p99.9", "ms", Goal.atMost(goals[2]));
    line(guarantee, "500/s", "early", "messages", Goal.atMost(0));
    line(guarantee, "half of mixed", "p50.0", "ms", null);
    line(guarantee, "half of mixed", "p99.0", "ms", Goal.atMost(50));
    line(guarantee, "half of mixed", "early", "messages", Goal.atMost(0));
  }

  private void line(
      Guarantee guarantee, String load, String what, String unit, @Nullable Goal goal) {
    setup.add(
        guarantee.words() + " at " + load,
        what.replace(".0", ""),
        unit,
        values.getOrDefault(guarantee + load + what, List.of()),
        goal);
  }
}
