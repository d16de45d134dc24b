package io.delaybridge.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delaybridge.shard.LoopStatus.State;
import io.delaybridge.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A loop on a thread of its own that fails and hangs in places, and its keeper. */
class LoopKeeperTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final LoopWorld world = new LoopWorld();

  @AfterEach
  void stop() throws InterruptedException {
    world.end();
  }

  @Test
  void aLoopThatThrowsSaysWhyAndBeginsAnew() {
    world.at("take", LoopWorld.once(() -> new IllegalStateException("out of luck")));
    List<LoopStatus> failed = new CopyOnWriteArrayList<>();
    world.at("beganAnew", () -> failed.add(world.status()));
    world.schedule("a");
    world.start();

    awaitDelivered("a");
    assertThat(failed).singleElement().extracting(LoopStatus::state).isEqualTo(State.FAILED);
    assertThat(failed.get(0).problem()).contains("out of luck");
    await().atMost(LIMIT).until(() -> world.status().state() == State.RUNNING);
    assertThat(world.status().problem()).isNull();
    assertThat(world.restarts()).isEqualTo(1);
  }

  @Test
  void aLoopThatIsToldToStopLosesNothingOfWhatItHasJustRead() {
    world.at("wait", world::tellToStop);
    world.schedule("a");
    world.start();

    awaitDelivered("a");
  }

  @Test
  void aLoopThatThrowsEachTimePausesLongerEachTime() {
    world.at("take", LoopWorld.always(() -> new IllegalStateException("out of luck")));
    long begun = System.nanoTime();
    world.schedule("a");
    world.start();

    await().atMost(LIMIT).until(() -> world.restarts() >= 4);

    // 200 + 400 + 800 ms
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(1_400));
    world.at("take", LoopWorld.never());
    awaitDelivered("a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"deliver", "take", "ingest", "poll", "position"})
  void aLoopThatHangsIsInterruptedAndBeginsAnew(String where) {
    LoopWorld.Hang hang = new LoopWorld.Hang(true);
    world.at(where, hang);
    world.schedule("a");
    world.start();

    hang.awaitReached(LIMIT);
    await().atMost(LIMIT).until(() -> world.status().state() == State.HANGS);
    assertThat(world.status().problem()).contains("no turn for", "LoopWorld$Hang");
    world.keep();
    awaitDelivered("a");
    assertThat(world.restarts()).isEqualTo(1);
    assertThat(world.members()).as("the old consumer has left the group").hasSize(1);
  }

  @Test
  void aLoopThatHeedsNoInterruptIsAbandonedAndWhenItWakesItIsTooLate() {
    LoopWorld.Hang hang = new LoopWorld.Hang(false);
    world.at("deliver", hang);
    world.schedule("a");
    world.start();
    world.keep();

    hang.awaitReached(LIMIT);
    await().atMost(LIMIT).until(() -> world.made() == 2);
    awaitDelivered("a");
    await().atMost(LIMIT).until(() -> world.status().state() == State.RUNNING);
    hang.release();
    await().atMost(LIMIT).until(world::firstHasEnded);

    world.schedule("b");
    awaitDelivered("a", "b");
  }

  @Test
  void aSecondThreadIsNotLeftBehindWhileTheFirstHangs() {
    LoopWorld.Hang hang = new LoopWorld.Hang(false, 2);
    world.at("deliver", hang);
    world.schedule("a");
    world.start();
    world.keep();

    await().atMost(LIMIT).until(() -> world.made() == 2);
    hang.awaitReached(LIMIT);
    await()
        .atMost(LIMIT)
        .until(() -> String.valueOf(world.status().problem()).contains("restart the process"));
    assertThat(world.status().state()).isEqualTo(State.HANGS);
    assertThat(world.made()).isEqualTo(2);
    hang.release();
    awaitDelivered("a");
  }

  /**
   * The group has given the loop up, and the loop could not open a shard if it got it back. Idle
   * shards may not have noticed yet that the store is away.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLoopWithoutItsStoreStaysOutOfTheGroupUntilTheStoreAnswers(boolean idle) {
    world.schedule("a");
    world.start();
    awaitDelivered("a");
    RuntimeException away = new StoreException("Redis does not answer", new IOException("cut"));
    List<String> calls = idle ? List.of("ping") : List.of("open", "take", "ingest", "ping");
    calls.forEach(call -> world.at(call, LoopWorld.always(() -> away)));
    if (!idle) {
      world.schedule("b");
      await()
          .atMost(LIMIT)
          .until(() -> world.status().shards().stream().noneMatch(ShardStatus::isOpen));
    }

    world.expelFirst();

    await().atMost(LIMIT).until(() -> world.made() == 2);
    await()
        .atMost(LIMIT)
        .until(() -> String.valueOf(world.status().problem()).contains("Redis does not answer"));
    assertThat(world.status().state()).isEqualTo(State.JOINING);
    assertThat(world.members()).isEmpty();
    calls.forEach(call -> world.at(call, LoopWorld.never()));
    if (idle) {
      world.schedule("b");
    }
    awaitDelivered("a", "b");
  }

  @Test
  void aLoopJoinsTheGroupAlthoughItsRehearsalFails() {
    world.at("prepare", LoopWorld.always(() -> new KafkaException("Kafka does not answer")));
    world.schedule("a");
    world.start();

    awaitDelivered("a");
    assertThat(world.restarts()).isZero();
  }

  @Test
  void aLoopWhoseThreadIsGoneIsReplaced() {
    world.at("take", LoopWorld.once(() -> new IllegalStateException("out of luck")));
    world.at("beganAnew", LoopWorld.once(() -> new IllegalStateException("and again")));
    world.schedule("a");
    world.start();
    world.keep();

    awaitDelivered("a");
  }

  @Test
  void aLoopThatIsToldToStopWhileItHangsEnds() throws InterruptedException {
    LoopWorld.Hang hang = new LoopWorld.Hang(true);
    world.at("deliver", hang);
    world.schedule("a");
    world.start();
    hang.awaitReached(LIMIT);

    world.stop();

    await().atMost(LIMIT).until(() -> world.status().state() == State.STOPPED);
    assertThat(world.restarts()).isZero();
  }

  @Test
  void whoAwaitsTheEndInterruptsNobody() throws InterruptedException {
    LoopWorld.Hang hang = new LoopWorld.Hang(true);
    world.at("deliver", hang);
    world.schedule("a");
    world.start();
    hang.awaitReached(LIMIT);
    world.tellToStop();

    assertThat(world.awaitEnd(Duration.ofMillis(50))).isFalse();
    hang.release();
    assertThat(world.awaitEnd(LIMIT)).isTrue();
    assertThat(world.delivered()).containsExactly("a");
  }

  private void awaitDelivered(String... values) {
    await()
        .atMost(LIMIT)
        .dontCatchUncaughtExceptions()
        .untilAsserted(() -> assertThat(world.delivered()).containsExactly(values));
  }

  static String value(ConsumerRecord<byte[], byte[]> record) {
    return RuleTest.text(record.value());
  }
}
