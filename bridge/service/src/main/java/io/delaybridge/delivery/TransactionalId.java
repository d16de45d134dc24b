package io.delaybridge.delivery;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A transactional id that can be left for another one, see ADR 23. It belongs to a place, not to a
 * producer or a loop. Whoever takes the place next must not meet an id that was left, and ends what
 * is open under the current one. Safe for use by several threads.
 */
public final class TransactionalId {

  private final String base;
  private final AtomicInteger left = new AtomicInteger();

  /** Begins with this id. */
  public TransactionalId(String base) {
    this.base = base;
  }

  /** Returns the id under which something may be open. */
  public String current() {
    int count = left.get();
    return count == 0 ? base : base + "-" + count;
  }

  /** Changes the id to one that was not used before. */
  void leave() {
    left.incrementAndGet();
  }
}
