package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.figures.Goal;
import io.delaybridge.bench.speed.figures.Plot.Axes;
import io.delaybridge.bench.speed.figures.Plot.Point;
import io.delaybridge.bench.speed.lab.Guarantee;
import io.delaybridge.bench.speed.lab.Steady;
import io.delaybridge.stack.BridgeProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The lateness of messages after a start: a bridge whose JVM has not compiled anything yet,
 * compared with the same process some minutes later. Nothing is sent while the bridge is down. The
 * lateness that a backlog causes for later messages is a separate question.
 */
final class Cold {

  private static final double RATE = 500;
  private static final Duration START = Duration.ofMinutes(1);
  private static final Duration COLD = Duration.ofSeconds(20);
  private static final Duration WARM_AFTER = Duration.ofMinutes(2);
  private static final Duration WARM = Duration.ofMinutes(1);
  private static final int PICTURE_S = 5;

  private final Setup setup;
  private final Map<String, List<Point>> curves = new LinkedHashMap<>();

  Cold(Setup setup) {
    this.setup = setup;
  }

  void run() throws Exception {
    for (Guarantee guarantee : setup.options().guarantees()) {
      of(guarantee);
    }
    setup.plot(
        "cold",
        new Axes(
            "p99 of lateness in windows of %d s, last round".formatted(PICTURE_S),
            "seconds after the shards are open",
            "ms late",
            false,
            true),
        curves);
    setup.note(
        ("%.0f messages a second while there is a bridge. The load and the broker have run for"
                + " two minutes before.")
            .formatted(RATE));
  }

  private void of(Guarantee guarantee) throws Exception {
    String name = "cold-" + guarantee.key();
    setup.lanes().topics(name);
    BridgeProcess bridge =
        setup
            .lanes()
            .plain(
                name, name, guarantee, setup.lab().bootstrapServers(), setup.lab().redis().uri());
    Series all = new Series();
    bridge.start().awaitHealthy(START);
    try (Steady load = setup.steady(name, RATE)) {
      TimeUnit.MILLISECONDS.sleep(WARM_AFTER.toMillis());
      for (int round = 1; round <= setup.options().rounds(); round++) {
        load.pause();
        bridge.stop();
        round(round, guarantee, bridge, load, all);
      }
    }
    bridge.stop();
    String group = guarantee.words();
    for (String figure : List.of("p50 cold", "p99 cold", "p50 warm", "p99 warm")) {
      setup.add(group, figure, "ms", all.of(figure));
    }
    setup.add(group, "p99 cold ÷ warm", "", all.ratio("p99 cold", "p99 warm"), Goal.atMost(2));
    setup.add(group, "start of the process until ready", "s", all.of("s"));
  }

  private void round(int round, Guarantee guarantee, BridgeProcess bridge, Steady load, Series all)
      throws Exception {
    long begun = System.currentTimeMillis();
    bridge.start().awaitHealthy(START);
    double start = (System.currentTimeMillis() - begun) / 1e3;
    long open = load.goOn();
    TimeUnit.MILLISECONDS.sleep(WARM_AFTER.plus(WARM).toMillis() + 2_000);
    long warm = open + WARM_AFTER.toMillis();
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("p50 cold", load.late(open, open + COLD.toMillis(), 0.5));
    figures.put("p99 cold", load.late(open, open + COLD.toMillis(), 0.99));
    figures.put("p50 warm", load.late(warm, warm + WARM.toMillis(), 0.5));
    figures.put("p99 warm", load.late(warm, warm + WARM.toMillis(), 0.99));
    figures.put("s", start);
    setup.line("%s round %d: %s", guarantee.words(), round, figures);
    all.keep(figures);
    List<Point> curve = new ArrayList<>();
    long window = TimeUnit.SECONDS.toMillis(PICTURE_S);
    for (long from = open; from < warm + WARM.toMillis(); from += window) {
      curve.add(new Point((from - open) / 1e3, load.late(from, from + window, 0.99)));
    }
    curves.put(guarantee.words(), curve);
  }
}
