package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.figures.Goal;
import io.delaybridge.bench.speed.figures.Plot.Axes;
import io.delaybridge.bench.speed.figures.Plot.Point;
import io.delaybridge.bench.speed.figures.Spread;
import io.delaybridge.bench.speed.lab.Jcmd;
import io.delaybridge.bench.speed.lab.OpenLoop;
import io.delaybridge.bench.speed.lab.OpenLoop.Lateness;
import io.delaybridge.bench.speed.lab.Station;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Half of the mixed rate for a long time, in stretches of a minute. After each stretch, when
 * nothing is pending, the experiment takes the live heap of the bridge, the data in Redis, and the
 * lateness of the messages. A figure is flat if its last third is at most a tenth above its first
 * third.
 */
final class Soak {

  private static final Duration WINDOW = Duration.ofSeconds(8);
  private static final Duration STRETCH = Duration.ofMinutes(1);
  private static final double MEBIBYTE = 1 << 20;
  private static final double FLAT = 1.1;
  private static final String HEAP = "live heap";
  private static final String REDIS = "Redis, data";
  private static final String LATE = "lateness, p99";

  private final Setup setup;
  private final Series seen = new Series();

  Soak(Setup setup) {
    this.setup = setup;
  }

  void run() throws InterruptedException {
    int size = setup.options().size();
    Station bridge = setup.bridge("bridge", setup.options().guarantee());
    bridge.through(size);
    OpenLoop loop = Late.loop(bridge, size);
    Late.warmUp(setup, bridge, loop, Late.SLOW);
    double rate = new Mixed(bridge, size, WINDOW).run(20_000).rate() / 2;
    Late.warmUp(setup, bridge, loop, rate);
    Series rates = new Series();

    for (int minute = 1; minute <= setup.options().minutes(); minute++) {
      Lateness lateness = loop.run(rate, STRETCH);
      bridge.gauge().awaitEmpty(STRETCH);
      setup.lab().deleteRecords(bridge.lane().intake(), bridge.lane().target());
      long heap = Jcmd.liveBytes(bridge.lane().process().pid());
      double redis = setup.lab().redisData() / MEBIBYTE;
      rates.keep("rate", lateness.rate());
      seen.keep(HEAP, heap / MEBIBYTE);
      seen.keep(REDIS, redis);
      seen.keep(LATE, lateness.percentile(99));
      setup.line(
          "minute %d: p99 %.1f ms, heap %.1f MiB, Redis %.2f MiB",
          minute, lateness.percentile(99), heap / MEBIBYTE, redis);
    }
    setup.add("each minute", "rate", "msg/s", rates.of("rate"));
    report();
  }

  private void report() {
    for (String what : seen.names()) {
      setup.add("each minute", what, what.equals(LATE) ? "ms" : "MiB", seen.of(what));
      List<Double> values = seen.of(what).values();
      int third = Math.max(1, values.size() / 3);
      double first = mean(values.subList(0, third));
      double last = mean(values.subList(values.size() - third, values.size()));
      setup.add(
          "each minute",
          what + ", last third ÷ first",
          "",
          Spread.of(last / first),
          Goal.atMost(FLAT));
    }
    plot("memory", "MiB", List.of(HEAP, REDIS));
    plot("lateness", "ms late", List.of(LATE));
  }

  private void plot(String what, String y, List<String> names) {
    Map<String, List<Point>> curves = new LinkedHashMap<>();
    for (String name : names) {
      List<Double> values = seen.of(name).values();
      curves.put(
          name,
          IntStream.range(0, values.size())
              .mapToObj(i -> new Point(i + 1, values.get(i)))
              .toList());
    }
    Axes axes = Axes.linear("Soak: " + what, "minute", y);
    setup.plot("soak-" + what, axes, curves);
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }
}
