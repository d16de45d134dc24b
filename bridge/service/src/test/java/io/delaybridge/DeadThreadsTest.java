package io.delaybridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.health.HealthCheck.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeadThreadsTest {

  private final AtomicInteger ends = new AtomicInteger();
  private final DeadThreads dead = new DeadThreads(ends::incrementAndGet);
  private final CountDownLatch may = new CountDownLatch(1);

  @AfterEach
  void watchNoOthers() {
    Thread.setDefaultUncaughtExceptionHandler(null);
  }

  @Test
  void aClientWhoseThreadDiesMakesTheBridgeUnhealthyAndEndsIt() throws InterruptedException {
    List<Throwable> logged = new ArrayList<>();
    Thread thread = thread("kafka-x | y");
    thread.setUncaughtExceptionHandler((who, failure) -> logged.add(failure));
    thread.start();
    dead.watch("kafka-x | y");
    assertThat(dead.execute().isHealthy()).isTrue();

    die(thread);

    Result health = dead.execute();
    assertThat(health.isHealthy()).isFalse();
    assertThat(health.getMessage()).contains("'kafka-x | y' has died: java.lang.InternalError: x");
    assertThat(ends).hasValue(1);
    assertThat(logged).isEmpty();
  }

  @Test
  void aClientWithoutItsThreadIsNotTaken() {
    assertThatThrownBy(() -> dead.watch("kafka-none"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("kafka-none");
  }

  @Test
  void anOwnThreadThatDiesEndsTheBridge() throws InterruptedException {
    dead.watchOwn();
    Thread thread = thread("delay-quota");
    thread.start();

    die(thread);

    assertThat(ends).hasValue(1);
  }

  /** Pools replace their threads, and the index begins anew. */
  @Test
  void noOtherThreadEndsTheBridge() throws InterruptedException {
    dead.watchOwn();
    for (String name : List.of("dw-7", "delay-bridge-1-deadletters-GlobalStreamThread")) {
      Thread thread = thread(name);
      thread.start();
      die(thread);
    }

    assertThat(ends).hasValue(0);
    assertThat(dead.execute().isHealthy()).isTrue();
  }

  private Thread thread(String name) {
    return new Thread(
        () -> {
          try {
            may.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          throw new InternalError("x");
        },
        name);
  }

  private void die(Thread thread) throws InterruptedException {
    may.countDown();
    thread.join();
  }
}
