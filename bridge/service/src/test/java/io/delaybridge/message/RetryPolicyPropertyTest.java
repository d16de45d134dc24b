package io.delaybridge.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** Properties that hold for every policy. */
class RetryPolicyPropertyTest {

  private static final RetryPolicy POLICY =
      new RetryPolicy(16, Duration.ofSeconds(1), Duration.ofMinutes(10));

  @Property
  void thePauseStaysWithinItsBounds(
      @ForAll @LongRange(min = 1, max = 86_400_000) long first,
      @ForAll @LongRange(min = 1, max = 86_400_000) long longest,
      @ForAll @IntRange(min = 1) int failed,
      @ForAll long seed) {
    Assume.that(first <= longest);
    RetryPolicy policy = new RetryPolicy(3, Duration.ofMillis(first), Duration.ofMillis(longest));

    long pause = policy.backoffMillis(failed, new Random(seed));

    assertThat(pause)
        .isBetween(Math.max(1, Math.round(0.8 * first)), Math.max(1, Math.round(1.2 * longest)));
  }

  @Property
  void thePauseNeverShrinksWithAnotherFailure(@ForAll @IntRange(min = 1, max = 100) int failed) {
    assertThat(POLICY.backoffMillis(failed + 1, always(0.5)))
        .isGreaterThanOrEqualTo(POLICY.backoffMillis(failed, always(0.5)));
  }

  /** A generator whose every fraction is the same. */
  private static RandomGenerator always(double fraction) {
    return new RandomGenerator() {
      @Override
      public long nextLong() {
        throw new UnsupportedOperationException();
      }

      @Override
      public double nextDouble() {
        return fraction;
      }
    };
  }
}
