package io.delaybridge.bench.faults;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * A comparison of the checkpoints with the arrivals while the faults happen, on its own thread. The
 * checkpoints must cover every record that a reader has seen, because one transaction commits both.
 */
final class FrontierWatch implements AutoCloseable {

  private static final long EVERY_MS = 500;

  private final Supplier<Optional<Checkpoints>> committed;
  private final Journal journal;
  private final Findings findings;
  private final Thread thread = new Thread(this::run, "frontier-watch");
  private int checked;
  private final AtomicLong looks = new AtomicLong();

  /**
   * @param committed reads the checkpoints; empty if that is not possible at the moment
   * @param journal journal of the arrivals
   */
  FrontierWatch(Supplier<Optional<Checkpoints>> committed, Journal journal, Findings findings) {
    this.committed = committed;
    this.journal = journal;
    this.findings = findings;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Returns the number of comparisons so far. */
  long looks() {
    return looks.get();
  }

  /** Compares the arrivals since the last comparison with the checkpoints. */
  void look() {
    // The order matters: the checkpoints must cover all arrivals from before they were read.
    int arrived = journal.size();
    Optional<Checkpoints> checkpoints = committed.get();
    if (checkpoints.isEmpty()) {
      return;
    }
    for (; checked < arrived; checked++) {
      long position = journal.position(checked);
      if (!checkpoints.get().cover(position, journal.due(checked))) {
        findings.add(
            Violation.UNCOVERED,
            "%s has arrived, but its checkpoint does not say so"
                .formatted(Position.text(position)));
      }
    }
    looks.incrementAndGet();
  }

  private void run() {
    try {
      while (true) {
        look();
        TimeUnit.MILLISECONDS.sleep(EVERY_MS);
      }
    } catch (InterruptedException e) {
      // close() ends this thread this way.
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      if (!Thread.currentThread().isInterrupted()) {
        findings.add(Violation.UNCOVERED, "the checkpoints could not be watched: " + e);
      }
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw FaultsException.interrupted("the watch of checkpoints", e);
    }
  }
}
