package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.figures.Goal;
import io.delaybridge.bench.speed.figures.Plot.Axes;
import io.delaybridge.bench.speed.figures.Plot.Point;
import io.delaybridge.bench.speed.figures.Spread;
import io.delaybridge.bench.speed.lab.Bill;
import io.delaybridge.bench.speed.lab.Guarantee;
import io.delaybridge.bench.speed.lab.OpenLoop;
import io.delaybridge.bench.speed.lab.OpenLoop.Lateness;
import io.delaybridge.bench.speed.lab.Station;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a message at low rates, and the effect of tolerance on it: processor time of broker,
 * bridge and Redis, bytes that Kafka writes to its own topics, and lateness. The pass-through is
 * the comparison: its records wait as long, and its producer batches them as that of the bridge
 * does. Only one process at a time runs beside the servers; each is warmed up first.
 */
final class Pace {

  private static final Duration LENGTH = Duration.ofSeconds(30);
  private static final int WARM_UP_RATE = 5_000;
  private static final String CPU = "processor time a message";
  private static final String BRIDGE = "bridge";
  private static final String PASS_THROUGH = "pass-through";

  private final Setup setup;
  private final int size;
  private final Series series = new Series();

  Pace(Setup setup) {
    this.setup = setup;
    this.size = setup.options().size();
  }

  /** The kind of process, its guarantee, and its waiting time in milliseconds. */
  private record Who(String kind, Guarantee guarantee, int waitMs) {

    String at(int rate) {
      return "%s, %,d/s, %s with %d ms".formatted(guarantee.words(), rate, kind, waitMs);
    }
  }

  void run() {
    boolean first = true;
    for (int round = 1; round <= setup.options().rounds(); round++) {
      for (Guarantee guarantee : setup.options().guarantees()) {
        for (int wait : setup.options().tolerances()) {
          for (String kind : List.of(PASS_THROUGH, BRIDGE)) {
            measure(round, new Who(kind, guarantee, wait), first);
            first = false;
          }
        }
      }
    }
    setup.options().guarantees().forEach(this::report);
    plot();
  }

  private void measure(int round, Who who, boolean first) {
    Station station = start(round, who);
    // Compilers count calls: at a low rate, they would be busy for half an hour.
    Late.warmUp(setup, station, loop(who, station), WARM_UP_RATE);
    if (first) {
      // The broker is still cold.
      Late.warmUp(setup, station, loop(who, station), WARM_UP_RATE);
    }
    for (int rate : setup.options().rates()) {
      measure(round, who, station, rate);
    }
    station.lane().processes().forEach(process -> process.stop());
  }

  private Station start(int round, Who who) {
    String name = "%s-%s-%d-%d".formatted(who.kind, who.guarantee.key(), who.waitMs, round);
    return who.kind.equals(PASS_THROUGH)
        ? setup.passThrough(name, who.guarantee, who.waitMs)
        : setup.bridge(name, who.guarantee, Map.of("DELIVERY_TOLERANCE", who.waitMs + " ms"));
  }

  private OpenLoop loop(Who who, Station station) {
    return who.kind.equals(PASS_THROUGH)
        ? OpenLoop.atOnce(station, station.loader(), size)
        : Late.loop(station, size);
  }

  private void measure(int round, Who who, Station station, int rate) {
    List<Bill> bills = new ArrayList<>();
    Runnable pays = () -> bills.add(Bill.now(setup.lab(), station.lane()));
    Lateness late = loop(who, station).around(pays, pays).run(rate, LENGTH);
    Bill bill = bills.get(1).since(bills.get(0));
    double count = late.rate() * bill.nanos() / 1e9;
    String at = who.at(rate);
    put(at, "broker", bill.cores(bill.broker()));
    put(at, who.kind, bill.cores(bill.bridge()));
    put(at, "Redis", bill.cores(bill.redis()));
    put(at, CPU, bill.cpu() / count);
    put(at, "log", bill.logBytes() / count);
    late.percentiles().forEach((name, value) -> put(at, name, value));
    setup.line(
        "round %d, %s: %.2f ms of processor time a message (broker %.3f, %s %.3f, Redis %.3f cores),"
            + " %.0f log bytes, p50 %.1f, p99 %.1f ms",
        round,
        at,
        bill.cpu() / count,
        bill.cores(bill.broker()),
        who.kind,
        bill.cores(bill.bridge()),
        bill.cores(bill.redis()),
        bill.logBytes() / count,
        late.percentile(50),
        late.percentile(99));
  }

  private void put(String at, String what, double value) {
    series.keep(at + what, value);
  }

  private Spread of(String at, String what) {
    return series.of(at + what);
  }

  private void report(Guarantee guarantee) {
    int least = Collections.min(setup.options().tolerances());
    for (int rate : setup.options().rates()) {
      for (int wait : setup.options().tolerances()) {
        Who bridge = new Who(BRIDGE, guarantee, wait);
        Who pass = new Who(PASS_THROUGH, guarantee, wait);
        report(bridge, rate);
        ratio(bridge.at(rate), pass.at(rate), "÷ that of the pass-through", Goal.atMost(1.5));
        if (wait != least) {
          String to = new Who(BRIDGE, guarantee, least).at(rate);
          ratio(bridge.at(rate), to, "÷ that with %d ms".formatted(least), null);
        }
        report(pass, rate);
      }
    }
  }

  private void report(Who who, int rate) {
    String at = who.at(rate);
    for (String each : List.of("broker", who.kind, "Redis")) {
      setup.add(at, each, "cores", of(at, each));
    }
    setup.add(at, CPU, "ms", of(at, CPU));
    setup.add(at, "Kafka's own topics", "B a message", of(at, "log"));
    for (String each : Lateness.PERCENTILES) {
      setup.add(at, each, "ms", of(at, each));
    }
  }

  private void ratio(String at, String to, String name, @Nullable Goal goal) {
    setup.add(at, CPU + ", " + name, "", of(at, CPU).over(of(to, CPU)), goal);
  }

  private void plot() {
    Map<String, List<Point>> curves = new LinkedHashMap<>();
    for (Guarantee guarantee : setup.options().guarantees()) {
      for (int wait : setup.options().tolerances()) {
        Who bridge = new Who(BRIDGE, guarantee, wait);
        curves.put(
            "%s, %d ms".formatted(guarantee.words(), wait),
            setup.options().rates().stream()
                .map(rate -> new Point(rate, of(bridge.at(rate), CPU).median()))
                .toList());
      }
    }
    Axes axes =
        new Axes(
            "Processor time of broker, bridge and Redis, by tolerance",
            "messages a second",
            "ms a message",
            true,
            true);
    setup.plot("pace", axes, curves);
  }
}
