package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.figures.Goal;
import io.delaybridge.bench.speed.figures.Plot.Axes;
import io.delaybridge.bench.speed.figures.Plot.Point;
import io.delaybridge.bench.speed.figures.Spread;
import io.delaybridge.bench.speed.lab.Guarantee;
import io.delaybridge.bench.speed.lab.OpenLoop;
import io.delaybridge.bench.speed.lab.OpenLoop.Lateness;
import io.delaybridge.bench.speed.lab.Station;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The lateness of messages at 500 a second with delays of 1 to 5 s, and at an eighth, a quarter and
 * half of the rate that the mixed run reaches just before. The guarantees take turns in every
 * round. The messages of the pass-through are due when it is their turn to be sent. At 500 a
 * second, it shows the time that a record needs in any case from the producer through one process
 * to a consumer on this machine. The tolerance is 0; the page {@code pace} shows the costs and
 * savings of a tolerance.
 */
final class Late {

  private static final String STOLEN = "processor time stolen by the host";
  private static final String IDLE = "processor time that nobody used";

  /** Messages a second. */
  static final double SLOW = 500;

  /**
   * The compilers of broker, bridge and pass-through keep two cores busy for about a minute at 500
   * a second, and again when the load becomes much higher. Messages that are late meanwhile waited
   * for the compilers.
   */
  private static final Duration WARM_UP = Duration.ofSeconds(75);

  private static final Duration LENGTH = Duration.ofSeconds(30);
  private static final Duration WINDOW = Duration.ofSeconds(8);

  private static final String AT_SLOW = "500/s";
  private static final String PASS_THROUGH = "500/s, pass-through";

  /** Shares of the mixed rate. */
  private enum Share {
    EIGHTH("an eighth of mixed", 8, Duration.ofSeconds(60)),
    QUARTER("a quarter of mixed", 4, Duration.ofSeconds(60)),

    /**
     * Redis rewrites its append-only file about once a minute, which takes half a second. A shorter
     * run would contain no rewrite in one round and too much of one in another.
     */
    HALF("half of mixed", 2, Duration.ofSeconds(90));

    final String words;
    final int divisor;
    final Duration length;

    Share(String words, int divisor, Duration length) {
      this.words = words;
      this.divisor = divisor;
      this.length = length;
    }
  }

  private final Setup setup;
  private final int size;
  private final Series series = new Series();
  private final Map<String, Histogram> histograms = new LinkedHashMap<>();

  Late(Setup setup) {
    this.setup = setup;
    this.size = setup.options().size();
  }

  /** Both sides of one comparison. */
  private record Pair(Guarantee guarantee, Station yardstick, Station bridge) {}

  void run() throws InterruptedException {
    List<Pair> pairs = new ArrayList<>();
    for (Guarantee guarantee : setup.options().guarantees()) {
      Station yardstick = setup.passThrough(guarantee);
      Station bridge =
          setup.bridge(
              "bridge-" + guarantee.key(), guarantee, Map.of("DELIVERY_TOLERANCE", "0 ms"));
      pairs.add(new Pair(guarantee, yardstick, bridge));
      yardstick.through(size);
      bridge.through(size);
      warmUp(setup, yardstick, floor(yardstick), SLOW);
      warmUp(setup, bridge, loop(bridge, size), SLOW);
      double half = mixed(bridge) / 2;
      warmUp(setup, yardstick, floor(yardstick), half);
      warmUp(setup, bridge, loop(bridge, size), half);
    }
    for (int round = 1; round <= setup.options().rounds(); round++) {
      for (Pair pair : pairs) {
        round(round, pair);
      }
    }
    setup.options().guarantees().forEach(this::report);
    setup.plotTails("lateness", "Lateness", histograms);
    plotByRate();
  }

  private void plotByRate() {
    Map<String, List<Point>> curves = new LinkedHashMap<>();
    for (Guarantee guarantee : setup.options().guarantees()) {
      for (String percentile : List.of("p50", "p99")) {
        List<Point> points = new ArrayList<>(List.of(point(guarantee, AT_SLOW, percentile)));
        for (Share share : Share.values()) {
          points.add(point(guarantee, share.words, percentile));
        }
        curves.put(percentile + ", " + guarantee.words(), points);
      }
    }
    Axes axes = new Axes("Lateness against rate", "messages a second", "ms late", true, true);
    setup.plot("lateness-rate", axes, curves);
  }

