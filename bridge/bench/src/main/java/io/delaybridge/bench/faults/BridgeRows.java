package io.delaybridge.bench.faults;

import io.delaybridge.stack.BridgeProcess;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** Faults of the bridges themselves. */
final class BridgeRows {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration DELAY = Duration.ofSeconds(6);
  private static final long MOST_SHIFT_MS = Duration.ofHours(1).toMillis();
  private static final int MOST_BRIDGES = 4;
  private static final int MOST_PARTITIONS = 8;
  private static final int GROWS_EVERY = 25;

  private BridgeRows() {}

  static List<Row<?>> all() {
    return List.of(
        Row.of(
                "kill-bridge",
                "SIGKILL of a random bridge",
                Single::start,
                new Shape(300_000, 300, 3, 4, SECOND, DELAY),
                BridgeRows::kill)
            .atLeastOnceRepeats(Repeats.TURN),
        Row.of(
                "freeze-bridge",
                "SIGSTOP of a bridge past its session time-out, then SIGCONT",
                Single::start,
                new Shape(100_000, 60, 3, 4, SECOND, DELAY),
                BridgeRows::freeze)
            .atLeastOnceRepeats(Repeats.TURN),
        Row.of(
                "false-alarm",
                "SIGSTOP of a bridge until the others believe that it is dead, then SIGCONT",
                Single::start,
                new Shape(100_000, 100, 3, 4, SECOND, DELAY),
                BridgeRows::alarm)
            .atLeastOnceRepeats(Repeats.TURN),
        Row.of(
                "halt",
                "halt at each named point of the turn, of acquiring and of giving away",
                Single::start,
                new Shape(110_000, 440, 2, 4, SECOND, DELAY),
                Halts.ordinary()::halt)
            .having(Trait.AGENT)
            .atLeastOnceRepeats(Repeats.TURN),
        Row.of(
                "halt-overdue",
                "the same points of the turn, and around what is stored after a part of it is out",
                Single::start,
                new Shape(80_000, 80, 2, 4, SECOND, DELAY),
                Halts.ofTheTurn()::halt)
            .having(Trait.AGENT)
            .having(Trait.PLAIN)
            .atLeastOnceRepeats(Repeats.TURN),
        Row.of(
            "instances",
            "1 to 4 bridges join and leave in good order, 4 to 8 partitions",
            Single::start,
            new Shape(200_000, 103, MOST_BRIDGES, 4, SECOND, DELAY),
            BridgeRows::joinOrLeave),
        Row.of(
                "clock",
                "clock of a bridge ahead or behind by up to an hour, for a second or until it is mended",
                Single::start,
                new Shape(50_000, 10, 2, 4, SECOND, DELAY),
                BridgeRows::shift)
            .having(Trait.AGENT)
            .having(Trait.CLOCKS_SHIFT));
  }

  /** Kills a bridge and starts it again at once; the next kill does not wait for it. */
  static boolean kill(World<Single> world, RandomGenerator random) {
    BridgeProcess bridge = world.fleet().any(random);
    bridge.kill();
    bridge.start();
    return true;
  }

  private static boolean freeze(World<Single> world, RandomGenerator random) {
    return freeze(world, random, BridgeConfig.SESSION_MS + 500 + random.nextLong(2_000));
  }

  private static boolean freeze(World<Single> world, RandomGenerator random, long millis) {
    BridgeProcess bridge = world.fleet().any(random);
    world.fleet().freeze(bridge);
    Wait.millis(millis);
    world.fleet().thaw(bridge);
    return bridge.isAlive();
  }

  /**
   * Freezes a bridge and resumes it before its session expires. By then the others have fenced it.
   * In half of the cases, they have also removed it from the group.
   */
  private static boolean alarm(World<Single> world, RandomGenerator random) {
    boolean givenUp = random.nextBoolean();
    world.note(givenUp ? "given up" : "fenced");
    return freeze(
        world, random, givenUp ? random.nextLong(2_200, 3_500) : random.nextLong(1_200, 1_500));
  }

  /**
   * Starts or stops a bridge, as a random walk between one bridge and all of them. From time to
   * time it adds partitions to the intake instead.
   */
  private static boolean joinOrLeave(World<Single> world, RandomGenerator random) {
    Fleet fleet = world.fleet();
    int alive = fleet.alive().size();
    if (world.noted() % GROWS_EVERY == GROWS_EVERY - 1 && world.partitions() < MOST_PARTITIONS) {
      world.growTo(world.partitions() == 4 ? 5 : world.partitions() == 5 ? 6 : MOST_PARTITIONS);
      world.note("partitions added");
    } else if (alive == 1 || (alive < fleet.all().size() && random.nextBoolean())) {
      fleet.all().stream().filter(each -> !each.isAlive()).findFirst().orElseThrow().start();
      world.note("joined");
    } else {
      fleet.any(random).stop();
      world.note("left");
    }
    return true;
  }

  /** Lets the clock of a bridge jump, and jump back after a second, or much later. */
  private static boolean shift(World<Single> world, RandomGenerator random) {
    BridgeProcess bridge = world.fleet().any(random);
    long millis = random.nextLong(SECOND.toMillis(), MOST_SHIFT_MS + 1);
    boolean ahead = random.nextBoolean();
    world.fleet().order(bridge, "shift " + (ahead ? millis : -millis));
    world.note(ahead ? "ahead" : "behind");
    Wait.millis(random.nextBoolean() ? 1_000 : random.nextLong(10_000, 20_000));
    world.fleet().order(bridge, "");
    return bridge.isAlive();
  }
}
