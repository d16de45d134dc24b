package io.delaybridge.bench.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** The execution of a run: servers, bridges, load, faults and the final accounting. */
final class Runner<S extends Servers> {

  private static final Duration PROGRESS = Duration.ofSeconds(40);
  private static final Duration SILENCE = Duration.ofSeconds(90);
  private static final Duration TIDY = Duration.ofSeconds(60);
  private static final long REPORT_S = 15;
  private static final int FAILED_TRIES = 3;

  private final Run<S> run;
  private final Consumer<String> progress;
  private final Findings findings = new Findings();
  private final Judge judge;
  private final List<Long> injections = new ArrayList<>();
  private long reportedAt = System.nanoTime();

  Runner(Run<S> run, Consumer<String> progress) {
    this.run = run;
    this.progress = progress;
    this.judge =
        new Judge(
            run.ledger(),
            findings,
            run.row().has(Trait.CLOCKS_SHIFT) ? BridgeConfig.MAX_CLOCK_SKEW_MS : 0);
  }

  /** Executes the run and returns its outcome. */
  Outcome run() {
    long begun = System.nanoTime();
    try (World<S> world = World.start(run, judge, findings);
        Arrivals arrivals = new Arrivals(world.servers().kafka(), World.outputs(), judge);
        FrontierWatch watch = new FrontierWatch(world::checkpoints, judge.journal(), findings)) {
      world.fleet().startHealthy();
      if (run.guarantee() == Guarantee.EXACTLY_ONCE && !run.row().has(Trait.CHECKPOINTS_LOST)) {
        watch.start();
      }
      world.load().start();
      inject(world, arrivals);
      conclude(world, arrivals, watch);
      return Outcome.of(
          run,
          new History(injections, world.partitions(), judge.journal()),
          judge,
          findings,
          new Outcome.Extent(world.notes(), watch.looks(), System.nanoTime() - begun));
    }
  }

  private void inject(World<S> world, Arrivals arrivals) {
    RandomGenerator random = new SplittableRandom(run.seed());
    int tries = 0;
    while (injections.size() < run.row().shape().injections()) {
      if (!run.row().has(Trait.OWN_LOAD)) {
        load(world, random);
      }
      long at = System.currentTimeMillis();
      if (run.row().fault().inject(world, random)) {
        injections.add(at);
        tries = 0;
      } else if (++tries > FAILED_TRIES * run.row().shape().injections()) {
        throw new FaultsException("the fault does not happen, tried " + tries + " times");
      }
      arrivals.check();
      world.load().check();
      report(world);
    }
  }

  /**
   * Releases a part of the load for one attempt: one half of it before the attempt, the other half
   * when the attempt is made. It is a part of the remaining load, so that a fault that did not
   * happen can be tried again: an idle bridge reaches no point of its turn.
   */
  private void load(World<S> world, RandomGenerator random) {
    int before = world.load().released();
    int attempts = run.row().shape().injections() - injections.size() + 1;
    int part = Math.max(1, (run.row().shape().messages() - before) / attempts);
    world.load().release(before + part / 2);
    awaitRecovery(world, Math.max(1, before / 2));
    Wait.millis(random.nextLong(run.row().shape().pause().toMillis() + 1));
    world.load().release(before + part);
  }

  /** Waits until half of the earlier messages have arrived: a fault must meet working bridges. */
  private void awaitRecovery(World<S> world, int half) {
    if (!Wait.upTo(PROGRESS, () -> world.delivered() >= half)) {
      progress.accept(
          "%s: only %d of %d arrived within %d s, the next fault comes all the same"
              .formatted(run, world.delivered(), half, PROGRESS.toSeconds()));
    }
  }

  private void conclude(World<S> world, Arrivals arrivals, FrontierWatch watch) {
    world.servers().heal();
    world.fleet().start();
    world.load().finish();
    awaitAll(world, arrivals);
    Leftovers leftovers =
        new Leftovers(
            world.servers(),
            world.admin(),
            run.ledger(),
            world.topics(),
            !run.row().has(Trait.CHECKPOINTS_LOST));
    List<String> left = new ArrayList<>();
    Wait.upTo(
        TIDY,
        () -> {
          left.clear();
          left.addAll(leftovers.list());
          return left.isEmpty();
        });
    left.forEach(what -> findings.add(Violation.LEFT_OVER, what));
    watch.close();
    world.fleet().stop();
    arrivals.finish();
    new IntakeAudit(world.servers().kafka(), run.ledger(), world.partitions(), findings)
        .run(world.checkpoints());
    judge.conclude();
  }

  /** Waits until everything has arrived, or until nothing has arrived for a long time. */
  private void awaitAll(World<S> world, Arrivals arrivals) {
    int expected = run.ledger().expected();
    while (world.delivered() < expected) {
      arrivals.check();
      if (!world.awaitDelivered(1, SILENCE)) {
        progress.accept(
            "%s: nothing was delivered for %d s, %d of %d are missing"
                .formatted(run, SILENCE.toSeconds(), expected - world.delivered(), expected));
        return;
      }
      report(world);
    }
  }

  private void report(World<S> world) {
    long now = System.nanoTime();
    if (now - reportedAt > TimeUnit.SECONDS.toNanos(REPORT_S)) {
      reportedAt = now;
      progress.accept(
          "%s: %d of %d injected, %d sent, %d delivered, longest stall %.1f s, %d duplicates"
              .formatted(
                  run,
                  injections.size(),
                  run.row().shape().injections(),
                  world.load().sent(),
                  world.delivered(),
                  judge.longestStall() / 1000.0,
                  findings.count(Violation.DUPLICATED)));
    }
  }
}
