package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.figures.Goal;
import io.delaybridge.bench.speed.figures.Plot.Axes;
import io.delaybridge.bench.speed.figures.Plot.Point;
import io.delaybridge.bench.speed.figures.Spread;
import io.delaybridge.bench.speed.lab.Jcmd;
import io.delaybridge.bench.speed.lab.Loader;
import io.delaybridge.bench.speed.lab.OpenLoop.Lateness;
import io.delaybridge.bench.speed.lab.Station;
import io.delaybridge.stack.CpuTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.header.Header;

/**
 * The cost of pending messages. Two bridges on the same servers take turns: one has a backlog due
 * in hours; the other has nothing pending until it gets ten thousand messages for the mixed rounds.
 * The experiment also measures the memory that the backlog takes in Redis and in the bridge, and
 * the processor time of the bridge while nothing is due. Redis rewrites its append-only file only
 * on request: before a measurement, or during the one that measures the effect.
 */
final class Backlog {

  private static final Duration LENGTH = Duration.ofSeconds(20);

  /** In 20 s at 500 a second, a fifth of a second determines p99: too little to compare. */
  private static final Duration COMPARED = Duration.ofSeconds(60);

  private static final Duration WINDOW = Duration.ofSeconds(8);
  private static final Duration LIMIT = Duration.ofMinutes(20);

  /** Lies within the horizon: far messages are not in Redis and have a page of their own. */
  static final long AHEAD_MS = TimeUnit.HOURS.toMillis(20);

  private static final int IDLE_S = 40;
  private static final int IDLE_WINDOWS = 4;
  private static final int FEW = 10_000;
  private static final double[] PARTS = {0.1, 0.5, 1};
  private static final double GUESS = 20_000;
  private static final String LATENESS = "lateness at 500/s, p99";
  private static final String BY_FEW = " ÷ %,d pending".formatted(FEW);
  private static final String REWRITING = "mixed, while Redis writes its file anew";
  private static final double MEBIBYTE = 1 << 20;

  private final Setup setup;
  private final int size;
  private final Map<String, List<Point>> late = new LinkedHashMap<>();

  Backlog(Setup setup) {
    this.setup = setup;
    this.size = setup.options().size();
  }

  void run() throws InterruptedException, IOException {
    Station empty = setup.bridge("empty", setup.options().guarantee());
    Station full = setup.bridge("full", setup.options().guarantee());
    for (Station station : List.of(empty, full)) {
      station.through(size);
      warm(station);
    }
    setup.lab().rewriteOnlyWhenAsked();
    int backlog = setup.options().backlog();
    double heapBefore = live(full);
    memory(full, backlog);
    idle(setup, full, "%,d pending".formatted(backlog));
    double heapAfter = live(full);
    String group = "%,d pending".formatted(backlog);
    setup.add(
        group,
        "live heap of the bridge, above that with none",
        "MiB",
        Spread.of((heapAfter - heapBefore) / MEBIBYTE),
        Goal.atMost(16));
    compareLateness(empty, full, group);
    fill(empty, FEW);
    compareMixed(empty, full, group);
  }

  /**
   * Returns the live bytes after a second full collection: the first may still finish something.
   */
  private static double live(Station station) {
    long pid = station.lane().process().pid();
    Jcmd.liveBytes(pid);
    return Jcmd.liveBytes(pid);
  }

  private void memory(Station full, int backlog) throws InterruptedException {
    long before = setup.lab().redisData();
    int filled = 0;
    late(full, 0);
    for (double part : PARTS) {
      int more = (int) (part * backlog) - filled;
      fill(full, more);
      filled += more;
      late(full, filled);
    }
    Axes axes =
        Axes.linear(
            "Lateness at 500 messages a second, by what is pending", "messages pending", "ms late");
    setup.plot("backlog", axes, late);
    double each = (double) (setup.lab().redisData() - before) / backlog;
    long content = (long) Long.BYTES + size;
    for (Header header :
        Loader.dueAt(full.lane().target(), System.currentTimeMillis() + AHEAD_MS)) {
      content += header.key().getBytes(StandardCharsets.UTF_8).length + header.value().length;
    }
    setup.line("%,d pending: %.1f bytes each, %d of them content", backlog, each, content);
    String group = "%,d pending".formatted(backlog);
    setup.add(group, "Redis, bytes each", "B", Spread.of(each));
    setup.add(
        group, "beyond key, value and headers", "B", Spread.of(each - content), Goal.atMost(110));
  }

  private void fill(Station station, int count) {
    long stored = station.gauge().stored();
    station.fill(count, size, System.currentTimeMillis() + AHEAD_MS);
    station.gauge().awaitStored(stored + count, LIMIT);
  }

  private void warm(Station station) {
    Late.warmUp(setup, station, Late.loop(station, size), Late.SLOW);
  }

  private Lateness slow(Station station, Duration length) throws InterruptedException {
    rewritten();
    return Late.loop(station, size).run(Late.SLOW, length);
  }

