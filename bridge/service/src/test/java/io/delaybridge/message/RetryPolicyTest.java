package io.delaybridge.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delaybridge.schemas.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryPolicyTest {

  private static final RetryPolicy POLICY =
      new RetryPolicy(16, Duration.ofSeconds(1), Duration.ofMinutes(10));

  @ParameterizedTest
  @CsvSource({"1, 1000", "2, 2000", "3, 4000", "10, 512000", "11, 600000", "1000000, 600000"})
  void thePauseDoublesWithEachFailureUpToTheLongest(int failed, long expected) {
    assertThat(POLICY.backoffMillis(failed, always(0.5))).isEqualTo(expected);
  }

  @Test
  void thePauseIsSpreadByAFifthEitherWay() {
    assertThat(POLICY.backoffMillis(1, always(0))).isEqualTo(800);
    assertThat(POLICY.backoffMillis(1, always(0.999_999))).isEqualTo(1200);
  }

  @Test
  void theShortestPauseIsNeverZero() {
    RetryPolicy policy = new RetryPolicy(1, Duration.ofMillis(1), Duration.ofMillis(1));

    assertThat(policy.backoffMillis(1, always(0))).isEqualTo(1);
  }

  @Test
  void aMessageMayHaveItsOwnNumberOfAttempts() {
    assertThat(POLICY.attemptsFor(withMaxAttempts(3))).isEqualTo(3);
    assertThat(POLICY.attemptsFor(withMaxAttempts(99))).isEqualTo(99);
  }

  @Test
  void aMessageWithoutItsOwnNumberHasTheConfiguredOne() {
    assertThat(POLICY.attemptsFor(withMaxAttempts(0))).isEqualTo(16);
  }

  @Test
  void aPolicyWithoutAnAttemptCanNotExist() {
    assertThatThrownBy(() -> new RetryPolicy(0, Duration.ofSeconds(1), Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxAttempts is 0");
  }

  @Test
  void aPolicyOfMoreThanAHundredAttemptsCanNotExist() {
    assertThatThrownBy(() -> new RetryPolicy(101, Duration.ofSeconds(1), Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxAttempts is 101, allowed: 1 to 100");
  }

  @Test
  void theLongestSpanIsThatOfAHundredAttemptsEachPausedForAFifthLonger() {
    RetryPolicy steady = new RetryPolicy(3, Duration.ofSeconds(10), Duration.ofSeconds(10));

    assertThat(steady.longestSpan().toSeconds()).isBetween(99 * 12L - 1, 99 * 12L);
  }

  @Test
  void theLongestSpanCountsThePausesAsTheyGrow() {
    // 1 + 2 + ... + 512 seconds, then 89 times ten minutes, and a fifth of it all.
    long seconds = (1023 + 89 * 600) * 12 / 10;

    assertThat(POLICY.longestSpan().toSeconds()).isBetween(seconds - 1, seconds);
  }

  @Test
  void aPolicyWithoutAPauseCanNotExist() {
    assertThatThrownBy(() -> new RetryPolicy(1, Duration.ofNanos(1), Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("firstBackoff");
  }

  @Test
  void theLongestPauseIsNotShorterThanTheFirst() {
    assertThatThrownBy(() -> new RetryPolicy(1, Duration.ofSeconds(2), Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxBackoff PT1S");
  }

  private static DelayedMessage withMaxAttempts(int attempts) {
    return new DelayedMessage(
        new Due(0, 0),
        new StoredMessage(
            null,
            null,
            List.of(),
            1,
            attempts,
            StoredMessage.NO_EXPIRY,
            StoredMessage.SELF,
            null,
            null,
            null,
            0,
            StoredMessage.NEAR,
            StoredMessage.SELF));
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
