package io.delaybridge.bench.faults;

import io.delaybridge.stack.LocalBroker;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** Faults of the only broker: it is killed or frozen. */
final class KafkaRows {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration DELAY = Duration.ofSeconds(6);
  private static final Duration FREEZE = Duration.ofSeconds(20);

  // Sends time out after 10 s, so this many turns may fail while the broker hangs.
  private static final int TURNS = 3;

  private KafkaRows() {}

  static List<Row<?>> all() {
    return List.of(
        Row.of(
                "broker-kill",
                "SIGKILL of the broker",
                Single::start,
                new Shape(200_000, 30, 2, 4, SECOND, DELAY),
                KafkaRows::kill)
            .atLeastOnceRepeats(Repeats.TURN),
        Row.of(
                "broker-freeze",
                "SIGSTOP of the broker for 20 s",
                Single::start,
                new Shape(200_000, 10, 2, 4, SECOND, DELAY),
                KafkaRows::freeze)
            .atLeastOnceRepeats(history -> TURNS * Repeats.TURN.most(history)));
  }

  static boolean kill(World<Single> world, RandomGenerator random) {
    LocalBroker broker = world.servers().broker();
    broker.kill();
    Wait.millis(random.nextLong(SECOND.toMillis()));
    broker.start();
    return true;
  }

  private static boolean freeze(World<Single> world, RandomGenerator random) {
    LocalBroker broker = world.servers().broker();
    broker.pause();
    Wait.millis(FREEZE.toMillis());
    broker.resume();
    return broker.isAlive();
  }
}
