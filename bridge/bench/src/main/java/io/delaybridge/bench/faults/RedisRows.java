package io.delaybridge.bench.faults;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** Redis forgets, or does not answer. */
final class RedisRows {

  private RedisRows() {}

  static List<Row<?>> all() {
    return List.of(
        Row.of(
                "flushall-live",
                "FLUSHALL while the bridges run",
                Single::start,
                new Shape(100_000, 10, 2, 4, Duration.ofSeconds(6), Duration.ofSeconds(6)),
                RedisRows::flush)
            .atLeastOnceRepeats(Repeats.CHECKPOINT),
        Row.of(
                "flushall-stopped",
                "FLUSHALL while no bridge runs",
                Single::start,
                new Shape(100_000, 10, 2, 4, Duration.ofSeconds(6), Duration.ofSeconds(6)),
                RedisRows::flushStopped)
            .atLeastOnceRepeats(Repeats.CHECKPOINT));
  }

  private static boolean flush(World<Single> world, RandomGenerator random) {
    return "OK".equals(world.servers().redis("FLUSHALL"));
  }

  private static boolean flushStopped(World<Single> world, RandomGenerator random) {
    world.fleet().kill();
    boolean flushed = "OK".equals(world.servers().redis("FLUSHALL"));
    world.fleet().start();
    return flushed;
  }
}
