package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.Mixed.Steady;
import io.delaybridge.bench.speed.figures.Goal;
import io.delaybridge.bench.speed.figures.Plot.Axes;
import io.delaybridge.bench.speed.figures.Plot.Point;
import io.delaybridge.bench.speed.figures.Spread;
import io.delaybridge.bench.speed.lab.Guarantee;
import io.delaybridge.bench.speed.lab.Station;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Store, drain, overdue catch-up and mixed, compared with the pass-through. All processes live as
 * long as the run. The measurements take turns in every round, and each round runs the pass-through
 * before and after the bridge. The first round is only a warm-up.
 */
final class Throughput {

  private static final List<String> WHAT =
      List.of("pass-through", "store", "drain", "overdue", "mixed");
  private static final String BEGINS = "mixed, late when the window begins";
  private static final String ENDS = "mixed, late when the window ends";
  private static final Duration WINDOW = Duration.ofSeconds(10);

  private final Setup setup;
  private final Options options;
  private final Series series = new Series();

  Throughput(Setup setup) {
    this.setup = setup;
    this.options = setup.options();
  }

  /** Both sides of one comparison. */
  private record Pair(Guarantee guarantee, Station yardstick, Station bridge) {}

  void run() throws InterruptedException {
    List<Pair> pairs = new ArrayList<>();
    for (Guarantee guarantee : options.guarantees()) {
      pairs.add(
          new Pair(
              guarantee,
              setup.passThrough(guarantee),
              setup.bridge("bridge-" + guarantee.key(), guarantee)));
    }
    for (int round = 0; round <= options.rounds(); round++) {
      for (int size : options.sizes()) {
        for (Pair pair : pairs) {
          round(round, size, pair);
        }
      }
    }
    for (int size : options.sizes()) {
      options.guarantees().forEach(guarantee -> report(size, guarantee));
    }
    if (options.sizes().size() > 1) {
      plot();
    }
  }

  private void plot() {
    Map<String, List<Point>> curves = new LinkedHashMap<>();
    for (Guarantee guarantee : options.guarantees()) {
      for (String what : WHAT) {
        curves.put(
            what + ", " + guarantee.words(),
            options.sizes().stream()
                .map(size -> new Point(size, spread(size, guarantee, what).median()))
                .toList());
      }
    }
    Axes axes =
        new Axes("Throughput by size", "bytes of a value", "messages a second", true, false);
    setup.plot("throughput", axes, curves);
  }

  private void round(int round, int size, Pair pair) throws InterruptedException {
    double before = pair.yardstick.through(size);
    Station.Stored stored = pair.bridge.storeAndDrain(size);
    double overdue = pair.bridge.through(size);
    Steady mixed = new Mixed(pair.bridge, size, WINDOW).run(before / 3);
    double after = pair.yardstick.through(size);
    double pass = (before + after) / 2;
    setup.line(
        "%s %d B %s: pass-through %,.0f %,.0f/s; store %.2f, drain %.2f, overdue %.2f, mixed %.2f"
            + " (late %.1f to %.1f s)",
        round == 0 ? "warm-up" : "round " + round,
        size,
        pair.guarantee.words(),
        before,
        after,
        stored.store() / pass,
        stored.drain() / pass,
        overdue / pass,
        mixed.rate() / pass,
        mixed.lateBegin(),
        mixed.lateEnd());
    if (round > 0) {
      keep(size, pair.guarantee, "pass-through", pass);
      keep(size, pair.guarantee, "store", stored.store());
      keep(size, pair.guarantee, "drain", stored.drain());
      keep(size, pair.guarantee, "overdue", overdue);
      keep(size, pair.guarantee, "mixed", mixed.rate());
      keep(size, pair.guarantee, BEGINS, mixed.lateBegin());
      keep(size, pair.guarantee, ENDS, mixed.lateEnd());
    }
  }

  private void keep(int size, Guarantee guarantee, String what, double value) {
    series.keep(key(size, guarantee, what), value);
  }

  private Spread spread(int size, Guarantee guarantee, String what) {
    return series.of(key(size, guarantee, what));
  }

  private static String key(int size, Guarantee guarantee, String what) {
    return size + " " + guarantee + " " + what;
  }

  private void report(int size, Guarantee guarantee) {
    String group = size + " B, " + guarantee.words();
    Spread pass = spread(size, guarantee, "pass-through");
    setup.add(group, "pass-through", "msg/s", pass);
    for (String what : WHAT.subList(1, WHAT.size())) {
      Spread rate = spread(size, guarantee, what);
      setup.add(group, what, "msg/s", rate);
      setup.add(
          group,
          what + " ÷ pass-through",
          "",
          rate.over(pass),
          goal(size, guarantee == Guarantee.EXACTLY_ONCE, what));
    }
    // The evidence that lag does not grow.
    setup.add(group, BEGINS, "s", spread(size, guarantee, BEGINS));
    setup.add(group, ENDS, "s", spread(size, guarantee, ENDS));
  }

  /**
   * Returns the goal; drain and mixed have one only for exactly once. Values are large from 1 KB
   * on.
   */
  private static @Nullable Goal goal(int size, boolean exactlyOnce, String what) {
    boolean large = size >= 1_000;
    return switch (what) {
      case "store" -> Goal.atLeast(large ? 0.7 : 0.6);
      case "drain" -> exactlyOnce ? Goal.atLeast(large ? 0.7 : 0.6) : null;
      case "overdue" -> Goal.atLeast(0.6);
      default -> exactlyOnce ? Goal.atLeast(large ? 0.5 : 0.4) : null;
    };
  }
}
