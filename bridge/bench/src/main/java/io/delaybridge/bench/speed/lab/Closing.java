package io.delaybridge.bench.speed.lab;

import java.util.ArrayDeque;
import java.util.Deque;

/** A stack of resources that closes the last first, and all of them even if some throw. */
public final class Closing implements AutoCloseable {

  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  /** Takes ownership of the resource. */
  public <T extends AutoCloseable> T with(T opened) {
    open.push(opened);
    return opened;
  }

  /**
   * Closes everything.
   *
   * @throws IllegalStateException with the first failure as its cause and the others suppressed
   */
  @Override
  public void close() {
    IllegalStateException failure = null;
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        if (failure == null) {
          failure = new IllegalStateException("not everything could be closed", e);
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
