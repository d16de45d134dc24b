package io.delaybridge.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackoffTest {

  private static final Backoff BACKOFF =
      new Backoff(100, Duration.ofSeconds(5), Duration.ofSeconds(60));

  @Test
  void itDoublesUpToTheLongest() {
    assertThat(IntStream.rangeClosed(1, 6).mapToObj(failed -> BACKOFF.after(failed, 0.5)))
        .extracting(Duration::toSeconds)
        .containsExactly(5L, 10L, 20L, 40L, 60L, 60L);
  }

  @Test
  void itStaysFiniteWithTheLastAttempt() {
    assertThat(BACKOFF.after(99, 1)).isEqualTo(Duration.ofSeconds(72));
  }

  @Test
  void itVariesByAFifth() {
    assertThat(BACKOFF.after(1, 0)).isEqualTo(Duration.ofSeconds(4));
    assertThat(BACKOFF.after(1, 1)).isEqualTo(Duration.ofSeconds(6));
  }

  @Test
  void itIsNeverNothing() {
    assertThat(new Backoff(2, Duration.ofMillis(1), Duration.ofMillis(1)).after(1, 0))
        .isEqualTo(Duration.ofMillis(1));
  }

  @Test
  void whatIsOutOfRangeIsRefused() {
    Duration second = Duration.ofSeconds(1);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Backoff(0, second, second))
        .withMessage("maxAttempts is 0, allowed: 1 to 100");
    assertThatIllegalArgumentException().isThrownBy(() -> new Backoff(101, second, second));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Backoff(2, Duration.ZERO, second))
        .withMessageContaining("PT0S to PT1S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Backoff(2, second, second.minusNanos(1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Backoff(2, second, Duration.ofDays(366)));
  }
}
