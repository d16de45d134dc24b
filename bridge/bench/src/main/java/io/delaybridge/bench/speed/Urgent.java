package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.lab.Checklist;
import io.delaybridge.bench.speed.lab.Lane;
import io.delaybridge.bench.speed.lab.Loader;
import io.delaybridge.bench.speed.lab.ShardGauge;
import io.delaybridge.bench.speed.lab.Steady;
import io.delaybridge.bench.speed.lab.Tail;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The lateness of urgent messages while a flood in another intake of the same bridge drains. The
 * whole flood is due in one millisecond. The urgent messages come at 200 a second, with a delay of
 * a second. One bridge gives the flood the default share of the turn, and one a small share.
 */
final class Urgent {

  private static final double RATE = 200;
  private static final int DEFAULT_SHARE = 1_000;
  private static final int SMALL_SHARE = 50;
  private static final Duration WARM_UP = Duration.ofSeconds(60);
  private static final Duration BEFORE = Duration.ofSeconds(20);
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int STORED_IN_A_MS = 10;

  private final Setup setup;
  private final int partitions;
  private final int size;

  Urgent(Setup setup) {
    this.setup = setup;
    this.partitions = setup.options().partitions();
    this.size = setup.options().size();
  }

  void run() throws InterruptedException {
    with(DEFAULT_SHARE);
    with(SMALL_SHARE);
  }

  private void with(int share) throws InterruptedException {
    String flood = "flood-" + share;
    Lane urgent =
        setup
            .lanes()
            .bridge(
                "urgent-" + share,
                setup.options().guarantee(),
                setup.options().loops(),
                flood,
                share);
    Series all = new Series();
    try (Steady load =
            new Steady(
                setup.prompt(),
                setup.tail(urgent.target()),
                urgent.name(),
                partitions,
                size,
                RATE);
        ShardGauge gauge =
            new ShardGauge(setup.lab().redis().uri(), urgent.name(), flood + "-in", partitions)) {
      Tail end = setup.tail(flood + "-out");
      TimeUnit.MILLISECONDS.sleep(WARM_UP.toMillis());
      for (int round = 0; round <= setup.options().rounds(); round++) {
        round(round, share, flood, new Ends(load, gauge, end), all);
      }
    }
    urgent.processes().forEach(process -> process.stop());
    String group =
        "%,d due at once, share of the turn %,d".formatted(setup.options().messages(), share);
    for (String percentile : List.of("p50", "p99")) {
      for (String when : List.of("before", "during")) {
        setup.add(
            group,
            "urgent, %s %s it".formatted(percentile, when),
            "ms late",
            all.of(when + percentile));
      }
    }
    setup.add(group, "urgent, p99 during ÷ before", "", all.ratio("duringp99", "beforep99"));
    setup.add(group, "the flood takes", "s", all.of("s"));
  }

  /** The points at which both loads are observed. */
  private record Ends(Steady load, ShardGauge flood, Tail floodOut) {}

  /** Runs one round; round 0 is the warm-up. */
  private void round(int round, int share, String flood, Ends ends, Series all)
      throws InterruptedException {
    int messages = setup.options().messages();
    long from = System.currentTimeMillis();
    TimeUnit.MILLISECONDS.sleep(BEFORE.toMillis());
    long to = System.currentTimeMillis();
    long due = to + 2_000 + messages / STORED_IN_A_MS;
    long stored = ends.flood.stored();
    ends.floodOut.toEnd();
    Checklist list =
        Checklist.dueAt(
            setup
                .loader()
                .fill(
                    flood + "-in", messages, Loader.value(size), Loader.dueAt(flood + "-out", due)),
            due);
    ends.flood.awaitStored(stored + messages, LIMIT);
    if (System.currentTimeMillis() >= due) {
      throw new IllegalStateException("the flood was not stored before it was due: send fewer");
    }
    long over = (long) ends.floodOut.await(list, LIMIT).lastMs();
    if (round == 0) {
      return;
    }
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("beforep50", ends.load.late(from, to, 0.5));
    figures.put("beforep99", ends.load.late(from, to, 0.99));
    figures.put("duringp50", ends.load.late(due, over, 0.5));
    figures.put("duringp99", ends.load.late(due, over, 0.99));
    figures.put("s", (over - due) / 1e3);
    setup.line("round %d, share %,d: %s", round, share, figures);
    all.keep(figures);
  }
}
