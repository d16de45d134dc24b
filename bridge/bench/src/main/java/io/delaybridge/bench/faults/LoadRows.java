package io.delaybridge.bench.faults;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** Rows with many messages at once, or with more transactions than a producer can count. */
final class LoadRows {

  private static final Duration LONG = Duration.ofMinutes(15);

  private LoadRows() {}

  static List<Row<?>> all() {
    return List.of(
        Row.of(
                "cold-start",
                "1 M overdue at once, bridges start with an empty Redis",
                Single::start,
                new Shape(3_000_000, 3, 2, 8, Duration.ofSeconds(1), Duration.ZERO),
                LoadRows::coldStart)
            .with("delivery.turn", "{maxMessages: 1000}")
            // Each injection stops bridges that have only just started.
            .atLeastOnceRepeats(Repeats.CHECKPOINT)
            .having(Trait.OWN_LOAD),
        Row.of(
                "rollover",
                "broker and bridge killed around the rollover of producers with more than 32,768"
                    + " transactions each",
                Single::start,
                new Shape(80_000, Rollover.FAULTS, 1, 1, Duration.ofMillis(1), Duration.ZERO),
                new Rollover()::inject)
            .with("delivery.loops", "1")
            .with("delivery.turn", "{maxMessages: 1}")
            .only(Guarantee.EXACTLY_ONCE)
            .having(Trait.OWN_LOAD)
            .having(Trait.WHOLE));
  }

  private static boolean coldStart(World<Single> world, RandomGenerator random) {
    world.fleet().stop();
    world.load().releaseMore(world.shape().messages() / world.shape().injections());
    world.load().awaitSent();
    boolean empty = "OK".equals(world.servers().redis("FLUSHALL"));
    world.fleet().start();
    return world.awaitDelivered(1, LONG) && empty;
  }
}
