package io.delaybridge.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.delaybridge.peers.ClockGuard.Reference;
import io.delaybridge.peers.ClockGuard.State;
import io.delaybridge.store.PeerBoard;
import io.delaybridge.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The comparison of clocks, on clocks that are set by hand. All times are milliseconds. */
class ClockGuardTest {

  private static final long START = 1_800_000_000_000L;
  private static final long BOUND = 5_000;
  private static final long HOUR = 3_600_000;

  /** The time that has really passed since the start. */
  private long passed;

  // By how much each clock is ahead of the real time; null: it does not answer.
  private long own;
  private @Nullable Long redis = 0L;
  private @Nullable Long kafka = 0L;

  /** By how much the others are ahead of Redis. */
  private List<Long> peers = List.of();

  private long roundTrip;

  private final ClockGuard guard =
      new ClockGuard(
          Duration.ofMillis(BOUND),
          () -> Instant.ofEpochMilli(real() + own),
          () -> passed * 1_000_000,
          new Board(),
          this::kafka);

  private final class Board implements PeerBoard {

    @Override
    public OptionalLong time() {
      passed += roundTrip;
      if (redis == null) {
        throw new StoreException("Redis does not answer", new IOException("cut"));
      }
      return OptionalLong.of(real() - roundTrip / 2 + redis);
    }

    @Override
    public Map<String, String> sign(String process, String sign) {
      throw new AssertionError("the guard signs nothing");
    }

    @Override
    public void remove(String process) {
      throw new AssertionError("the guard removes nothing");
    }
  }

  private long real() {
    return START + passed;
  }

  private CompletionStage<OptionalLong> kafka() {
    return CompletableFuture.completedStage(
        kafka == null ? OptionalLong.empty() : OptionalLong.of(real() + kafka));
  }

  /** Compares, as often as the guard does. */
  private void look() {
    passed += 5_000;
    guard.look(peers);
  }

  private State state() {
    return guard.status().state();
  }

  @Test
  void aClockThatIsRightIsFine() {
    look();

    assertThat(state()).isEqualTo(State.FINE);
    assertThat(guard.millis()).isEqualTo(real());
    assertThat(guard.status().ahead()).containsOnlyKeys(Reference.REDIS, Reference.KAFKA);
  }

  @Test
  void aClockThatIsAheadWithinTheBoundIsFine() {
    own = BOUND;
    look();

    assertThat(guard.isAhead()).isFalse();
    assertThat(guard.millis()).isEqualTo(real() + BOUND);
  }

  @Test
  void aClockThatIsAheadByMoreIsAheadFromTheFirstLook() {
    own = BOUND + 1;
    look();

    assertThat(guard.isAhead()).isTrue();
    assertThat(state()).isEqualTo(State.AHEAD);
    assertThat(guard.millis()).isEqualTo(real() + BOUND);
    assertThat(guard.status()).asString().contains("nothing is delivered", "5.0 s than Redis");
  }

  @Test
  void aJumpIsSeenAtOnceAndSoIsItsEnd() {
    look();
    passed += 20;
    own = HOUR;

    assertThat(guard.isAhead()).isTrue();
    assertThat(guard.millis()).isEqualTo(real() + BOUND);

    passed += 1_000;
    own = 0;
    assertThat(guard.isAhead()).isFalse();
    assertThat(guard.millis()).isEqualTo(real());
  }

  @Test
  void aClockThatIsBehindSaysSoAndGoesOn() {
    own = -HOUR;
    look();

    assertThat(state()).isEqualTo(State.BEHIND);
    assertThat(guard.isAhead()).isFalse();
    assertThat(guard.millis()).isEqualTo(real() - HOUR);
  }

  @Test
  void oneOtherClockThatIsWrongDecidesNothing() {
    redis = -HOUR;
    look();
    assertThat(state()).isEqualTo(State.FINE);

    redis = HOUR;
    look();
    assertThat(state()).isEqualTo(State.FINE);
    assertThat(guard.status().ahead()).containsEntry(Reference.REDIS, -HOUR);
  }

  @Test
  void allBridgesThatAreAheadTogetherAreAhead() {
    own = HOUR;
    peers = List.of(HOUR, HOUR, HOUR);
    look();

    assertThat(state()).isEqualTo(State.AHEAD);
  }

  @Test
  void theMedianOfTheOtherBridgesCounts() {
    own = HOUR;
    kafka = null;
    peers = List.of(0L, 10L, 2 * HOUR);
    look();

    assertThat(state()).isEqualTo(State.AHEAD);
    assertThat(guard.status().ahead()).containsEntry(Reference.BRIDGES, HOUR - 10);
  }

  @Test
  void withoutAnyOtherClockTheOwnOneCounts() {
    own = HOUR;
    redis = null;
    kafka = null;
    look();

    assertThat(state()).isEqualTo(State.FINE);
    assertThat(guard.millis()).isEqualTo(real() + HOUR);
    assertThat(guard.status()).hasToString("no other clock is known");
  }

  @Test
  void anAnswerThatTookLongSaysNothing() {
    roundTrip = 2_000;
    kafka = null;
    look();

    assertThat(guard.status().ahead()).isEmpty();
  }

  @Test
  void whatWasHeardLongAgoIsForgottenButTheTimeGoesOn() {
    look();
    redis = null;
    kafka = null;
    for (int i = 0; i < 20; i++) {
      look();
    }
    assertThat(guard.status().ahead()).isEmpty();

    own = HOUR;
    assertThat(guard.isAhead()).isTrue();
  }

  /** However this clock jumps: if most others are right, it tells no time later than the bound. */
  @Test
  void noTimeIsToldThatIsTooLate() {
    for (long seed = 0; seed < 500; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      own = 0;
      redis = 0L;
      kafka = 0L;
      peers = List.of();
      passed = 0;
      ClockGuardTest fresh = new ClockGuardTest();
      fresh.anyWay(random, seed);
    }
  }

  private void anyWay(SplittableRandom random, long seed) {
    look();
    for (int i = 0; i < 200; i++) {
      switch (random.nextInt(5)) {
        case 0 -> own = random.nextLong(-2 * HOUR, 2 * HOUR);
        case 1 -> own = 0;
        case 2 -> {
          // At most one of the three is wrong.
          redis = 0L;
          kafka = 0L;
          peers = List.of(0L, 0L);
          long wrong = random.nextLong(-HOUR, HOUR);
          switch (random.nextInt(3)) {
            case 0 -> kafka = random.nextBoolean() ? null : Long.valueOf(wrong);
            case 1 -> peers = random.nextBoolean() ? List.of() : List.of(wrong, wrong);
            default -> redis = null;
          }
        }
        case 3 -> look();
        default -> passed += random.nextLong(3_000);
      }
      assertThat(guard.millis())
          .as("seed %d, step %d", seed, i)
          .isLessThanOrEqualTo(real() + BOUND);
    }
  }
}
