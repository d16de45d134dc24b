package io.delaybridge.bench.faults;

import java.time.Duration;
import java.util.List;

/** Rows with several kinds of fault in one run, on far messages or on repeating messages. */
final class MixedRows {

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Four times the horizon: most messages are far when they are read, and take some laps. */
  private static final Duration FAR = Duration.ofSeconds(16);

  private static final Fault<Single> KILLS = choice(BridgeRows::kill, KafkaRows::kill);
  private static final Fault<Single> LOSSES = choice(RedisRows::flush, RedisRows::putBack);

  private MixedRows() {}

  static List<Row<?>> all() {
    return List.of(
        far(Row.of(
                "later",
                "far messages: SIGKILL of a bridge or the broker, FLUSHALL, Redis put back to"
                    + " an older copy, halt in a lap or a recall",
                Single::start,
                new Shape(300_000, 300, 2, 4, SECOND, FAR),
                choice(KILLS, LOSSES, Halts.ofLaps()::halt)))
            .having(Trait.AGENT)
            .atLeastOnceRepeats(Repeats.CHECKPOINT),
        far(Row.of(
                "later-leader-loss",
                "far messages: SIGKILL of the broker that leads a partition, one of three",
                ThreeBrokers::start,
                new Shape(100_000, 10, 2, 4, SECOND, FAR),
                TopologyRows::killLeader))
            .atLeastOnceRepeats(Repeats.TURN),
        Row.of(
                "repeat",
                Schedules.COUNT
                    + " schedules, each due each second: SIGKILL of a bridge or the broker,"
                    + " FLUSHALL",
                Single::start,
                new Shape(60_000, 100, 2, 4, SECOND.multipliedBy(6), Duration.ofSeconds(6)),
                new Schedules.Run(choice(KILLS, RedisRows::flush)))
            .with("intake.topics", "[%s, %s]".formatted(BridgeConfig.INTAKE, Schedules.INTAKE))
            .atLeastOnceRepeats(
                history -> Repeats.CHECKPOINT.most(history) + Schedules.repeats(history)));
  }

  private static <S extends Servers> Row<S> far(Row<S> row) {
    return row.with("intake.horizon", "4s").with("intake.lap", "2s");
  }

  /** Returns a fault that injects one of these, each with the same probability. */
  @SafeVarargs
  private static <S extends Servers> Fault<S> choice(Fault<S>... faults) {
    return (world, random) -> faults[random.nextInt(faults.length)].inject(world, random);
  }
}
