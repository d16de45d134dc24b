package io.delaybridge.it;

import java.util.ArrayList;
import java.util.List;

/** Threads that only consume processor time. */
final class Busy implements AutoCloseable {

  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean over;

  static Busy threads(int count) {
    Busy busy = new Busy();
    for (int i = 0; i < count; i++) {
      Thread thread = new Thread(busy::spin, "busy-" + i);
      thread.setDaemon(true);
      thread.start();
      busy.threads.add(thread);
    }
    return busy;
  }

  private void spin() {
    while (!over) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    over = true;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
