package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.figures.Goal;
import io.delaybridge.bench.speed.figures.Spread;
import io.delaybridge.bench.speed.lab.LapGauge;
import io.delaybridge.bench.speed.lab.OpenLoop.Lateness;
import io.delaybridge.bench.speed.lab.Span;
import io.delaybridge.bench.speed.lab.Station;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The cost of far messages: the rate of storing them, their memory in Redis, the lateness of
 * messages that are due meanwhile, and the rate of a lap. Four bridges on the same servers take
 * turns: one with the default horizon and a backlog of far messages; one without far messages; one
 * with a horizon of 40 s and a lap of 20 s, so that there are laps to measure; and one without a
 * horizon.
 */
final class Far {

  private static final Duration COMPARED = Duration.ofSeconds(60);
  private static final Duration WINDOW = Duration.ofSeconds(8);
  private static final Duration LIMIT = Duration.ofMinutes(20);
  private static final long LAP_MS = 20_000;
  private static final int NAMED = 200_000;
  private static final double GUESS = 20_000;

  private final Setup setup;
  private final int size;
  private final Series series = new Series();
  private final Map<String, Histogram> tails = new LinkedHashMap<>();

  Far(Setup setup) {
    this.setup = setup;
    this.size = setup.options().size();
  }

  void run() throws InterruptedException {
    Station yardstick = setup.passThrough(setup.options().guarantee());
    Station none = setup.bridge("none", setup.options().guarantee());
    Station full = setup.bridge("full", setup.options().guarantee());
    Station off =
        setup.bridge("without", setup.options().guarantee(), Map.of("INTAKE_HORIZON", "0s"));
    Station laps =
        setup.bridge(
            "laps",
            setup.options().guarantee(),
            Map.of("INTAKE_HORIZON", "40s", "INTAKE_LAP", "20s"));
    setup.lab().rewriteOnlyWhenAsked();
    for (Station station : List.of(yardstick, none, full, off, laps)) {
      station.through(size);
    }
    for (Station station : List.of(none, full, laps)) {
      Late.warmUp(setup, station, Late.loop(station, size), Late.SLOW);
    }
    for (int round = 0; round <= setup.options().rounds(); round++) {
      mixed(round, none, off);
    }
    for (int round = 0; round <= setup.options().rounds(); round++) {
      stored(round, full, off);
    }
    memory(full);
    String pending = "%,d far".formatted(setup.options().backlog());
    Backlog.idle(setup, none, "none far");
    Backlog.idle(setup, full, pending);
    for (int round = 1; round <= setup.options().rounds(); round++) {
      late(round, none, "none far");
      late(round, full, pending);
    }
    for (int round = 0; round <= setup.options().rounds(); round++) {
      lap(round, yardstick, laps);
    }
    for (int round = 1; round <= setup.options().rounds(); round++) {
      late(round, laps, "laps");
    }
    report(pending);
  }

  /**
   * Compares the rates of storing far and near messages. Far messages are stored when Redis no
   * longer holds them: then they are in the later topic. Without a horizon, the same messages are
   * near.
   */
  private void stored(int round, Station full, Station off) {
    double far = rate(full, full.gauge().pending());
    double near = rate(off, Long.MAX_VALUE);
    double farther = rate(full, full.gauge().pending());
    keep(round, "store far", (far + farther) / 2);
    keep(round, "store near", near);
    line(round, "store far %,.0f %,.0f/s, near %,.0f/s", far, farther, near);
  }

  private double rate(Station station, long pending) {
    long stored = station.gauge().stored();
    station.lane().pause();
    station.fill(messages(), size, System.currentTimeMillis() + Station.FAR_MS);
    station.lane().resume();
    Span span = station.gauge().awaitStored(stored + messages(), LIMIT);
    station.gauge().awaitPending(pending, LIMIT);
    return new Span(span.count(), span.firstMs(), System.nanoTime() / 1e6).rate();
  }

