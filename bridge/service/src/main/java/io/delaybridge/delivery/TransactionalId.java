package io.delaybridge.delivery;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A transactional id that can be left for another one, see ADR 23. It belongs to a place, not to a
 * producer or a loop: whoever takes the place next must not meet an id that was left, and ends what
 * is open under the one that is current. Safe for several threads.
 */
public final class TransactionalId {

  private final String base;
  private final AtomicInteger left = new AtomicInteger();

  /** Begins with this id. */
  public TransactionalId(String base) {
    this.base = base;
  }

  /** The one under which something may be open. */
  public String current() {
    int count = left.get();
    return count == 0 ? base : base + "-" + count;
  }

  /** From now on it is one that was not used before. */
  void leave() {
    left.incrementAndGet();
  }
}
