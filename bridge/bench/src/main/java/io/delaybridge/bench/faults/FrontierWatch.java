package io.delaybridge.bench.faults;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Holds the checkpoints against what has arrived while the faults happen: what a reader has seen is
 * covered, since both are one transaction. On a thread of its own.
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
   * @param committed reads the checkpoints; empty if that is not possible for now
   * @param journal of what has arrived
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

  /** How often it could compare. */
  long looks() {
    return looks.get();
  }

  /** Compares what has arrived since the last time. */
  void look() {
    // In this order: what has arrived before the checkpoints are read must be in them.
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
      // How close() ends this thread.
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
