package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.delaybridge.shard.Judge.Violation;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The product's turn on simulated Kafka, store and time, with faults at every step. {@code -Dseeds}
 * sets the number of seeds, {@code -Dseed} selects a single one; see docs/simulation.md.
 */
@ExtendWith(QuietLog.class)
class SimulationTest {

  private static final long SEEDS = Long.getLong("seeds", 20_000);
  private static final long ALL = -1;
  private static final long SEED = Long.getLong("seed", ALL);

  @Test
  void everySeedKeepsEveryPromise() {
    LongStream seeds = SEED == ALL ? LongStream.range(0, SEEDS) : LongStream.of(SEED);
    seeds.forEach(SimulationTest::keepsEveryPromise);
  }

  /** Seeds beyond the first ones that have found something. */
  @ParameterizedTest
  @ValueSource(
      longs = {
        27_351, 32_430, 47_975, 65_781, 107_490, 275_672, 279_897, 348_498, 394_581, 409_513,
        512_487
      })
  void aSeedThatOnceFailedKeepsEveryPromise(long seed) {
    keepsEveryPromise(seed);
  }

  private static void keepsEveryPromise(long seed) {
    try {
      new Trial(seed, new SimWiring()).run();
    } catch (Violation | RuntimeException e) {
      fail(report(seed), e);
    }
  }

  private static String report(long seed) {
    Told told = told(seed);
    return """
        seed %d breaks a promise:
        %s
        %s
        To replay it:
        mvn -Dquick -pl bridge/service -am -Dtest=SimulationTest -Dsurefire.failIfNoSpecifiedTests=false -Dseed=%d test
        """
        .formatted(seed, String.join("\n", told.events), told.end, seed);
  }

  @Test
  void aSeedReplaysExactly() {
    for (long seed = 0; seed < 200; seed++) {
      assertThat(told(seed)).isEqualTo(told(seed));
    }
  }

  private record Told(List<String> events, String end) {}

  private static Told told(long seed) {
    Trial trial = new Trial(seed, new SimWiring()).telling();
    try {
      trial.run();
      return new Told(trial.events(), "no promise is broken");
    } catch (Violation | RuntimeException e) {
      return new Told(trial.events(), e.toString());
    }
  }
}