  private void memory(Station full) {
    int more = setup.options().backlog() - 2 * (1 + setup.options().rounds()) * messages();
    long before = setup.lab().redisData();
    int counted = Math.max(more, messages());
    full.fillFar(counted, size, false);
    long between = setup.lab().redisData();
    full.fillFar(NAMED, size, true);
    long after = setup.lab().redisData();
    setup.add(
        "a far message",
        "Redis",
        "B",
        Spread.of((between - before) / (double) counted),
        Goal.atMost(16));
    setup.add(
        "the same with an id of 20 bytes",
        "Redis",
        "B",
        Spread.of((after - between) / (double) NAMED),
        Goal.atMost(130));
  }

  private int messages() {
    return setup.options().messages();
  }

  private void late(int round, Station station, String what) throws InterruptedException {
    Lateness late = Late.loop(station, size).run(Late.SLOW, COMPARED);
    tails.put(what, late.late());
    keep(round, what, late.percentile(99));
    line(round, "%s: p50 %.1f, p99 %.1f ms", what, late.percentile(50), late.percentile(99));
  }

  private void mixed(int round, Station on, Station off) throws InterruptedException {
    double with = new Mixed(on, size, WINDOW).run(GUESS).rate();
    double without = new Mixed(off, size, WINDOW).run(GUESS).rate();
    keep(round, "mixed", with);
    keep(round, "mixed, horizon 0", without);
    line(round, "mixed %,.0f/s, without a horizon %,.0f/s", with, without);
  }

  /**
   * Measures a lap. All copies reach the end of their lap while the bridge is paused. The bridge is
   * also paused while the pass-through runs.
   */
  private void lap(int round, Station yardstick, Station laps) throws InterruptedException {
    LapGauge gauge = new LapGauge(setup.lab().admin(), laps.lane(), setup.options().partitions());
    if (round == 0) {
      laps.fillFar(messages(), size, false);
    } else {
      gauge.awaitJudged(gauge.ends(), messages(), LIMIT);
    }
    long end = gauge.ends();
    long ripe = System.currentTimeMillis() + LAP_MS;
    laps.lane().pause();
    double before = yardstick.through(size);
    while (System.currentTimeMillis() <= ripe) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
    laps.lane().resume();
    double lap = gauge.awaitJudged(end, messages(), LIMIT).rate();
    laps.lane().pause();
    double after = yardstick.through(size);
    laps.lane().resume();
    keep(round, "lap", lap);
    keep(round, "pass-through", (before + after) / 2);
    line(round, "lap %,.0f/s, pass-through %,.0f %,.0f/s", lap, before, after);
  }

  private void line(int round, String format, Object... values) {
    String name = round == 0 ? "warm-up: " : "round " + round + ": ";
    setup.line(name + format, values);
  }

  /** Keeps the value, except that of round 0, which is the warm-up. */
  private void keep(int round, String what, double value) {
    if (round > 0) {
      series.keep(what, value);
    }
  }

  private void report(String pending) {
    compare("store far", "store near", "msg/s", Goal.atLeast(0.8));
    compare(pending, "none far", "ms late, p99 at 500/s", Goal.atMost(1.1));
    compare("mixed", "mixed, horizon 0", "msg/s", Goal.atLeast(0.97));
    compare("lap", "pass-through", "msg/s", Goal.atLeast(0.6));
    compare("laps", "none far", "ms late, p99 at 500/s", Goal.atMost(1.3));
    setup.plotTails("far", "Lateness at 500 a second, last round", tails);
    setup.note(
        "A lap is of %,d copies every 20 s, with a horizon of 40 s; by default there is one in 12 hours."
            .formatted(messages()));
  }

  private void compare(String one, String other, String unit, Goal goal) {
    setup.add(one, unit, "", series.of(one));
    setup.add(other, unit, "", series.of(other));
    setup.add(one, "÷ " + other, "", series.ratio(one, other), goal);
  }
}
