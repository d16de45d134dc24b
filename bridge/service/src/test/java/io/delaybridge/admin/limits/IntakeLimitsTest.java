package io.delaybridge.admin.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.delaybridge.admin.Problem;
import io.delaybridge.admin.limits.IntakeLimits.Limits;
import io.delaybridge.message.ShardId;
import io.delaybridge.shard.LoopStatus;
import io.delaybridge.shard.Statuses;
import io.delaybridge.store.PendingView.Summary;
import jakarta.ws.rs.ServiceUnavailableException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IntakeLimitsTest {

  private static final long NOW = 1_760_000_000_000L;
  private static final ShardId BLUE = new ShardId("blue", 0);

  private long offset;

  /** What happens during a look, after the state was read. */
  private Runnable meanwhile = () -> {};

  private static IntakeLimits limits(Limits blue) {
    return limits(blue, List::of);
  }

  private static IntakeLimits limits(Limits blue, Supplier<List<Summary>> shards) {
    LoopStatus loop = Statuses.loop(LoopStatus.State.RUNNING, BLUE, 0);
    return new IntakeLimits(
        Map.of("blue", blue),
        shards,
        () -> List.of(loop),
        InstantSource.fixed(Instant.ofEpochMilli(NOW)));
  }

  /** A summary of a shard that has stored all that was read. */
  private static Summary summary(int partition, long pending) {
    return summary(partition, Long.MAX_VALUE, pending);
  }

  private static Summary summary(int partition, long next, long pending) {
    return new Summary(new ShardId("blue", partition), next, 0, pending, 0, 0);
  }

  /** Reads the next message. */
  private boolean beyond(IntakeLimits limits, ShardId shard, int bytes, long timestamp) {
    return limits.exceeded(shard, offset++, bytes, timestamp) != null;
  }

  @Test
  void anIntakeWithoutLimitsTakesEverything() {
    IntakeLimits limits = limits(new Limits(1, 1, 1));

    assertThat(beyond(limits, new ShardId("red", 0), 1_000_000, NOW)).isFalse();
    assertThatCode(() -> limits.mustTake("red", 1_000_000)).doesNotThrowAnyException();
  }

  @Test
  void aValueMayHaveAsManyBytesAsTheLimit() {
    IntakeLimits limits = limits(new Limits(100, 0, 0));

    assertThat(beyond(limits, BLUE, 100, NOW)).isFalse();
    assertThat(beyond(limits, BLUE, 101, NOW)).isTrue();
    assertThatExceptionOfType(Problem.class)
        .isThrownBy(() -> limits.mustTake("blue", 101))
        .satisfies(problem -> assertThat(problem.getResponse().getStatus()).isEqualTo(413));
  }

  @Test
  void whatIsPendingIsCountedOnFromWhatWasSeen() {
    IntakeLimits limits = limits(new Limits(0, 10, 0));
    limits.see(List.of(summary(0, 5), summary(1, 3)));

    assertThat(beyond(limits, BLUE, 0, NOW)).isFalse();
    assertThatCode(() -> limits.mustTake("blue", 0)).doesNotThrowAnyException();
    assertThat(beyond(limits, BLUE, 0, NOW)).isFalse();
    assertThat(beyond(limits, BLUE, 0, NOW)).isTrue();
    assertThatExceptionOfType(Problem.class)
        .isThrownBy(() -> limits.mustTake("blue", 0))
        .satisfies(problem -> assertThat(problem.getResponse().getStatus()).isEqualTo(429));

    limits.see(List.of(summary(0, 0), summary(1, 0)));
    assertThat(beyond(limits, BLUE, 0, NOW)).isFalse();
  }

  @Test
  void aRateIsThatOfTheSecondInWhichTheRecordsWereWritten() {
    IntakeLimits limits = limits(new Limits(0, 0, 2));

    for (int second = 0; second < 3; second++) {
      long timestamp = NOW + 1000L * second;
      assertThat(beyond(limits, BLUE, 0, timestamp)).isFalse();
      assertThat(beyond(limits, BLUE, 0, timestamp + 999)).isFalse();
      assertThat(beyond(limits, BLUE, 0, timestamp + 500)).isTrue();
    }
  }

  @Test
  void anInstanceAllowsTheShareOfTheRateThatItHasOfThePartitions() {
    IntakeLimits limits = limits(new Limits(0, 0, 8));
    limits.see(List.of(summary(0, 0), summary(1, 0), summary(2, 0), summary(3, 0)));

    assertThat(beyond(limits, BLUE, 0, NOW)).isFalse();
    assertThat(beyond(limits, BLUE, 0, NOW)).isFalse();
    assertThat(beyond(limits, BLUE, 0, NOW)).isTrue();
  }

  @Test
  void aShardThatWasJustGivenToThisInstanceHasItsShareAtOnce() {
    IntakeLimits limits = limits(new Limits(0, 0, 8));
    limits.see(List.of(summary(0, 0), summary(1, 0), summary(2, 0), summary(3, 0)));
    ShardId given = new ShardId("blue", 1);

    for (int i = 0; i < 4; i++) {
      assertThat(beyond(limits, given, 0, NOW)).isFalse();
    }
    assertThat(beyond(limits, given, 0, NOW)).isTrue();
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

    assertThat(beyond(limits, BLUE, 0, NOW)).isFalse();
    assertThat(beyond(limits, BLUE, 0, NOW)).isFalse();
    assertThat(beyond(limits, BLUE, 0, NOW)).isTrue();
  }

  @Test
  void whatWentOutSinceTheLookIsNotPending() {
    IntakeLimits limits = limits(new Limits(0, 2, 0));
    limits.see(List.of(summary(0, 0)));

    for (int i = 0; i < 30; i++) {
      assertThat(beyond(limits, BLUE, 0, NOW)).isFalse();
      limits.left(BLUE);
    }
    limits.left(BLUE);
    assertThat(beyond(limits, BLUE, 0, NOW)).isFalse();
    assertThat(beyond(limits, BLUE, 0, NOW)).isFalse();
    assertThat(beyond(limits, BLUE, 0, NOW)).isTrue();
  }

  @Test
  void whatIsReadDuringTheLookIsCountedOn() {
    IntakeLimits limits =
        limits(
            new Limits(0, 6, 0),
            () -> {
              // Offsets 0 to 2 are stored, 3 is read and not stored yet.
              List<Summary> seen = List.of(summary(0, 3, 3));
              meanwhile.run();
              return seen;
            });
    for (int i = 0; i < 4; i++) {
      assertThat(beyond(limits, BLUE, 0, NOW)).isFalse();
    }
    meanwhile = () -> assertThat(beyond(limits, BLUE, 0, NOW)).isFalse();

    limits.look();

    assertThat(beyond(limits, BLUE, 0, NOW)).isFalse();
    assertThat(beyond(limits, BLUE, 0, NOW)).isTrue();
  }

  @Test
  void whatGoesOutDuringTheLookIsNotPending() {
    IntakeLimits limits =
        limits(
            new Limits(0, 3, 0),
            () -> {
              List<Summary> seen = List.of(summary(0, 3, 3));
              meanwhile.run();
              return seen;
            });
    for (int i = 0; i < 3; i++) {
      assertThat(beyond(limits, BLUE, 0, NOW)).isFalse();
    }
    limits.look();
    meanwhile =
        () -> {
          limits.left(BLUE);
          limits.left(BLUE);
        };
    limits.look();
    meanwhile = () -> {};

    assertThat(beyond(limits, BLUE, 0, NOW)).isFalse();
    assertThat(beyond(limits, BLUE, 0, NOW)).isFalse();
    assertThat(beyond(limits, BLUE, 0, NOW)).isTrue();
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

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void withoutALookAtWhatHasGoneOutNothingIsTooMuch(boolean expected) {
    IntakeLimits limits =
        limits(
            new Limits(0, 3, 0),
            () -> {
              throw expected
                  ? new ServiceUnavailableException("Redis is away")
                  : new IllegalStateException("unexpected");
            });
    limits.see(List.of(summary(0, 3)));
    assertThat(beyond(limits, BLUE, 1, NOW)).isTrue();

    if (expected) {
      limits.look();
    } else {
      assertThatIllegalStateException().isThrownBy(limits::look);
    }

    assertThat(beyond(limits, BLUE, 1, NOW)).isFalse();
  }
}
