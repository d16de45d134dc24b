package io.delaybridge.admin.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delaybridge.admin.Problem;
import io.delaybridge.admin.limits.IntakeLimits.Limits;
import io.delaybridge.message.ShardId;
import io.delaybridge.shard.LoopStatus;
import io.delaybridge.shard.ShardStatus;
import io.delaybridge.store.PendingView.Summary;
import jakarta.ws.rs.ServiceUnavailableException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class IntakeLimitsTest {

  private static final long NOW = 1_760_000_000_000L;
  private static final ShardId BLUE = new ShardId("blue", 0);

  private static IntakeLimits limits(Limits blue) {
    return limits(blue, List::of);
  }

  private static IntakeLimits limits(Limits blue, Supplier<List<Summary>> shards) {
    LoopStatus loop =
        new LoopStatus(
            "loop-0",
            LoopStatus.State.RUNNING,
            null,
            0,
            List.of(
                new ShardStatus(
                    BLUE,
                    ShardStatus.State.OPEN,
                    null,
                    0,
                    0,
                    0,
                    0,
                    false,
                    false,
                    ShardStatus.Later.NONE,
                    null)));
    return new IntakeLimits(
        Map.of("blue", blue),
        shards,
        () -> List.of(loop),
        InstantSource.fixed(Instant.ofEpochMilli(NOW)));
  }

  private static Summary summary(int partition, long pending) {
    return new Summary(new ShardId("blue", partition), 0, 0, pending, 0, 0);
  }

  @Test
  void anIntakeWithoutLimitsTakesEverything() {
    IntakeLimits limits = limits(new Limits(1, 1, 1));

    assertThat(limits.isBeyond(new ShardId("red", 0), 1_000_000, NOW)).isFalse();
    assertThatCode(() -> limits.mustTake("red", 1_000_000)).doesNotThrowAnyException();
  }

  @Test
  void aValueMayHaveAsManyBytesAsTheLimit() {
    IntakeLimits limits = limits(new Limits(100, 0, 0));

    assertThat(limits.isBeyond(BLUE, 100, NOW)).isFalse();
    assertThat(limits.isBeyond(BLUE, 101, NOW)).isTrue();
    assertThatExceptionOfType(Problem.class)
        .isThrownBy(() -> limits.mustTake("blue", 101))
        .satisfies(problem -> assertThat(problem.getResponse().getStatus()).isEqualTo(413));
  }

  @Test
  void whatIsPendingIsCountedOnFromWhatWasSeen() {
    IntakeLimits limits = limits(new Limits(0, 10, 0));
    limits.see(List.of(summary(0, 5), summary(1, 3)));

    assertThat(limits.isBeyond(BLUE, 0, NOW)).isFalse();
    assertThatCode(() -> limits.mustTake("blue", 0)).doesNotThrowAnyException();
    assertThat(limits.isBeyond(BLUE, 0, NOW)).isFalse();
    assertThat(limits.isBeyond(BLUE, 0, NOW)).isTrue();
    assertThatExceptionOfType(Problem.class)
        .isThrownBy(() -> limits.mustTake("blue", 0))
        .satisfies(problem -> assertThat(problem.getResponse().getStatus()).isEqualTo(429));

    limits.see(List.of(summary(0, 0), summary(1, 0)));
    assertThat(limits.isBeyond(BLUE, 0, NOW)).isFalse();
  }

  @Test
  void aRateIsThatOfTheSecondInWhichTheRecordsWereWritten() {
    IntakeLimits limits = limits(new Limits(0, 0, 2));

    for (int second = 0; second < 3; second++) {
      long timestamp = NOW + 1000L * second;
      assertThat(limits.isBeyond(BLUE, 0, timestamp)).isFalse();
      assertThat(limits.isBeyond(BLUE, 0, timestamp + 999)).isFalse();
      assertThat(limits.isBeyond(BLUE, 0, timestamp + 500)).isTrue();
    }
  }

  @Test
  void anInstanceAllowsTheShareOfTheRateThatItHasOfThePartitions() {
    IntakeLimits limits = limits(new Limits(0, 0, 8));
    limits.see(List.of(summary(0, 0), summary(1, 0), summary(2, 0), summary(3, 0)));

    assertThat(limits.isBeyond(BLUE, 0, NOW)).isFalse();
    assertThat(limits.isBeyond(BLUE, 0, NOW)).isFalse();
    assertThat(limits.isBeyond(BLUE, 0, NOW)).isTrue();
  }

  @Test
  void aShardThatWasJustGivenToThisInstanceHasItsShareAtOnce() {
    IntakeLimits limits = limits(new Limits(0, 0, 8));
    limits.see(List.of(summary(0, 0), summary(1, 0), summary(2, 0), summary(3, 0)));
    ShardId given = new ShardId("blue", 1);

    for (int i = 0; i < 4; i++) {
      assertThat(limits.isBeyond(given, 0, NOW)).isFalse();
    }
    assertThat(limits.isBeyond(given, 0, NOW)).isTrue();
  }

  @Test
  void anInstanceThatHasNotJoinedYetWhenItLooksAllowsTheWholeRate() {
    IntakeLimits limits =
        new IntakeLimits(
            Map.of("blue", new Limits(0, 0, 2)),
            List::of,
            List::of,
            InstantSource.fixed(Instant.ofEpochMilli(NOW)));
    limits.see(List.of(summary(0, 0), summary(1, 0)));

    assertThat(limits.isBeyond(BLUE, 0, NOW)).isFalse();
    assertThat(limits.isBeyond(BLUE, 0, NOW)).isFalse();
    assertThat(limits.isBeyond(BLUE, 0, NOW)).isTrue();
  }

  @Test
  void whatWentOutSinceTheLookIsNotPending() {
    IntakeLimits limits = limits(new Limits(0, 2, 0));
    limits.see(List.of(summary(0, 0)));

    for (int i = 0; i < 30; i++) {
      assertThat(limits.isBeyond(BLUE, 0, NOW)).isFalse();
      limits.left(BLUE);
    }
    limits.left(BLUE);
    assertThat(limits.isBeyond(BLUE, 0, NOW)).isFalse();
    assertThat(limits.isBeyond(BLUE, 0, NOW)).isFalse();
    assertThat(limits.isBeyond(BLUE, 0, NOW)).isTrue();
  }

  @Test
  void callsHaveTheWholeRate() {
    IntakeLimits limits = limits(new Limits(0, 0, 2));
    limits.mustTake("blue", 0);
    limits.mustTake("blue", 0);

    assertThatExceptionOfType(Problem.class)
        .isThrownBy(() -> limits.mustTake("blue", 0))
        .withMessageContaining("2 messages per second");
  }

  @Test
  void withoutALookAtWhatHasGoneOutNothingIsTooMuch() {
    IntakeLimits limits =
        limits(
            new Limits(0, 3, 0),
            () -> {
              throw new ServiceUnavailableException("Redis is away");
            });
    limits.see(List.of(summary(0, 3)));
    assertThat(limits.isBeyond(BLUE, 1, NOW)).isTrue();

    limits.look();

    assertThat(limits.isBeyond(BLUE, 1, NOW)).isFalse();
  }
}
