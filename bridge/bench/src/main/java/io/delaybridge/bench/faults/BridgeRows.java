package io.delaybridge.bench.faults;

import io.delaybridge.stack.BridgeProcess;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** Faults of the bridges themselves. */
final class BridgeRows {

  private BridgeRows() {}

  static List<Row<?>> all() {
    return List.of(
        Row.of(
                "kill-bridge",
                "SIGKILL of a random bridge",
                Single::start,
                new Shape(300_000, 300, 3, 4, Duration.ofSeconds(1), Duration.ofSeconds(6)),
                BridgeRows::kill)
            .atLeastOnceRepeats(Repeats.TURN));
  }

  /** What was killed is started again at once; the next kill does not wait for it. */
  private static boolean kill(World<Single> world, RandomGenerator random) {
    BridgeProcess bridge = world.fleet().any(random);
    bridge.kill();
    bridge.start();
    return true;
  }
}