  private void late(Station full, int pending) throws InterruptedException {
    Lateness lateness = slow(full, LENGTH);
    for (double percent : new double[] {50, 99}) {
      late.computeIfAbsent("p%.0f".formatted(percent), key -> new ArrayList<>())
          .add(new Point(pending, lateness.percentile(percent)));
    }
    setup.line("%,d pending: p99 %.1f ms", pending, lateness.percentile(99));
  }

  /** Measures the processor time of the bridge while nothing is due and nothing arrives. */
  static void idle(Setup setup, Station station, String group) throws InterruptedException {
    long pid = station.lane().process().pid();
    Series series = new Series();
    // The filling left work behind, which is not part of the measurement.
    TimeUnit.SECONDS.sleep(5);
    for (int window = 1; window <= IDLE_WINDOWS; window++) {
      long before = CpuTime.of(pid);
      long compiled = CpuTime.of(pid, CpuTime.COMPILERS);
      TimeUnit.SECONDS.sleep(IDLE_S);
      double all = percent(CpuTime.of(pid) - before);
      double compilers = percent(CpuTime.of(pid, CpuTime.COMPILERS) - compiled);
      series.keep("all", all);
      series.keep("compilers", compilers);
      setup.line("idle: %.2f %% of a core, %.2f of it compilers", all, compilers);
    }
    setup.add(group, "idle, CPU of the bridge", "% of a core", series.of("all"), Goal.atMost(0.5));
    setup.add(group, "idle, CPU of the bridge's compilers", "% of a core", series.of("compilers"));
  }

  /** Returns the percentage of a core during one window. */
  private static double percent(long millis) {
    return millis / (10.0 * IDLE_S);
  }

  private void compareLateness(Station empty, Station full, String group)
      throws InterruptedException {
    // The bridge with nothing pending has been idle for a long time.
    warm(full);
    warm(empty);
    Series series = new Series();
    for (int round = 1; round <= setup.options().rounds(); round++) {
      series.keep("none", late(round, empty));
      series.keep("all", late(round, full));
    }
    Spread ratio = series.ratio("all", "none");
    setup.add("none pending", LATENESS, "ms", series.of("none"));
    setup.add(group, LATENESS, "ms", series.of("all"));
    setup.add(group, LATENESS + " ÷ none pending", "", ratio, Goal.atMost(1.2));
  }

  private void compareMixed(Station few, Station full, String group) throws InterruptedException {
    mixed(0, full);
    mixed(0, few);
    Series series = new Series();

    for (int round = 1; round <= setup.options().rounds(); round++) {
      rewritten();
      series.keep("all", mixed(round, full));
      double yardstick = mixed(round, few);
      series.keep("few", yardstick);
      OptionalDouble slowed = rewriting(round, full);
      if (slowed.isPresent()) {
        series.keep(REWRITING, slowed.getAsDouble());
        series.keep("few then", yardstick);
      }
    }
    setup.add("%,d pending".formatted(FEW), "mixed", "msg/s", series.of("few"));
    setup.add(group, "mixed", "msg/s", series.of("all"));
    setup.add(group, "mixed" + BY_FEW, "", series.ratio("all", "few"), Goal.atLeast(0.9));
    if (series.has(REWRITING)) {
      setup.add(group, REWRITING, "msg/s", series.of(REWRITING));
      setup.add(group, REWRITING + BY_FEW, "", series.ratio(REWRITING, "few then"));
    } else {
      setup.note("Redis wrote its file anew in less than a window: no rate is published of that.");
    }
  }

  private void rewritten() throws InterruptedException {
    if (!setup.lab().isRewriting()) {
      setup.lab().rewrite();
    }
    do {
      TimeUnit.MILLISECONDS.sleep(200);
    } while (setup.lab().isRewriting());
  }

  private double late(int round, Station station) throws InterruptedException {
    Lateness lateness = slow(station, COMPARED);
    setup.line(
        "round %d %s: p50 %.1f, p99 %.1f ms",
        round, station.lane().name(), lateness.percentile(50), lateness.percentile(99));
    return lateness.percentile(99);
  }

  private double mixed(int round, Station station) throws InterruptedException {
    double rate = new Mixed(station, size, WINDOW).run(GUESS).rate();
    setup.line("round %d %s: mixed %,.0f/s", round, station.lane().name(), rate);
    return rate;
  }

  /**
   * Returns the mixed rate during a rewrite, or empty if Redis finished before the window ended.
   */
  private OptionalDouble rewriting(int round, Station full) throws InterruptedException {
    AtomicBoolean still = new AtomicBoolean();
    double rate =
        new Mixed(full, size, WINDOW)
            .run(GUESS, setup.lab()::rewrite, () -> still.set(setup.lab().isRewriting()))
            .rate();
    setup.line(
        "round %d %s: %,.0f/s%s",
        round, REWRITING, rate, still.get() ? "" : ", but not all the while");
    return still.get() ? OptionalDouble.of(rate) : OptionalDouble.empty();
  }
}
