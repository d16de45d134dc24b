package io.delaybridge.connect.callback;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {

  private static final Backoff BACKOFF =
      new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(1));

  private final Random random = new Random(7);

  @ParameterizedTest
  @CsvSource({"1, 1000", "2, 2000", "3, 4000", "4, 8000", "5, 10000", "1000, 10000"})
  void doublesUpToTheLongestGiveOrTakeAFifth(int failed, long plain) {
    for (int i = 0; i < 1_000; i++) {
      assertThat(BACKOFF.millis(failed, null, random)).isBetween(plain * 4 / 5, plain * 6 / 5);
    }
  }

  @Test
  void isSpread() {
    assertThat(random.longs(100).map(i -> BACKOFF.millis(1, null, random)).distinct().count())
        .isGreaterThan(50);
  }

  @Test
  void isNeverLessThanWhatTheReceiverAsksFor() {
    assertThat(BACKOFF.millis(1, Duration.ofSeconds(30), random)).isBetween(30_000L, 30_200L);
  }

  @Test
  void whatTheReceiverAsksOfAllIsSpreadAsWell() {
    assertThat(
            random
                .longs(100)
                .map(i -> BACKOFF.millis(1, Duration.ofSeconds(30), random))
                .distinct()
                .count())
        .isGreaterThan(50);
  }

  @Test
  void isNeverLessThanItsOwn() {
    assertThat(BACKOFF.millis(1, Duration.ZERO, random)).isBetween(800L, 1_200L);
  }

  @Test
  void honoursNoMoreThanTheLimit() {
    assertThat(BACKOFF.millis(1, Duration.ofDays(3_000), random)).isBetween(60_000L, 60_200L);
  }
}
