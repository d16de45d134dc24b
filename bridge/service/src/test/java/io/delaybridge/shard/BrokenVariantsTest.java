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

  /** The rarest was caught by seed 17,003. */
  private static final int SEEDS = 60_000;

  static Map<String, SimWiring> variants() {
    Map<String, SimWiring> all = new LinkedHashMap<>(BrokenStores.all());
    all.putAll(BrokenKafka.all());
    return all;
  }

  static Stream<Arguments> variantsByName() {
    return variants().entrySet().stream()
        .map(variant -> Arguments.of(variant.getKey(), variant.getValue()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("variantsByName")
  void isCaught(String name, SimWiring wiring) {
    for (long seed = 0; seed < SEEDS; seed++) {
      try {
        new Trial(seed, wiring).run();
      } catch (Violation e) {
        return;
      }
    }
    fail(name + " was not caught by " + SEEDS + " seeds");
  }

  @Test
  void thereAreEnoughOfThem() {
    assertThat(variants()).hasSizeGreaterThanOrEqualTo(20);
  }
}
