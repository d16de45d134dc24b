package io.delaybridge.admin.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.health.HealthCheck;
import io.delaybridge.message.ShardId;
import io.delaybridge.shard.LoopStatus;
import io.delaybridge.shard.ShardStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LoopHealthCheckTest {

  private static final long NOW = 1_760_000_000_000L;
  private static final ShardId SHARD = new ShardId("delay-intake", 3);
  private static final ShardStatus IDLE = shard(ShardStatus.State.OPEN, null, 0, 0, Long.MAX_VALUE);

  private static ShardStatus shard(
      ShardStatus.State state, @Nullable String problem, long pending, long overdue, long due) {
    return new ShardStatus(
        SHARD,
        state,
        problem,
        pending,
        overdue,
        due,
        50,
        false,
        false,
        ShardStatus.Later.NONE,
        null);
  }

  private HealthCheck.Result check(LoopStatus status) {
    return new LoopHealthCheck(
            () -> status, Duration.ofSeconds(60), InstantSource.fixed(Instant.ofEpochMilli(NOW)))
        .execute();
  }

  private HealthCheck.Result check(ShardStatus... shards) {
    return check(new LoopStatus("loop-0", LoopStatus.State.RUNNING, null, 0, List.of(shards)));
  }

  private static void assertUnhealthy(HealthCheck.Result result, String message) {
    assertThat(result.isHealthy()).isFalse();
    assertThat(result.getMessage()).contains(message);
  }

  @Test
  void aLoopThatTurnsIsHealthyAndSaysWhatItHas() {
    HealthCheck.Result result =
        check(
            shard(ShardStatus.State.OPEN, null, 5, 0, NOW + 1),
            shard(ShardStatus.State.PAUSED, null, 7, 0, NOW + 1));

    assertThat(result.isHealthy()).isTrue();
    assertThat(result.getMessage()).isEqualTo("2 shards, 12 pending");
  }

  @Test
  void whatIsFarIsPendingAndIsLateWhenItIsHome() {
    ShardStatus far =
        new ShardStatus(
            SHARD,
            ShardStatus.State.OPEN,
            null,
            2,
            0,
            NOW + 1,
            50,
            false,
            false,
            new ShardStatus.Later(3, NOW - 90_000),
            null);

    assertThat(check(far).isHealthy()).isTrue();
    assertThat(check(far).getMessage()).isEqualTo("1 shards, 5 pending");
  }

  @Test
  void aLoopWithoutShardsIsHealthy() {
    assertThat(check().isHealthy()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(value = LoopStatus.State.class, names = "RUNNING", mode = EnumSource.Mode.EXCLUDE)
  void aLoopThatDoesNotTurnIsUnhealthy(LoopStatus.State state) {
    HealthCheck.Result result = check(new LoopStatus("loop-0", state, "out of luck", 0, List.of()));

    assertUnhealthy(result, state + ": out of luck");
  }

  @Test
  void aLoopThatJoinsWithoutAProblemDoesNotClaimOne() {
    HealthCheck.Result result =
        check(new LoopStatus("loop-0", LoopStatus.State.JOINING, null, 0, List.of()));

    assertThat(result.getMessage()).isEqualTo("JOINING");
  }

  @Test
  void oneShardWithAProblemIsEnough() {
    ShardStatus stopped = shard(ShardStatus.State.STOPPED, "truncated", 0, 0, Long.MAX_VALUE);

    assertUnhealthy(check(IDLE, stopped), "shard delay-intake/3 is STOPPED: truncated");
  }

  @Test
  void aShardThatIsNotOpenYetIsUnhealthy() {
    assertUnhealthy(
        check(shard(ShardStatus.State.CLOSED, null, 0, 0, Long.MAX_VALUE)),
        "shard delay-intake/3 is CLOSED");
  }

  @Test
  void aMessageMayBeOverdueUpToTheAlarm() {
    assertThat(check(shard(ShardStatus.State.OPEN, null, 1, 1, NOW - 60_000)).isHealthy()).isTrue();
  }

  @Test
  void aMessageThatIsOverdueForLongerRaisesTheAlarm() {
    assertUnhealthy(
        check(IDLE, shard(ShardStatus.State.OPEN, null, 9, 4, NOW - 60_001)),
        "the oldest of 4 overdue messages has waited 60 s");
  }

  @Test
  void whenNothingIsPendingNothingIsOverdue() {
    assertThat(check(shard(ShardStatus.State.OPEN, null, 0, 0, NOW - 60_001)).isHealthy()).isTrue();
  }

  @Test
  void whatIsOverdueOnAPausedShardIsNoAlarm() {
    ShardStatus paused =
        new ShardStatus(
            SHARD,
            ShardStatus.State.OPEN,
            null,
            7,
            7,
            NOW - 90_000,
            50,
            false,
            true,
            ShardStatus.Later.NONE,
            null);

    HealthCheck.Result result = check(paused);

    assertThat(result.isHealthy()).isTrue();
    assertThat(result.getMessage())
        .isEqualTo(
            "1 shards, 7 pending; delivery of 1 shards is paused: 7 overdue, the oldest for 90 s");
  }
}
