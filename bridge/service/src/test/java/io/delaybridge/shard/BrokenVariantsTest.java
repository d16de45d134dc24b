package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.delaybridge.shard.Judge.Violation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The judge is judged: it must see each of these. */
@ExtendWith(QuietLog.class)
class BrokenVariantsTest {

  private static final int SEEDS = 60_000;
  private static final long YEAR = 30;

  /** Start seeds that keep the search for the rarest violations short. The search wraps around. */
  private static final Map<String, Integer> FROM =
      Map.of(
          "a settle that removes any id", 2_681,
          "settling below a key whatever was fed since", 11_326,
          "a transaction with the membership of its end, not of its take", 10_907,
          "a sweep that does not look how far the store is fed", 35_294,
          "copies that never die", 2_198,
          "an intake that keeps a cancel for no copy that is home", 1_908,
          "a watermark that does not look at what asks hide", 1_919,
          "a watermark that does not wait for the checkpoint", 1_114);

  static Map<String, SimWiring> variants() {
    Map<String, SimWiring> all = new LinkedHashMap<>(BrokenStores.all());
    all.putAll(BrokenKafka.all());
    all.putAll(BrokenWatermarks.all());
    all.put("a loop that waits for twice the tolerance", new Patient());
    return all;
  }

  private static final class Patient extends SimWiring {
    @Override
    long tolerance(long tolerance) {
      return 2 * tolerance;
    }
  }

  static Stream<Arguments> variantsByName() {
    return variants().entrySet().stream()
        .map(variant -> Arguments.of(variant.getKey(), variant.getValue()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("variantsByName")
  void isCaught(String name, SimWiring wiring) {
    long from = FROM.getOrDefault(name, 0);
    for (int i = 0; i < SEEDS; i++) {
      long seed = (from + i) % SEEDS;
      // Not one of the seeds that break a promise anyhow, see docs/simulation.md.
      if (breaks(seed, wiring) && !breaks(seed, new SimWiring())) {
        return;
      }
    }
    fail(name + " was not caught by " + SEEDS + " seeds");
  }

  /** 60,000 seeds do not catch this one, but a year does. */
  @Test
  void aRecallThatDoesNotLookBackIsCaught() {
    SimWiring broken = BrokenStores.recallThatDoesNotLookBack();

    assertThat(breaks(Trial.ofYear(YEAR, broken))).isTrue();
    assertThat(breaks(Trial.ofYear(YEAR, new SimWiring()))).isFalse();
  }

  private static boolean breaks(long seed, SimWiring wiring) {
    return breaks(new Trial(seed, wiring));
  }

  private static boolean breaks(Trial trial) {
    try {
      trial.run();
      return false;
    } catch (Violation e) {
      return true;
    }
  }

  @Test
  void thereAreEnoughOfThem() {
    assertThat(variants())
        .hasSizeGreaterThanOrEqualTo(20)
        .containsKeys(FROM.keySet().toArray(new String[0]));
  }
}