  private Point point(Guarantee guarantee, String load, String percentile) {
    return new Point(
        of(guarantee, load, "rate").median(), of(guarantee, load, percentile).median());
  }

  private void round(int round, Pair pair) throws InterruptedException {
    Guarantee guarantee = pair.guarantee;
    measure(round, guarantee, PASS_THROUGH, floor(pair.yardstick), SLOW, LENGTH);
    OpenLoop loop = loop(pair.bridge, size);
    keep(guarantee, AT_SLOW, measure(round, guarantee, AT_SLOW, loop, SLOW, LENGTH));
    double mixed = mixed(pair.bridge);
    for (Share share : Share.values()) {
      loop = loop(pair.bridge, size);
      double rate = mixed / share.divisor;
      Lateness late = measure(round, guarantee, share.words, loop, rate, share.length);
      if (share == Share.HALF) {
        keep(guarantee, share.words, late);
      }
    }
  }

  /** Keeps the histogram for the picture. */
  private void keep(Guarantee guarantee, String load, Lateness lateness) {
    histograms.merge(
        load + ", " + guarantee.words(),
        lateness.late(),
        (all, more) -> {
          all.add(more);
          return all;
        });
  }

  /** Messages a second. */
  private double mixed(Station bridge) throws InterruptedException {
    return new Mixed(bridge, size, WINDOW).run(20_000).rate();
  }

  /**
   * Runs a load until the compilers are idle.
   *
   * @param rate messages a second
   */
  static void warmUp(Setup setup, Station station, OpenLoop loop, double rate) {
    setup.line(
        "%s: %d s at %,.0f a second to warm up", station.lane().name(), WARM_UP.toSeconds(), rate);
    loop.run(rate, WARM_UP);
  }

  private OpenLoop floor(Station yardstick) {
    return OpenLoop.atOnce(yardstick, setup.prompt(), size);
  }

  static OpenLoop loop(Station bridge, int size) {
    return OpenLoop.delayed(bridge, size, Duration.ofSeconds(1), Duration.ofSeconds(5));
  }

  private Lateness measure(
      int round, Guarantee guarantee, String load, OpenLoop loop, double rate, Duration length)
      throws InterruptedException {
    Lateness lateness = loop.run(rate, length);
    setup.line(
        "round %d %s at %s: p50 %.1f, p99 %.1f, p99.9 %.1f ms, %d counted at %,.1f/s; idle %.1f %%,"
            + " stolen %.1f %%",
        round,
        guarantee.words(),
        load,
        lateness.percentile(50),
        lateness.percentile(99),
        lateness.percentile(99.9),
        lateness.late().getTotalCount(),
        lateness.rate(),
        lateness.idle(),
        lateness.stolen());
    lateness.percentiles().forEach((name, value) -> put(guarantee, load, name, value));
    put(guarantee, load, "rate", lateness.rate());
    put(guarantee, load, IDLE, lateness.idle());
    put(guarantee, load, STOLEN, lateness.stolen());
    return lateness;
  }

  private void put(Guarantee guarantee, String load, String what, double value) {
    series.keep(guarantee + load + what, value);
  }

  private void report(Guarantee guarantee) {
    double[] goals =
        guarantee == Guarantee.EXACTLY_ONCE ? new double[] {8, 20, 50} : new double[] {2, 5, 20};
    lines(guarantee, PASS_THROUGH, null, null, null);
    lines(guarantee, AT_SLOW, Goal.atMost(goals[0]), Goal.atMost(goals[1]), Goal.atMost(goals[2]));
    for (Share share : Share.values()) {
      lines(guarantee, share.words, null, share == Share.HALF ? Goal.atMost(50) : null);
    }
  }

  /**
   * Adds the lines of one load, with one percentile for each element of goals, which may be null.
   */
  private void lines(Guarantee guarantee, String load, @Nullable Goal... goals) {
    line(guarantee, load, "rate", "msg/s", null);
    for (int i = 0; i < goals.length; i++) {
      line(guarantee, load, Lateness.PERCENTILES.get(i), "ms", goals[i]);
    }
    line(guarantee, load, IDLE, "%", null);
    line(guarantee, load, STOLEN, "%", null);
  }

  private void line(
      Guarantee guarantee, String load, String what, String unit, @Nullable Goal goal) {
    setup.add(guarantee.words() + " at " + load, what, unit, of(guarantee, load, what), goal);
  }

  private Spread of(Guarantee guarantee, String load, String what) {
    return series.of(guarantee + load + what);
  }
}
