package io.delaybridge.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.bench.faults.agent.Point;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that the product has the methods that the agent names. */
class PointTest {

  @ParameterizedTest
  @EnumSource(Point.class)
  void each_point_is_one_method_of_the_product(Point point) throws ClassNotFoundException {
    Class<?> type = Class.forName(point.type());
    assertThat(
            Arrays.stream(type.getDeclaredMethods())
                .filter(method -> !method.isBridge() && !method.isSynthetic())
                .filter(method -> method.getName().equals(point.method()))
                .filter(method -> method.getParameterCount() == point.arguments()))
        .as("%s#%s with %d arguments", point.type(), point.method(), point.arguments())
        .hasSize(1);
  }

  @Test
  void the_clock_that_is_shifted_is_the_one_that_due_times_go_by() throws Exception {
    Class<?> clocks = Class.forName("io.delaybridge.shard.Clocks");
    assertThat(clocks.getDeclaredMethod("now").getReturnType()).isEqualTo(long.class);
  }

  @ParameterizedTest
  @EnumSource(Guarantee.class)
  void a_bridge_comes_by_the_points_of_its_guarantee_only(Guarantee guarantee) {
    assertThat(Halts.ordinary().points(guarantee))
        .hasSizeGreaterThan(20)
        .noneMatch(
            point ->
                point.group()
                    == (guarantee == Guarantee.EXACTLY_ONCE
                        ? Point.Group.AT_LEAST_ONCE
                        : Point.Group.EXACTLY_ONCE));
  }

  @Test
  void each_point_is_halted_at_by_one_of_the_rows() {
    Set<Point> points = EnumSet.noneOf(Point.class);
    for (Guarantee guarantee : Guarantee.values()) {
      points.addAll(Halts.ordinary().points(guarantee));
      points.addAll(Halts.ofTheTurn().points(guarantee));
      points.addAll(Halts.ofLaps().points(guarantee));
    }
    assertThat(points).containsExactlyInAnyOrder(Point.values());
  }
}
