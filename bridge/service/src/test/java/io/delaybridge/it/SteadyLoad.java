package io.delaybridge.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Sends the same again and again while a test goes on. */
final class SteadyLoad implements AutoCloseable {

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final ScheduledFuture<?> sending;

  SteadyLoad(int everyMillis, Runnable send) {
    sending = timer.scheduleAtFixedRate(send, 0, everyMillis, TimeUnit.MILLISECONDS);
  }

  /** Stops sending, and returns when nothing is in progress. Fails if sending has failed. */
  void end() throws InterruptedException {
    assertThat(sending.isDone()).as("sending failed").isFalse();
    timer.shutdown();
    assertThat(timer.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
