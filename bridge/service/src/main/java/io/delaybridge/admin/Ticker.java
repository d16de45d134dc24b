package io.delaybridge.admin;

import io.dropwizard.lifecycle.Managed;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a task again and again on a thread of its own, even if it fails. */
public final class Ticker implements Managed {

  private static final Logger LOG = LoggerFactory.getLogger(Ticker.class);

  private final Duration every;
  private final Runnable task;
  private final ScheduledExecutorService timer;
  private @Nullable ScheduledFuture<?> ticking;

  /** Takes the name of the thread, and the pause after each time. */
  public Ticker(String name, Duration every, Runnable task) {
    this.every = every;
    this.task = task;
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, name);
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public void start() {
    ticking = timer.scheduleWithFixedDelay(this::tick, 0, every.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** A timer drops a task that throws. */
  private void tick() {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      say(e);
    }
  }

  private void say(Throwable failure) {
    try {
      LOG.warn(
          "{} failed and is run again in {}", Thread.currentThread().getName(), every, failure);
    } catch (RuntimeException | Error e) {
      // There is no other place to say so.
    }
  }

  @Override
  public void stop() {
    if (ticking != null) {
      ticking.cancel(true);
    }
    timer.shutdownNow();
  }
}
