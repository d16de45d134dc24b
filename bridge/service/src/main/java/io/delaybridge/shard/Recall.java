package io.delaybridge.shard;

import io.delaybridge.store.ShardStore.Page;

/**
 * Tracks how far the ids of the copies in a shard's later topic are recalled. This must be done
 * before anything of the shard is read. Offsets are of the later topic. See ADR 32.
 */
final class Recall {

  private boolean running;

  /** The store knows all other ids, so that it knows all of them once these are recalled. */
  private boolean knowsRest;

  private long from;
  private long to;

  /** The first page is recalled, so the store knows where the next one begins. */
  private boolean begun;

  /** Begins to recall the copies from one offset to the other; there may be none. */
  void begin(long first, long end) {
    begin(first, end, false);
  }

  /**
   * Begins to recall the copies from one offset to the other.
   *
   * @param rest whether the store knows all other ids
   */
  void begin(long first, long end, boolean rest) {
    running = true;
    knowsRest = rest;
    from = first;
    to = end;
    begun = false;
  }

  /** All is known. */
  void none() {
    running = false;
    knowsRest = false;
    from = 0;
    to = 0;
  }

  boolean isRunning() {
    return running;
  }

  /** Whether the store knows all ids once these are recalled. */
  boolean knowsRest() {
    return knowsRest;
  }

  /** Where to read on. */
  long from() {
    return from;
  }

  /** Where it ends. */
  long to() {
    return to;
  }

  /** The page that ends before this offset. */
  Page page(long next) {
    return new Page(begun ? from : Page.FIRST, next, next >= to);
  }

  /** The copies before this offset are recalled. */
  void read(long next) {
    from = next;
    begun = true;
    running = next < to;
  }

  @Override
  public String toString() {
    return running + " " + knowsRest + " " + from + " " + to + " " + begun;
  }
}
