package io.delaybridge;

import com.codahale.metrics.health.HealthCheck;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process when a thread has died that nothing replaces. Kafka's clients do not notice that
 * an {@link Error} has ended their own thread: each call to them then waits for its time-out, for
 * ever. So the process would run on without delivering, or without its API. Its shards go to the
 * other bridges, and whoever has started the process starts it again. Until it ends, it is
 * unhealthy.
 */
final class DeadThreads extends HealthCheck {

  private static final Logger LOG = LoggerFactory.getLogger(DeadThreads.class);

  /** The own threads, but not those of Kafka Streams, which have the names of its clients. */
  private static final Pattern OWN = Pattern.compile("(delay-(?!bridge-)|deadletter-index).*");

  private static final int STATUS = 1;

  /** Seconds for those who ask after the health of the bridge. */
  private static final int EXIT = 3;

  /** Seconds after which nothing is waited for any more. */
  private static final int HALT = 20;

  private final Runnable end;
  private volatile @Nullable String died;

  /**
   * @param end ends the process; does not wait
   */
  DeadThreads(Runnable end) {
    this.end = end;
  }

  /** Watches all threads that have no other handler. Only the end of an own one is of interest. */
  void watchOwn() {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) -> {
          if (OWN.matcher(thread.getName()).matches()) {
            hasDied(thread, failure);
          } else {
            LOG.error("Thread {} has ended", thread.getName(), failure);
          }
        });
  }

  /**
   * Watches the thread of a client that the calling thread has just made. Kafka gives its threads a
   * handler that only logs; this one takes its place.
   *
   * @throws IllegalStateException if there is no thread of this name
   */
  void watch(String name) {
    List<Thread> found =
        Arrays.stream(ofThisGroup())
            .filter(thread -> thread != null && thread.getName().equals(name))
            .toList();
    if (found.isEmpty()) {
      throw new IllegalStateException("there is no thread '" + name + "' to watch");
    }
    found.forEach(thread -> thread.setUncaughtExceptionHandler(this::hasDied));
  }

  /** The threads of the calling thread's group; it has made the client, so its thread is there. */
  private static @Nullable Thread[] ofThisGroup() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    @Nullable Thread[] threads;
    int count;
    do {
      // What finds no room is left out.
      threads = new @Nullable Thread[2 * group.activeCount() + 8];
      count = group.enumerate(threads);
    } while (count == threads.length);
    return threads;
  }

  private void hasDied(Thread thread, Throwable failure) {
    try {
      died = "thread '%s' has died: %s".formatted(thread.getName(), failure);
      LOG.error(
          "Thread {} has died, and the bridge cannot go on without it. It ends, and has to be"
              + " started again",
          thread.getName(),
          failure);
    } finally {
      end.run();
    }
  }

  @Override
  protected Result check() {
    String why = died;
    return why == null ? Result.healthy("all run") : Result.unhealthy("%s; the process ends", why);
  }

  /** What ends this process: in good order, or at once if that takes too long. */
  static Runnable exit() {
    ScheduledExecutorService timer =
        Executors.newScheduledThreadPool(
            2,
            work -> {
              Thread thread = new Thread(work, "delay-end");
              thread.setDaemon(true);
              return thread;
            });
    return () -> {
      try {
        var unused =
            timer.schedule(() -> Runtime.getRuntime().halt(STATUS), HALT, TimeUnit.SECONDS);
        unused = timer.schedule(() -> System.exit(STATUS), EXIT, TimeUnit.SECONDS);
      } catch (RuntimeException | Error e) {
        Runtime.getRuntime().halt(STATUS);
      }
    };
  }
}
