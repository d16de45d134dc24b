package io.delaybridge.bench.speed;

import io.delaybridge.bench.speed.figures.Goal;
import io.delaybridge.bench.speed.lab.Checklist;
import io.delaybridge.bench.speed.lab.Lab;
import io.delaybridge.bench.speed.lab.ShardGauge;
import io.delaybridge.bench.speed.lab.Span;
import io.delaybridge.bench.speed.lab.Station;
import io.delaybridge.bench.speed.lab.Tail;
import io.delaybridge.stack.ProcessServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.GroupState;

/**
 * The recovery of a bridge with a backlog due in hours, and with far messages, if wanted: after
 * SIGKILL, the time from the next start of the process to its first delivery; after FLUSHALL, the
 * time to the next delivery, and the rate at which the bridge fills Redis again from the intake,
 * compared with plain consumption of the same topic.
 *
 * <p>The bridge has an archive of its classes, as in the image. After a kill, the group waits for
 * the session to end before it reassigns the partitions. That time is the group's own, so the
 * process starts after it. The measured time includes the start of the JVM.
 */
final class Restart {

  private static final Duration LIMIT = Duration.ofMinutes(20);
  private static final int DUE = 100;

  private final Setup setup;
  private final Station bridge;
  private final int size;

  Restart(Setup setup) {
    this.setup = setup;
    this.size = setup.options().size();
    this.bridge = setup.bridge("bridge", setup.options().guarantee());
  }

  void run() throws InterruptedException {
    int far = setup.options().far();
    int backlog = setup.options().backlog();
    if (far > 0) {
      bridge.fillFar(far / 2, size, true);
      bridge.fillFar(far - far / 2, size, false);
    }
    fill(backlog, System.currentTimeMillis() + Backlog.AHEAD_MS);
    Series series = new Series();
    for (int round = 1; round <= setup.options().rounds(); round++) {
      double start = start();
      setup.line("round %d: first delivery %.2f s after the start", round, start);
      series.keep("start", start);
      // The first rebuild warms up the JVM, which has just been started.
      rebuild();
      double due = lost();
      setup.line("round %d: %.2f s from FLUSHALL until all is back and delivered", round, due);
      series.keep("lost", due);
      if (far == 0) {
        double read = read();
        double rebuilt = rebuild();
        setup.line("round %d: rebuilt at %,.0f/s, plain consumption %,.0f/s", round, rebuilt, read);
        series.keep("plain", read);
        series.keep("rebuild", rebuilt);
      }
    }
    String group = "%,d pending".formatted(backlog) + (far > 0 ? ", %,d far".formatted(far) : "");
    setup.add(
        group, "start of the process to first delivery", "s", series.of("start"), Goal.atMost(2));
    setup.add(group, "FLUSHALL to last delivery of what is due", "s", series.of("lost"));
    if (far == 0) {
      report(group, series);
    }
  }

  private void report(String group, Series series) {
    setup.add(
        group, "rebuild after FLUSHALL", "msg/s", series.of("rebuild"), Goal.atLeast(150_000));
    setup.add(group, "plain consumption", "msg/s", series.of("plain"));
    setup.add(
        group,
        "rebuild ÷ plain consumption",
        "",
        series.ratio("rebuild", "plain"),
        Goal.atLeast(0.6));
    setup.note("One of the two goals of the rebuild has to be met: the rate or the ratio.");
  }

  private Checklist fill(int count, long due) {
    long stored = bridge.gauge().stored();
    Checklist all = bridge.fill(count, size, due);
    bridge.gauge().awaitStored(stored + count, LIMIT);
    return all;
  }

  private double start() throws InterruptedException {
    bridge.tail().toEnd();
    Checklist before = fill(DUE, System.currentTimeMillis() + TimeUnit.SECONDS.toMillis(2));
    bridge.tail().await(before, LIMIT);
    bridge.tail().toEnd();
    long due = System.currentTimeMillis() + TimeUnit.SECONDS.toMillis(5);
    Checklist after = fill(DUE, due);
    ProcessServer process = bridge.lane().process();
    process.kill();
    awaitEmptyGroup();
    if (System.currentTimeMillis() < due) {
      TimeUnit.MILLISECONDS.sleep(due - System.currentTimeMillis());
    }
    long begun = System.currentTimeMillis();
    process.start();
    double first = bridge.tail().await(after, LIMIT).firstMs();
    bridge.gauge().awaitPending(setup.options().backlog(), LIMIT);
    return (first - begun) / 1e3;
  }

  private void awaitEmptyGroup() throws InterruptedException {
    String group = bridge.lane().name();
    while (state(group) != GroupState.EMPTY) {
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }

  private GroupState state(String group) {
    var described = setup.lab().admin().describeConsumerGroups(List.of(group)).all();
    return Lab.get(described).values().iterator().next().groupState();
  }

  /**
   * Loses Redis when messages that are due soon are the last of the intake, and returns the seconds
   * until they have arrived: everything before them is back by then.
   */
  private double lost() {
    bridge.tail().toEnd();
    Checklist due = fill(DUE, System.currentTimeMillis() + TimeUnit.SECONDS.toMillis(2));
    long begun = System.currentTimeMillis();
    setup.lab().redis().command("FLUSHALL");
    double last = bridge.tail().await(due, LIMIT).lastMs();
    bridge.gauge().awaitPending(setup.options().backlog(), LIMIT);
    return (last - begun) / 1e3;
  }

  private double rebuild() {
    ShardGauge gauge = bridge.gauge();
    long stored = gauge.stored();
    long pending = gauge.pending();
    setup.lab().redis().command("FLUSHALL");
    double rate = gauge.awaitStored(stored, LIMIT).rate();
    if (gauge.pending() != pending) {
      throw new IllegalStateException(
          "%d messages pending after the rebuild, %d before FLUSHALL"
              .formatted(gauge.pending(), pending));
    }
    return rate;
  }

  /** Returns the rate of reading the whole intake by a consumer with large fetches. */
  private double read() {
    try (Tail intake =
        new Tail(
            setup.lab().bootstrapServers(), bridge.lane().intake(), setup.options().partitions())) {
      intake.toBeginning();
      Checklist all = Checklist.of(bridge.loader().since(0));
      double begun = System.nanoTime() / 1e6;
      intake.collect(all, LIMIT, record -> {});
      Span span = new Span(all.count(), begun, System.nanoTime() / 1e6);
      intake.end(all);
      return span.rate();
    }
  }
}
