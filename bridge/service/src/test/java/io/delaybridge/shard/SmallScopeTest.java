package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.shard.SmallScope.Bounds;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All possible courses of three messages; see docs/simulation.md. */
@ExtendWith(QuietLog.class)
class SmallScopeTest {

  static Stream<Bounds> bounds() {
    return Stream.of(
        new Bounds(1, Story.PAST_DUE_LAST, 2, 0, 0, 0, 2),
        new Bounds(1, Story.PAST_DUE_FIRST, 2, 0, 0, 0, 2),
        new Bounds(100, Story.PAST_DUE_LAST, 2, 0, 0, 0, 2),
        new Bounds(1, Story.PAST_DUE_LAST, 1, 1, 1, 1, 1),
        new Bounds(100, Story.PAST_DUE_LAST, 1, 1, 1, 1, 1),
        // Given up while alive: fenced and removed from the group, in either order.
        new Bounds(1, Story.PAST_DUE_LAST, 0, 1, 1, 1, 2),
        new Bounds(100, Story.FAR_REPLACED, 1, 0, 0, 0, 1));
  }

  @ParameterizedTest
  @MethodSource("bounds")
  void everyWayThatItCanGoIsFine(Bounds bounds) {
    SmallScope scope = new SmallScope(bounds, new SimWiring());

    scope.explore();

    assertThat(scope.states()).isGreaterThan(500);
  }
}
